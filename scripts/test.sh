#!/usr/bin/env bash
# As scripts/try.sh, and run all tests. Arguments go to ctest (-R engine, -V …).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/try.sh
echo
cmake --build --preset release
echo
status=0
ctest --preset release -j "$(nproc)" "$@" || status=$?
# How far gonogo agrees with recorded answers of SGLang, as the tests printed it.
grep -h '^conformance: ' build/release/Testing/Temporary/LastTest.log || true
exit "$status"
