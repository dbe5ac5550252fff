#!/usr/bin/env bash
# Install a real SGLang to record answers from, on a machine without a GPU (about 10 GB, outside the repository).
#   scripts/oracle_setup.sh DIR VERSION [OTHER...]
# DIR/venv gets VERSION with all that it needs; each OTHER release is laid beside it as DIR/alt/OTHER, without its own
# dependencies. Then: DIR/venv/bin/python scripts/record_sglang.py [--sglang OTHER] < cases.jsonl
set -euo pipefail
if [ $# -lt 2 ]; then
  sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
  exit 4
fi
dir=$1 version=$2
shift 2
mkdir -p "$dir/stubs"
python=$(command -v python3.12 || command -v python3.11 || command -v python3)
[ -x "$dir/venv/bin/python" ] || "$python" -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --upgrade pip
"$dir/venv/bin/pip" install --quiet "sglang==$version"
for other in "$@"; do
  [ -d "$dir/alt/$other/sglang" ] || "$dir/venv/bin/pip" install --quiet --no-deps --target "$dir/alt/$other" "sglang==$other"
done
# SGLang's kernels are linked against the driver's library. The CUDA toolkit's stub of it is enough to import them.
if [ ! -e "$dir/stubs/libcuda.so.1" ]; then
  stub=$(find /usr/local/cuda*/ -path '*stubs/libcuda.so' 2>/dev/null | head -1 || true)
  if [ -n "$stub" ]; then
    ln -s "$stub" "$dir/stubs/libcuda.so.1"
  elif ! ldconfig -p | grep -q 'libcuda\.so\.1'; then
    echo "oracle_setup: no libcuda.so.1 and no stub of it; install the CUDA toolkit's driver stubs (cuda-driver-dev)" >&2
    exit 2
  fi
fi
echo "oracle_setup: ready; $dir/venv/bin/python scripts/record_sglang.py --help"
