#!/usr/bin/env python3
"""Holds every proposed fix to its word: takes the changes that `gonogo batch --fixes` proposes for recorded launches,
makes each to the launch as a user would, and has the whole launch answered again by a new process.

usage: check_fixes.py GONOGO SOURCE CASES MODELS [--version V] [--most-tried N] [--check N] [--show N] [--time N]

Prints, by group of cases, how many launches are refused and how many of them have a fix; then the fixes that do not
reach GO, of which there must be none (exit 1). --most-tried also fails where a search resolved more launches. --check
runs N fixed launches through `gonogo check` as well. --time measures N searches, one by one. --show prints N refused
launches with what is proposed.
"""

import argparse
import collections
import json
import random
import re
import subprocess
import sys
import time

parser = argparse.ArgumentParser()
for name in ("gonogo", "source", "cases", "models"):
    parser.add_argument(name)
parser.add_argument("--version", default="")
for name in ("--most-tried", "--check", "--show", "--time"):
    parser.add_argument(name, type=int, default=0)
options = parser.parse_args()

# The spellings of each field, as the flag table has them.
SPELLINGS = collections.defaultdict(set)
for flags, field in re.findall(r"\{flags: \[([^\]]*)\],\s+field: (\w+)", open(f"{options.source}/rules/sglang/flags.yaml").read()):
    SPELLINGS[field].update(flag.strip() for flag in flags.split(","))
ALL = set().union(*SPELLINGS.values())


