#!/usr/bin/env bash
# Compare the rule language with CPython on random expressions: differential.sh [COUNT] [SEED].
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python3 scripts/record_expressions.py --random "${1:-2000}" --seed "${2:-$RANDOM}" | "${EXPRESSION_CHECK:-build/release/tests/expression_check}"
