#!/usr/bin/env bash
# What a cold check costs, against limits: at most 5 ms over /bin/true by median, 32 MiB at its peak, and 512 KiB for the
# embedded rules; and at most 10 ms for what a shell asks at a TAB. Exit 1 where one is exceeded.
#   scripts/bench.sh [RUNS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
runs=${1:-200}
build=${GONOGO_BUILD:-build/release}
model=testdata/models/XiaomiMiMo__MiMo-V2-Flash
check=("$build/gonogo" check --gpu b200x8 --model-config "$model" --
  python -m sglang.launch_server --model-path XiaomiMiMo/MiMo-V2-Flash --tp 8 --moe-a2a-backend deepep)
"${check[@]}" >/dev/null  # has to answer, and GO

results=$(mktemp)
trap 'rm -f "$results"' EXIT
if command -v hyperfine >/dev/null; then
  hyperfine -N --style none --warmup 20 --runs "$runs" --export-json "$results" /bin/true "${check[*]}" >/dev/null 2>&1
fi
python3 - "$results" "$runs" "$build/sglang.pack" "${check[@]}" <<'PY'
import json, os, shutil, statistics, subprocess, sys, time

results, runs, blob, *check = sys.argv[1:]
if os.path.getsize(results):
    how, times = "hyperfine", [r["times"] for r in json.load(open(results))["results"]]
else:
    how, times = "a loop (hyperfine is not installed)", [[], []]
    for _ in range(20 + int(runs)):  # in turn, so that both meet the same noise
        for command, list_ in zip((["/bin/true"], check), times):
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            list_.append(time.perf_counter() - start)
    times = [t[20:] for t in times]
true_ms, check_ms = (1000 * statistics.median(t) for t in times)

# GNU time is smaller than the command; without it this process's own memory stands in the way of a lower figure.
if shutil.which("time"):
    peak = int(subprocess.run(["time", "-f", "%M"] + check, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=True).stderr.split()[-1])
else:
    child = os.posix_spawn(check[0], check, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    peak = os.wait4(child, 0)[2].ru_maxrss

offers = []
for _ in range(int(runs)):
    start = time.perf_counter()
    subprocess.run([check[0], "__complete", "check", "--", "sglang", "serve", "--"], stdout=subprocess.DEVNULL, check=True)
    offers.append(time.perf_counter() - start)

failed = False
def row(what, value, unit, limit):
    global failed
    failed |= limit is not None and value > limit
    print("%-28s %8.2f %-3s" % (what, value, unit) + ("" if limit is None else "  at most %g%s" % (limit, "" if value <= limit else "  EXCEEDED")))

print("%s, %d runs each, medians" % (how, len(times[1])))
row("/bin/true", true_ms, "ms", None)
row("gonogo check", check_ms, "ms", None)
row("difference", check_ms - true_ms, "ms", 5)
row("peak memory", peak / 1024, "MiB", 32)
row("a completion", 1000 * statistics.median(offers), "ms", 10)
row("embedded rules", os.path.getsize(blob) / 1024, "KiB", 512)
sys.exit(failed)
PY