def batch(cases, *more):
    command = [options.gonogo, "batch", "--models", options.models, *more]
    ran = subprocess.run(command, input="".join(json.dumps(case) + "\n" for case in cases), capture_output=True, text=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def is_flag(word):
    return word.startswith("--")


def dropped(argv, flag):
    """argv without the flag, however it is spelt or abbreviated, and its values."""
    names = next((names for names in SPELLINGS.values() if flag in names), {flag})
    out, at = [], 0
    while at < len(argv):
        word = argv[at].split("=", 1)[0]
        meant = {word} if word in ALL else {name for name in ALL if is_flag(word) and name.startswith(word)}
        at += 1
        if not (meant and meant <= names):
            out.append(argv[at - 1])
            continue
        while at < len(argv) and not is_flag(argv[at]):
            at += 1
    return out


def typed(flag, value):
    if value is True:
        return [flag]
    if value is False:
        return ["--no-" + flag[2:]]
    if isinstance(value, list):
        return [flag, *map(text, value)]
    return [flag, text(value)]


def text(value):
    return value if isinstance(value, str) else repr(value) if isinstance(value, float) else json.dumps(value)


def applied(case, fix):
    case = {key: case[key] for key in ("id", "gpu", "gpus", "model", "config", "files", "argv", "env", "sglang") if key in case}
    edits = [(c["word"], c["words"], c["by"]) for c in fix["changes"] if "replace" in c]
    case["argv"] = mended(case["argv"], edits)
    for change in fix["changes"]:
        if "version" in change:
            case["sglang"] = change["version"]
        elif "env" in change:
            case["env"] = {k: v for k, v in (case.get("env") or {}).items() if k != change["env"]}
            if change["value"] is not None:
                case["env"][change["env"]] = change["value"]
        elif "replace" in change:
            continue
        else:
            argv = dropped(case["argv"], change["flag"])
            case["argv"] = argv + (typed(change["flag"], change["value"]) if change["value"] is not None else [])
    return case


def mended(argv, edits):
    for at, count, by in sorted(edits, reverse=True):
        old = argv[at]
        if by and "=" in old and "=" not in by[-1] and is_flag(by[-1]):
            by = [*by[:-1], by[-1] + old[old.index("="):]]
        argv = argv[:at] + by + argv[at + count:]
    return argv


cases = [json.loads(line) for line in open(options.cases)]
for case in cases:
    if options.version:
        case["sglang"] = options.version
by_id = dict(enumerate(cases))
found = batch(cases, "--fixes")
groups, fixed, tried = collections.Counter(), collections.Counter(), []
again, origin, refused = [], [], []
for index, answer in enumerate(found):
    if answer.get("verdict") != "no-go":
        continue
    group = re.split(r"[-:/]", str(answer["id"]))[0]
    groups[group] += 1
    tried.append(answer["tried"])
    refused.append(index)
    fixes = [fix for fix in answer["fixes"] if fix["reaches_go"]]
    fixed[group] += bool(fixes)
    for fix in fixes:
        again.append(applied(cases[index], fix))
        origin.append((index, fix))
wrong = 0
for (index, fix), case, answer in zip(origin, again, batch(again) if again else []):
    if answer.get("verdict") != "go":
        wrong += 1
        print("NOT GO", cases[index]["id"], "|", fix["change"], "|", answer.get("verdict"), json.dumps(case["argv"]))
total = sum(groups.values())
tried.sort()
print(f"{total} refused, {sum(fixed.values())} with a fix ({100 * sum(fixed.values()) / max(total, 1):.1f} %), {len(again)} fixes,"
      f" {wrong} of them not GO; launches resolved for one: at most {tried[-1] if tried else 0},"
      f" 99 % within {tried[len(tried) * 99 // 100] if tried else 0}; cut: {sum(found[i]['cut'] for i in refused)}")
print("  " + ", ".join(f"{g} {fixed[g]}/{groups[g]}" for g in sorted(groups)))

if options.check:
    sample = random.Random(1).sample(range(len(again)), min(options.check, len(again)))
    bad = 0
    for i in sample:
        case = again[i]
        if "model" not in case:
            continue
        command = [options.gonogo, "check", "--gpu", f"{case.get('gpu', 'b200')}x{case.get('gpus', 8)}", "--format", "json"]
        command += ["--sglang", case.get("sglang", "0.5.23"), "--model-config", f"{options.models}/{case['model']}", "--", "env", "-i"]
        command += [f"{k}={v}" for k, v in (case.get("env") or {}).items()]
        command += ["python", "-m", "sglang.launch_server", *(w.replace("$MODEL", f"{options.models}/{case['model']}") for w in case["argv"])]
        ran = subprocess.run(command, capture_output=True, text=True)
        verdict = json.loads(ran.stdout)["verdict"] if ran.returncode in (0, 1, 3) else ran.stderr
        if verdict == "NO-GO":
            bad += 1
            print("NOT GO in check", case["id"], origin[i][1]["change"], json.dumps(case["argv"]))
    print(f"gonogo check: {len(sample)} fixed launches, {bad} NO-GO")
    wrong += bad

if options.time:
    # By processor time of the one process, so that other work on the machine does not count.
    process = subprocess.Popen([options.gonogo, "batch", "--models", options.models, "--fixes"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, bufsize=1)

    def used():
        return int(open(f"/proc/{process.pid}/schedstat").read().split()[0]) / 1e6

    times = []
    for index in sorted(refused, key=lambda i: -found[i]["tried"])[:options.time]:
        before = used()
        process.stdin.write(json.dumps(cases[index]) + "\n")
        process.stdin.flush()
        process.stdout.readline()
        times.append((used() - before, cases[index]["id"]))
    process.stdin.close()
    process.wait()
    times.sort()
    if times:
        print(f"processor ms of the {len(times)} largest searches: at most {times[-1][0]:.0f} ({times[-1][1]}),"
              f" 99 % within {times[len(times) * 99 // 100][0]:.0f}, median {times[len(times) // 2][0]:.0f}")

for index in random.Random(options.show).sample(refused, min(options.show, len(refused))):
    case, answer = cases[index], found[index]
    first = next(f for f in answer["findings"] if f["kind"] == "fail")
    print(f"## {case['id']} {case.get('gpu')} {case.get('model')} {' '.join(case['argv'][2:])} {case.get('env') or ''}")
    print(f"   {first['rule']} | {first['message'][:220]}")
    for fix in answer["fixes"]:
        print("     ", "+ " + fix["change"] if fix["reaches_go"] else f"not enough: {fix['change']} ({fix.get('then_refused_by')})")

if options.most_tried and tried and tried[-1] > options.most_tried:
    print(f"more than {options.most_tried} launches were resolved for one search")
    wrong += 1
sys.exit(1 if wrong else 0)
