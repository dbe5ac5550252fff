#!/usr/bin/env python3
"""How often `gonogo doctor` names the rule that refused, by the log alone: writes each recorded refusal as the traceback
that a server would print, and compares the first rule with the one that refuses the launch in `gonogo batch`.

usage: check_doctor.py GONOGO CASES MODELS [VERSION]
"""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

gonogo, cases, models = sys.argv[1:4]
version = sys.argv[4] if len(sys.argv) > 4 else ""
recorded = [json.loads(line) for line in open(cases)]
for case in recorded:
    if version:
        case["sglang"] = version
ran = subprocess.run([gonogo, "batch", "--models", models], input="".join(json.dumps(c) + "\n" for c in recorded), capture_output=True, text=True)
answers = [json.loads(line) for line in ran.stdout.splitlines()]


def refusals():
    for case, answer in zip(recorded, answers):
        build = case.get("build") if isinstance(case.get("build"), dict) else {}
        parts = {"resolve": case, "checked": case.get("checked") or {}, "build": {} if build.get("harness") else build}
        for part, record in parts.items():
            error, mine = record.get("error"), (answer.get(part) or {}).get("error")
            if error and mine and error["check"] == mine["check"] != "argparse":
                yield case, error, mine["rule"]


def log_of(error):
    out = "Traceback (most recent call last):\n"
    path = list(error.get("path") or [])
    if path[-1:] != [error["check"]]:
        path.append(error["check"])  # the recording holds some frames only
    for place in path:
        file, function = place.rsplit(".", 1)
        out += f'  File "/opt/python/{file}.py", line 7, in {function}\n    …\n'
    return out + f"{error['type']}: {error['message']}\n"


def named(row):
    case, error, _ = row
    command = [gonogo, "doctor", "--log", "-", "--format", "json", "--sglang", case.get("sglang") or "0.5.23"]
    done = subprocess.run(command, input=log_of(error), capture_output=True, text=True)
    rules = json.loads(done.stdout)["causes"][0]["rules"]
    if not rules:
        return "nothing", ""
    # Rules that split one refusal of upstream's say the same, and nothing in the text tells them apart.
    same = [r["rule"] for r in rules if r["says"] == rules[0]["says"]]
    return (row[2] if row[2] in same else rules[0]["rule"]), rules[0]["confidence"]


rows = list(refusals())
with ThreadPoolExecutor(2) as pool:
    got = list(pool.map(named, rows))
right = sum(rule == row[2] for row, (rule, _) in zip(rows, got))
print(f"{len(rows)} refusals, the first rule is right for {right} ({100 * right / max(len(rows), 1):.2f} %)")
for word in ("certain", "likely", "possible"):
    these = [rule == row[2] for row, (rule, confidence) in zip(rows, got) if confidence == word]
    print(f"  {word}: {len(these)}, right {sum(these)}")
for row, (rule, _) in list((r, g) for r, g in zip(rows, got) if g[0] != r[2])[:15]:
    print(f"  {row[2]} read as {rule}: {row[1]['message'][:90]}")
