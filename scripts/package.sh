#!/usr/bin/env bash
# Makes the packages and tries each as somebody who installs it would: the wheel in a fresh environment, the Debian package
# unpacked, `cmake --install` into a prefix, and the pre-commit hook where pre-commit is at hand. Needs pip and its index.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=${1:-build/packages}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A check whose answer needs no model file: the parser refuses the flag.
try() {  # NAME, GONOGO
  local status=0
  "$2" check --gpu b200x8 --sglang 0.5.23 -- --model-path m --no-such-flag >"$work/report" || status=$?
  [ $status -eq 1 ] && grep -q -- '--no-such-flag' "$work/report" || { echo "package: $1 does not check" >&2; exit 1; }
  echo "package: $1: $("$2" --version | head -1), $(du -k "$(readlink -f "$2")" | cut -f1) KiB"
}

python3 -m pip wheel --quiet --no-deps --wheel-dir "$out" .
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --no-index --no-deps "$out"/gonogo-*.whl
try "the wheel" "$work/venv/bin/gonogo"
if ldd "$work/venv/bin/gonogo" | grep -vE 'linux-vdso|ld-linux|lib(c|m|dl|pthread)\.so'; then
  echo "package: the wheel's program needs more than the C library" >&2
  exit 1
fi

cmake --build --preset release --target gonogo >/dev/null
cmake --install build/release --prefix "$work/prefix" >/dev/null
try "cmake --install" "$work/prefix/bin/gonogo"
(cd build/release && cpack -G DEB >/dev/null)
mv build/release/gonogo_*.deb "$out"
dpkg-deb -x "$out"/gonogo_*.deb "$work/deb"
try "the Debian package" "$work/deb/usr/bin/gonogo"

if command -v pre-commit >/dev/null && command -v git >/dev/null; then
  mkdir "$work/repository"
  printf 'python -m sglang.launch_server --model-path m --no-such-flag\n' >"$work/repository/serve.sh"
  git -C "$work/repository" init -q
  git -C "$work/repository" add -A
  hook="$PWD"
  if (cd "$work/repository" && PATH="$work/prefix/bin:$PATH" pre-commit try-repo "$hook" gonogo-system --all-files) >"$work/hook"; then
    echo "package: the hook passes a launch that is refused" >&2
    exit 1
  fi
  grep -q 'serve.sh:1' "$work/hook" || { cat "$work/hook" >&2; exit 1; }
  echo "package: the pre-commit hook refuses a commit"
else
  echo "package: skipped the pre-commit hook: no pre-commit here"
fi
ls -l "$out"
