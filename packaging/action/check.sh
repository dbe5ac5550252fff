#!/usr/bin/env bash
# Runs gonogo check over the step's inputs. They come as variables, never as part of this text, so that no input can
# become a command; words are split at spaces and patterns are gonogo's own to expand.
set -uo pipefail
set -f
# shellcheck disable=SC2206 # the inputs are lists of words
options=(--format github ${INPUT_ARGS:-})
[ -n "${INPUT_GPU:-}" ] && options+=(--gpu "$INPUT_GPU")
# shellcheck disable=SC2206
files=(${INPUT_FILES:-.})
gonogo check "${options[@]}" "${files[@]}"
status=$?
echo "exit-code=$status" >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$status"
