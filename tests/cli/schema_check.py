"""Validates the JSON reports of a few launches, one of each verdict and form, against docs/report.schema.json.

usage: schema_check.py GONOGO SOURCE_DIR
"""

import json
import subprocess
import sys

import jsonschema

gonogo, source = sys.argv[1:]
schema = json.load(open(source + "/docs/report.schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
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
print(len(LAUNCHES), "reports are valid")
