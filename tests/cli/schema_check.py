"""Validates the JSON reports of a few launches, one of each verdict and form, against docs/report.schema.json, those of
files against docs/checks.schema.json, and comparisons, plans, matrices, locks and changes against their own.

usage: schema_check.py GONOGO SOURCE_DIR
"""

import json
import os
import pty
import subprocess
import sys
import tempfile

import jsonschema

gonogo, source = sys.argv[1:]


def validator_of(name):
    schema = json.load(open(f"{source}/docs/{name}.schema.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


validator = validator_of("report")
models = source + "/testdata/models/"
LAUNCHES = [
    ("GO", ["--model-config", models + "Qwen__Qwen3-235B-A22B-FP8"], ["--model-path", "/m", "--tp", "8"]),
    ("GO", ["--model-config", models + "meta-llama__Meta-Llama-3.1-8B"], ["--model-path", "/m", "--moe-a2a-backend", "deepep", "--api-key", "x"]),
    ("NO-GO", ["--sglang", "0.5.21", "--model-config", models + "XiaomiMiMo__MiMo-V2-Flash"],
     ["--model-path", "/m", "--tp", "8", "--moe-a2a-backend", "deepep_v2"]),
    ("NO-GO", [], ["--model-path", "/m", "--page-size", "x", "--tpp", "8"]),
    ("UNKNOWN", [], ["--model-path", "/m"]),
    ("UNKNOWN", ["--strict"], ["--model-path", "/m"]),
]
for verdict, options, launch in LAUNCHES:
    command = [gonogo, "check", "--gpu", "b200x8", "--format", "json", *options, "--", "python", "-m", "sglang.launch_server", *launch]
    ran = subprocess.run(command, capture_output=True, text=True)
    report = json.loads(ran.stdout)
    validator.validate(report)
    assert report["verdict"] == verdict, (verdict, report["verdict"], launch)
    assert report["exit_code"] == ran.returncode, launch

# Options, arguments of the launch or of two, the exit code, and a list that must not be empty.
LAUNCH = ["--model-path", "/m", "--tp", "8", "--moe-a2a-backend", "deepep"]
FLASH = models + "XiaomiMiMo__MiMo-V2-Flash"
COMPARISONS = [
    (["--sglang", "0.5.21..0.5.23", "--model-config", FLASH], LAUNCH, 1, "findings"),
    (["--sglang", "0.5.21", "--sglang", "0.5.23", "--model-config", FLASH], LAUNCH, 1, "env"),
    (["--sglang", "0.5.23..0.5.23", "--model-config", FLASH], [*LAUNCH, "---", *LAUNCH], 0, None),
    (["--model-config", FLASH + ".." + models + "Qwen__Qwen3-8B"], LAUNCH, 1, "summary"),
    (["--model-config", FLASH], [*LAUNCH, "---", *LAUNCH, "--page-size", "x"], 1, "findings"),
    ([], LAUNCH + ["---", "--model-path", "/m", "--enable-dp-attention", "--api-key", "x"], 1, "fields"),
]
comparison = validator_of("diff")
for options, launch, status, some in COMPARISONS:
    ran = subprocess.run([gonogo, "diff", "--gpu", "b200x8", "--format", "json", *options, "--", *launch], capture_output=True, text=True)
    report = json.loads(ran.stdout)
    comparison.validate(report)
    assert report["exit_code"] == ran.returncode == status, (ran.returncode, launch)
    assert report["different"] == (status == 1), launch
    assert some is None or report[some], (some, launch)

# Options, arguments of the launch, the exit code, and what the plan says.
PLANS = [
    (["--model-config", models + "Qwen__Qwen3-8B", "--request-length", "4096", "--request-length", "1"], ["--model-path", "/m"], 0,
     lambda p: p["left_bytes"] > 0 and [c["length"] for c in p["concurrency"]] == [4096, 1] and p["concurrency"][0]["requests"] > 10),
    (["--model-config", models + "deepseek-ai__DeepSeek-V3"], ["--model-path", "/m", "--tp", "2"], 1,
     lambda p: p["left_bytes"] < 0 and p["verdict"] == "NO-GO" and p["capacity"] == 0),
    ([], ["--model-path", "/m"], 2, lambda p: p["memory_bytes"] is not None and p["capacity"] is None),
    ([], ["--model-path", "/m", "--page-size", "x"], 1, lambda p: p["memory_bytes"] is None and p["parts"] == {}),
]
plan_validator = validator_of("plan")
for options, launch, status, holds in PLANS:
    ran = subprocess.run([gonogo, "plan", "--gpu", "b200x8", "--format", "json", *options, "--", "python", "-m", "sglang.launch_server", *launch],
                         capture_output=True, text=True)
    plan = json.loads(ran.stdout)
    plan_validator.validate(plan)
    assert plan["exit_code"] == ran.returncode == status, (ran.returncode, launch)
    assert holds(plan), (launch, plan)

# Options, arguments of the launch, the exit code, and what the matrix says.
MATRICES = [
    (["--model-config", FLASH, "--vary", "moe-a2a-backend=none,deepep_v2", "--vary", "sglang=0.5.21..0.5.23"], LAUNCH, 1,
     lambda m: len(m["cells"]) == 6 and m["closest"] is not None and sum(m["counts"].values()) == 6),
    (["--vary", "page-size=x"], LAUNCH, 1, lambda m: m["closest"] is None and m["reasons"][0]["rule"] == "argparse"),
    (["--vary", "tp=1,2", "--strict"], LAUNCH, 3, lambda m: m["reasons"][0]["rule"] is None and m["reasons"][0]["cells"] == 2),
]
matrix_validator = validator_of("matrix")
for options, launch, status, holds in MATRICES:
    ran = subprocess.run([gonogo, "matrix", "--gpu", "b200x8", "--format", "json", *options, "--", *launch], capture_output=True, text=True)
    matrix = json.loads(ran.stdout)
    matrix_validator.validate(matrix)
    assert matrix["exit_code"] == ran.returncode == status, (ran.returncode, launch)
    assert holds(matrix), (launch, matrix)
    assert sum(r["cells"] for r in matrix["reasons"]) == matrix["counts"]["no_go"] + matrix["counts"]["unknown"]

# A long sweep tells a terminal how far it is, and leaves nothing there; what is no terminal hears nothing.
LONG = [gonogo, "matrix", "--gpu", "b200x8", "--model-config", FLASH, "--format", "csv", "--vary", "max-running-requests=" + ",".join(map(str, range(1, 2501))),
        "--", *LAUNCH]
terminal, there = pty.openpty()
subprocess.run(LONG, stdout=subprocess.DEVNULL, stderr=there)
os.close(there)
told = os.read(terminal, 1 << 16)
assert b"\r2500 of 2500 launches" in told and told.endswith(b"\r\x1b[K"), told
assert subprocess.run(LONG, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).stderr == b""
# A lock of each verdict, and reports that are held to it.
lock_validator = validator_of("lock")
LOCKS = [LAUNCHES[0], LAUNCHES[2], LAUNCHES[3], LAUNCHES[4]]
with tempfile.TemporaryDirectory() as folder:
    for verdict, options, launch in LOCKS:
        lock = folder + "/x.lock"
        launch = ["--", "python", "-m", "sglang.launch_server", *launch]
        subprocess.run([gonogo, "lock", "-o", lock, "--gpu", "b200x8", *options, *launch], capture_output=True, check=True)
        locked = json.load(open(lock))
        lock_validator.validate(locked)
        assert locked["launches"][0]["verdict"] == verdict, launch
        for gpu in ["b200x8", "h200x4"]:
            command = [gonogo, "check", "--gpu", gpu, "--format", "json", "--locked", lock, *options, *launch]
            report = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
            validator.validate(report)
            if "diff" in report["locked"]:
                comparison.validate(report["locked"]["diff"])
            assert report["locked"]["same"] or gpu == "h200x4", report["locked"]
# A change of each kind in a repository, where gonogo was built to read one.
change_validator = validator_of("change")
with tempfile.TemporaryDirectory() as folder:
    def git(*words):
        subprocess.run(["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=e@x", *words], capture_output=True, check=True)

    def write(name, more):
        with open(f"{folder}/{name}", "w") as script:
            script.write("".join(f"# {name}: line {i}\n" for i in range(20)))
            script.write(f"python -m sglang.launch_server --model-path {models}Qwen__Qwen3-8B {more}\n")

    git("init", "-q")
    write("changed.sh", "--tp 2")
    write("removed.sh", "")
    git("add", "-A")
    git("commit", "-q", "-m", "x")
    write("changed.sh", "--tp 2 --page-size x")
    write("added.sh", "--tp 8 --dp 2 --enable-dp-attention --port 1 --host 0.0.0.0 --api-key x")
    os.unlink(folder + "/removed.sh")
    with open(folder + "/gonogo.yaml", "w") as policy:
        policy.write("severity: {argparse: warning}\n")
    ran = subprocess.run([gonogo, "diff", "--base", "HEAD", "--gpu", "b200x8", "--format", "json"], cwd=folder, capture_output=True, text=True)
    if "without libgit2" not in ran.stderr:
        change = json.loads(ran.stdout)
        change_validator.validate(change)
        assert {launch["change"] for launch in change["launches"]} == {"added", "changed", "removed"}, change
        assert change["policy"] == "gonogo.yaml", change
        assert [launch.get("verdict_without_policy") for launch in change["launches"]].count("NO-GO") == 1, change
        for launch in change["launches"]:
            if "diff" in launch:
                comparison.validate(launch["diff"])
            if "report" in launch:
                validator.validate(launch["report"])
# Files by name, options, the exit code, the verdict, and what the report says.
SERVE = f"sglang serve {models}Qwen__Qwen3-8B"
PAIR = f"{SERVE} --disaggregation-mode prefill --page-size 16 &\n{SERVE} --disaggregation-mode decode"
RING = "".join(f"{SERVE} --tp 16 --nnodes 4 --dist-init-addr h:1 --node-rank {rank}\n" for rank in (0, 1, 2))
FILES = [
    ({"a.sh": SERVE + " --api-key k --tp $TP\n"}, [], 0, "UNKNOWN", lambda r: r["launches"][0]["unknowns"] == ["TP"]),
    ({"a.sh": SERVE + "\n", "b.yaml": "sglang: ["}, [], 2, "GO", lambda r: r["errors"][0]["line"] > 0 and r["files"] == 2),
    ({"a.sh": "echo sglang\n"}, [], 0, None, lambda r: r["files_without_launch"] == 1),
    ({"a.sh": PAIR}, [], 1, "NO-GO", lambda r: [f["rule"] for f in r["across"]] == ["pd-pair/page-size"]),
    ({"a.sh": RING}, [], 0, "GO", lambda r: [l["role"] for l in r["across"][0]["launches"]] == ["node", "other", None]),
    ({"a.sh": f"if [ -f x ]; then {SERVE} --nope; fi\n"}, [], 1, "NO-GO", lambda r: r["launches"][0]["conditional"] == "[ -f x ]"),
    ({"a.yaml": "apiVersion: v1\nkind: Pod\nspec: {containers: [{image: x/sglang:v0.4.1, command: [sglang, serve, m]}]}\n"}, ["--strict"], 3,
     "UNKNOWN", lambda r: "report" not in r["launches"][0]),
]
# Files, and the policy: options, contents, the exit code.
GOOD = "python -m sglang.launch_server --model-path " + models + "Qwen__Qwen3-8B --tp 8"
IGNORE = '# gonogo: ignore=argparse reason="known" until=2030-01-01\n'
CHECKS = [
    ([], {"a.sh": GOOD + "\n", "b.sh": GOOD + " --nope\n", "c.yaml": "x: 1\n"}, 1),
    ([], {"a.sh": GOOD + " $MORE\nif x; then " + GOOD + "\nfi\n"}, 0),
    ([], {"a.yaml": "sglang: [\n"}, 2),
    ([], {"a.sh": IGNORE + GOOD + " --nope\n# gonogo: ignore=unread\n" + IGNORE}, 0),
    (["--severity", "argparse=warning", "--ignore", "unread reason=x"], {"a.sh": GOOD + " --nope\n"}, 0),
    ([], {"a.txt": "nothing\n"}, 0),
]
checks = validator_of("checks")
for files, options, status, verdict, holds in FILES:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        ran = subprocess.run([gonogo, "check", "--gpu", "b200x8", "--format", "json", *options, folder], capture_output=True, text=True)
    report = json.loads(ran.stdout)
    checks.validate(report)
    assert report["exit_code"] == ran.returncode == status and report["verdict"] == verdict, (ran.stdout[:2000], ran.stderr)
    assert holds(report), (files, report["launches"], report["across"])
    for launch in report["launches"]:
        if "report" in launch:
            validator.validate(launch["report"])
for options, files, status in CHECKS:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            open(f"{folder}/{name}", "w").write(text)
        env = {"HOME": "", "GONOGO_TODAY": "2029-01-01"}
        command = [gonogo, "check", "--gpu", "b200x8", *options, *sorted(f"{folder}/{name}" for name in files)]
        ran = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, env=env)
        lines = subprocess.run([*command, "--format", "jsonl"], capture_output=True, text=True, env=env)
    report = json.loads(ran.stdout)
    checks.validate(report)
    assert report["exit_code"] == ran.returncode == lines.returncode == status, (ran.returncode, files, ran.stdout)
    for launch in report["launches"]:
        if "report" in launch:
            validator.validate(launch["report"])
    for line in lines.stdout.splitlines():
        checks.evolve(schema={"$defs": checks.schema["$defs"], **checks.schema["$defs"]["line"]}).validate(json.loads(line))
print(len(CHECKS) + len(FILES), "checks of files and", len(LOCKS), "locks and", len(MATRICES), "matrices and", len(PLANS), "plans and",
      len(LAUNCHES), "reports and", len(COMPARISONS), "comparisons are valid")
