#!/usr/bin/env bash
# How many launches of a matrix a core checks in a second, over sweeps of two flags, against a limit: at least 20,000 in
# each. Exit 1 where one is slower. A core's time is what the process took of it (user and system), of the fastest of RUNS
# runs, less what one launch takes from start to end: on a busy machine the clock tells of its other users.
#   scripts/bench_matrix.sh [RUNS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python3 - "${GONOGO_BUILD:-build/release}/gonogo" "${1:-5}" <<'PY'
import os, subprocess, sys

gonogo, runs = sys.argv[1], int(sys.argv[2])
LIMIT = 20_000
# Seconds that SGLang 0.5.23 itself takes to resolve one launch, its imports done: the median of 40 launches of MiMo-V2-Flash
# (--moe-a2a-backend and --max-running-requests varied) given to scripts/record_sglang.py on a machine of two cores.
SGLANG = 0.103
MIMO, DEEPSEEK = "XiaomiMiMo__MiMo-V2-Flash", "deepseek-ai__DeepSeek-V3"
numbers = lambda *of: ",".join(map(str, range(*of)))
SWEEPS = [
    (MIMO, "moe-a2a-backend=none,deepep,deepep_v2,mooncake,nixl,flashinfer", "max-running-requests=" + numbers(1, 4001)),
    (MIMO, "moe-runner-backend=auto,triton,deep_gemm,flashinfer_trtllm,flashinfer_cutlass", "chunked-prefill-size=" + numbers(1024, 132096, 64)),
    (MIMO, "tp-size=" + numbers(1, 129), "dp-size=" + numbers(1, 129)),
    (MIMO, "context-length=" + numbers(1001, 1201), "max-running-requests=" + numbers(1, 101)),
    (DEEPSEEK, "attention-backend=fa3,flashinfer,flashmla,cutlass_mla,trtllm_mla,triton", "max-running-requests=" + numbers(1, 4001)),
    (DEEPSEEK, "page-size=" + numbers(1, 129), "ep-size=" + numbers(1, 129)),
]


def seconds(model, *axes):
    best = None
    for _ in range(runs):
        before = os.times()
        command = [gonogo, "matrix", "-j", "1", "--any", "--gpu", "b200x8", "--model-config", "testdata/models/" + model, "--format", "csv"]
        for axis in axes:
            command += ["--vary", axis]
        ran = subprocess.run(command + ["--", "sglang", "serve", "/m", "--tp", "8"], stdout=subprocess.DEVNULL)
        if ran.returncode not in (0, 1):
            sys.exit(ran.returncode)
        after = os.times()
        spent = after.children_user - before.children_user + after.children_system - before.children_system
        best = spent if best is None else min(best, spent)
    return best


failed = False
print("%-28s %-28s %9s %12s %12s  %s" % ("flag", "flag", "launches", "us a launch", "launches/s", "SGLang takes"))
for model, first, second in SWEEPS:
    count = lambda axis: axis.count(",") + 1
    launches = count(first) * count(second)
    spent = max(seconds(model, first, second) - seconds(model, first.split(",")[0], second.split(",")[0]), 1e-3)
    rate = launches / spent
    failed |= rate < LIMIT
    name = lambda axis: "%s (%d)" % (axis.split("=")[0], count(axis))
    print("%-28s %-28s %9d %12.1f %12d  %d times as long%s" %
          (name(first), name(second), launches, 1e6 * spent / launches, rate, rate * SGLANG, "" if rate >= LIMIT else "  TOO SLOW"))
print("at least %d launches/s a core: %s" % (LIMIT, "no" if failed else "yes"))
sys.exit(failed)
PY
