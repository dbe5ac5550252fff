"""Validates the JSON reports of a few launches, one of each verdict and form, against docs/report.schema.json, those of
files against docs/checks.schema.json, and comparisons against docs/diff.schema.json.

usage: schema_check.py GONOGO SOURCE_DIR
"""

import json
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
    command = [gonogo, "check", "--gpu", "b200x8", "--format", "json", *options, "--", "sglang", "serve", *launch]
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
    ran = subprocess.run([gonogo, "plan", "--gpu", "b200x8", "--format", "json", *options, "--", "sglang", "serve", *launch],
                         capture_output=True, text=True)
    plan = json.loads(ran.stdout)
    plan_validator.validate(plan)
    assert plan["exit_code"] == ran.returncode == status, (ran.returncode, launch)
    assert holds(plan), (launch, plan)

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
print(len(PLANS), "plans and", len(LAUNCHES), "reports and", len(CHECKS), "checks of files and", len(COMPARISONS),
      "comparisons are valid")
