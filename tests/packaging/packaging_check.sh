#!/usr/bin/env bash
# What is made for other tools, run as they would run it:  packaging_check.sh GONOGO REPOSITORY
set -uo pipefail
gonogo=$(realpath "$1") root=$(realpath "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PATH="$(dirname "$gonogo"):/usr/bin:/bin"
cd "$dir" || exit 2
failed=0
row() {  # NAME, the status it shall end with, a text that it shall print (or nothing), COMMAND…
  local name=$1 wanted=$2 says=$3 out status
  shift 3
  out=$("$@" 2>&1)
  status=$?
  if [ "$status" -ne "$wanted" ] || [[ $out != *"$says"* ]]; then
    printf 'FAILED  %s: exit %s, not %s, or without "%s":\n%s\n' "$name" "$status" "$wanted" "$says" "$out"
    failed=1
  fi
}

# The parser refuses the first whatever the model and the GPUs are; the second can't be told without a model.
printf 'python -m sglang.launch_server --model-path m --tp 2 --no-such-flag 1\n' >refused.sh
printf 'python -m sglang.launch_server --model-path m --tp 2\n' >open.sh

# The action: inputs come as variables.
action() { env GITHUB_OUTPUT="$dir/output" "$@" "$root/packaging/action/check.sh"; }
row "action: a refused launch" 1 "refused.sh" action INPUT_FILES="refused.sh open.sh"
row "action: its exit code" 0 "exit-code=1" cat output
row "action: an unknown one passes" 0 "" action INPUT_FILES="open.sh" INPUT_GPU=b200x2
row "action: but not when strict" 3 "" action INPUT_FILES="open.sh" INPUT_ARGS="--strict"
row "action: a pattern" 1 "refused.sh" action INPUT_FILES="*.sh"
row "action: input is never run" 2 "" action INPUT_FILES='$(touch${IFS}ran) `touch ran2`'
row "action: nothing ran" 1 "" test -e ran -o -e ran2
row "action: nothing to install twice" 0 "" "$root/packaging/action/install.sh"

# The Slurm prolog: a NO-GO ends the task, nothing else does.
prolog="$root/packaging/slurm/prolog.sh"
row "prolog: a refused script" 1 "print gonogo: job 7 is NO-GO" env SLURM_JOB_ID=7 "$prolog" refused.sh
row "prolog: an unknown one" 0 "" "$prolog" open.sh
row "prolog: no such script" 0 "" "$prolog" none.sh
row "prolog: no gonogo here" 0 "" env PATH=/usr/bin:/bin "$prolog" refused.sh
row "prolog: no scontrol" 0 "" "$prolog"
mkdir bin
printf '#!/bin/sh\ncat "%s/refused.sh"\n' "$dir" >bin/scontrol
chmod +x bin/scontrol
row "prolog: the spooled script" 1 "print gonogo" env PATH="$dir/bin:$PATH" SLURM_JOB_ID=7 "$prolog"

# The init container: its launch is found where the server's is.
row "init container" 0 "sglang.launch_server --model-path /models/Qwen3-8B --tp 2" \
  gonogo launches "$root/packaging/kubernetes/init-container.yaml"

# The hooks of pre-commit: the files that they are run on.
pattern=$(sed -n 's/^  files: //p' "$root/.pre-commit-hooks.yaml" | sort -u)
row "hooks: one pattern" 0 "1" wc -l <<<"$pattern"
for name in run.sh deploy/a.yaml a.yml job.sbatch README.md x.service Dockerfile docker/Dockerfile.cuda Makefile justfile; do
  row "hooks: $name" 0 "" grep -qE "$pattern" <<<"$name"
done
for name in a.py model.safetensors yaml README.mdx; do
  row "hooks: not $name" 1 "" grep -qE "$pattern" <<<"$name"
done
[ $failed -eq 0 ] && echo "packaging: all rows passed"
exit $failed
