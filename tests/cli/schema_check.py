"""Validates the JSON reports of a few launches, one of each verdict and form, against docs/report.schema.json, and
comparisons, plans and matrices against their own.

usage: schema_check.py GONOGO SOURCE_DIR
"""

import json
import os
import pty
import subprocess
import sys

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
print(len(MATRICES), "matrices and", len(PLANS), "plans and", len(LAUNCHES), "reports and", len(COMPARISONS), "comparisons are valid")
