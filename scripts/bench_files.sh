#!/usr/bin/env bash
# What checking many files costs, against a limit: 1,000 manifests on one core in less than 2 s of its time, by the best of
# some runs. Every manifest is another: models, GPUs and values vary; a tenth hold a prefill and a decode server, one in
# twenty is refused by the parser, and one when the model is built, where fixes are searched. Exit 1 where it is exceeded.
#   scripts/bench_files.sh [RUNS] [MANIFESTS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${GONOGO_BUILD:-build/release}
exec python3 - "$build/gonogo" "$PWD/testdata/models" "${1:-5}" "${2:-1000}" <<'PY'
import json, os, resource, subprocess, sys, tempfile, time

gonogo, models, runs, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
MODELS = [("Qwen__Qwen3-8B", "2"), ("Qwen__Qwen3-235B-A22B-FP8", "4"), ("openai__gpt-oss-120b", "4"), ("deepseek-ai__DeepSeek-V3", "8"),
          ("MiniMaxAI__MiniMax-M2.7", "4")]
PRODUCTS = ["NVIDIA-B200", "NVIDIA-H200"]
POD = """apiVersion: apps/v1
kind: Deployment
metadata: {name: server-%d, labels: {app: server}}
spec:
  replicas: 1
  selector: {matchLabels: {app: server}}
  template:
    metadata: {labels: {app: server}}
    spec:
      nodeSelector: {nvidia.com/gpu.product: %s}
      containers:
      - name: server
        image: lmsysorg/sglang:v0.5.23-cu130
        command: [python3, -m, sglang.launch_server]
        args: %s
        env:
        - {name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hub, key: token}}}
        - {name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
        ports: [{containerPort: %d}]
        readinessProbe: {httpGet: {path: /health, port: %d}, periodSeconds: 10}
        resources: {limits: {nvidia.com/gpu: "8"}}
        volumeMounts: [{name: shm, mountPath: /dev/shm}]
      volumes: [{name: shm, emptyDir: {medium: Memory}}]
"""

def pod(i, more):
    model, ranks = MODELS[i % len(MODELS)]
    args = ["--model-path", f"{models}/{model}", "--tp", ranks, "--host", "$(POD_IP)", "--port", str(30000 + i),
            "--mem-fraction-static", f"0.{80 + i % 8}", "--max-running-requests", str(64 + i % 64), *more]
    return POD % (i, PRODUCTS[i % len(PRODUCTS)], json.dumps(args), 30000 + i, 30000 + i)

def manifest(i):
    if i % 10 == 1:
        return pod(i, ["--disaggregation-mode", "prefill"]) + "---\n" + pod(i, ["--disaggregation-mode", "decode"])
    return pod(i, {2: ["--page-size", "x"], 4: ["--tp", "24"]}.get(i % 20, ["--trust-remote-code"]))

with tempfile.TemporaryDirectory() as folder:
    for i in range(count):
        with open(os.path.join(folder, f"{i:04}.yaml"), "w") as file:
            file.write(manifest(i))
    command = [gonogo, "check", folder, "--format", "json"]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    times, walls = [], []
    for _ in range(runs):
        before, start = spent(), time.perf_counter()
        ran = subprocess.run(command, capture_output=True, text=True)
        times.append(spent() - before)
        walls.append(time.perf_counter() - start)
    verdicts = [launch["verdict"] for launch in json.loads(ran.stdout)["launches"]]
best, limit = min(times), 2.0 * count / 1000
print("%d manifests with %d launches: %d GO, %d NO-GO, %d UNKNOWN" % (count, len(verdicts), *map(verdicts.count, ["GO", "NO-GO", "UNKNOWN"])))
print("time of one core, best of %d runs %.2f s  at most %g%s; from start to end %.2f s"
      % (runs, best, limit, "" if best < limit else "  EXCEEDED", min(walls)))
sys.exit(best >= limit)
PY
