#!/usr/bin/env python3
"""Find for each rule a launch that makes it act, and the closest launch that does not.

    rule_examples.py GONOGO testdata [CASES...]

CASES are files of cases (.jsonl or .jsonl.gz, the version in the name or in each case), read after those of
testdata/conformance and those that were examples before, so that after a change of rules it can be run without them.
Only cases count whose model is in testdata/models or written inline, and that gonogo ends as the recording does. A case
without an answer (no "ok") is taken as it is, where no recorded one makes the rule act: for what no recording can reach,
such as rules about loading weights, other vendors' GPUs, plugins and InfiniBand devices. It carries "recorded": false.
Written is testdata/rule_examples.jsonl, a line a rule:

    {"rule": id, "fires": case, "rests": case}

Cases are as in testdata/conformance, without the answers. `rests` is missing where every case of a version that has the
rule makes it act. Closest means the fewest differences: arguments and variables first of all, then the GPU, the model
and the version. The same input gives the same output.

A rule that lacks either must stand in testdata/rule_exceptions.jsonl, {"rule": id, "lacks": "fires" | "rests",
"because": why}: those that do not yet are added with the reason "not looked for", of which a test allows few, and those
that are no longer needed are dropped.
"""

import argparse
import collections
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

CASE_KEYS = ("gpu", "gpus", "model", "config", "files", "argv", "env", "host")
UNSOUGHT = "not looked for"
MAX_LINE = 8 << 10      # a longer case is no example
WRITTEN = ("ignored_flags.jsonl", "late_refusals.jsonl")  # pairs that people wrote
MAX_FIRING = 24         # how many of the cases that make a rule act are looked at, the shortest first
WEIGHTS = {"gpu": 3, "gpus": 2, "model": 6, "sglang": 30}  # of a difference; 1 for an argument or variable, or its value


def dump(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def read(path, models, newest):
    """The cases of a file that can be examples, with the end that was recorded."""
    version = re.search(r"\d+\.\d+\.\d+", os.path.basename(path))
    with (gzip.open(path, "rt") if path.endswith(".gz") else open(path)) as f:
        for line in f:
            e = json.loads(line)
            build = e.get("build") or {}
            if e.get("model") is not None and e["model"] not in models:
                continue
            if "config" in e and "model" in e:
                continue
            case = {"id": e["id"], "sglang": e.get("sglang") or (version.group(0) if version else newest)}
            case.update((k, e[k]) for k in CASE_KEYS if e.get(k) and (k, e[k]) != ("gpus", 8))
            if "ok" not in e:
                case["recorded"] = False
            if len(dump(case)) <= MAX_LINE:
                if "ok" not in e:
                    yield case, None
                    continue
                built = None if not build or build.get("harness") else build["built"]
                yield case, (e["ok"], built)


def former(path, models):
    """The cases that were examples before; how they ended was compared then."""
    if os.path.exists(path):
        with open(path) as f:
            for row in map(json.loads, f):
                for key in ("fires", "rests"):
                    if key in row and row[key].get("model", None) in models | {None}:
                        yield row[key], None


def agrees(answer, ends):
    if ends is None:
        return "error" not in answer
    ok, built = ends
    if "error" in answer or answer["resolve"]["ok"] != ok:
        return False
    return built is None or not ok or answer.get("build", {}).get("built") == built


def features(case):
    """What two cases may differ in, each with its weight."""
    out = {("sglang", case["sglang"]): WEIGHTS["sglang"], ("gpu", case["gpu"]): WEIGHTS["gpu"], ("gpus", case.get("gpus", 8)): WEIGHTS["gpus"]}
    model = case.get("model")
    if model is not None:
        out["model", model] = WEIGHTS["model"]
    for key, value in (case.get("config") or {}).items():
        out["config", key, dump(value)] = 1
    for key, value in (case.get("files") or {}).items():
        out["file", key, dump(value)] = 1
    for key, value in (case.get("host") or {}).items():
        out["host", key, dump(value)] = 1
    for key, value in (case.get("env") or {}).items():
        out["env", key] = 1
        out["env", key, value] = 1
    flag, nth = None, 0
    for word in case["argv"]:
        word = str(word)
        if word.startswith("--"):
            flag, _, value = word.partition("=")
            nth = 0
            out["flag", flag] = 1
            if value:
                out["value", flag, 0, value] = 1
        else:
            out["value", flag, nth, word] = 1
            nth += 1
    return out


class Distances:
    """How far other cases are from one, the nearest first."""

    def __init__(self, cases):
        self.features = [features(c) for c in cases]
        self.sums = [sum(f.values()) for f in self.features]
        self.length = [len(dump(c)) for c in cases]
        self.holders = collections.defaultdict(list)
        for i, f in enumerate(self.features):
            for key in f:
                self.holders[key].append(i)
        self.known = {}

    def nearest(self, i):
        if i not in self.known:
            shared = [0] * len(self.sums)
            for key, weight in self.features[i].items():
                for j in self.holders[key]:
                    shared[j] += weight
            away = [self.sums[i] + s - 2 * h for s, h in zip(self.sums, shared)]
            order = sorted(range(len(away)), key=lambda j: (away[j], self.length[j], j))
            self.known[i] = order, away
        return self.known[i]


def coverage(gonogo, models, lines):
    """For each rule its versions and the numbers of the cases in which it acts."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cases.jsonl")
        with open(path, "w") as f:
            f.write("".join(line + "\n" for line in lines))
        command = [gonogo, "rules", "coverage", path, "--models", models, "--cases", str(len(lines)), "--format", "json"]
        report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    out = {}
    for rule in report["by_rule"]:
        versions, cases = out.setdefault(rule["id"], (set(), set()))
        versions.update(rule["versions"])
        cases.update(int(c.rsplit(":", 1)[1]) - 1 for c in rule["cases"])
    return out


def exceptions(path, rules, rows):
    """Brings the list of rules without examples up to date, and keeps the reasons that people wrote."""
    reasons = {}
    if os.path.exists(path):
        with open(path) as f:
            reasons = {(e["rule"], e["lacks"]): e["because"] for e in map(json.loads, f)}
    with_rest = {row["rule"]: "rests" in row for row in rows}
    for name in WRITTEN:
        with open(os.path.join(os.path.dirname(path), name)) as f:
            with_rest.update((e["rule"], True) for e in map(json.loads, f) if "rests" in e)
    with open(path, "w") as f:
        for rule in sorted(rules):
            lacks = None if with_rest.get(rule) else "rests" if rule in with_rest else "fires"
            if lacks:
                f.write(dump({"rule": rule, "lacks": lacks, "because": reasons.get((rule, lacks), UNSOUGHT)}) + "\n")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("gonogo")
    p.add_argument("testdata")
    p.add_argument("cases", nargs="*")
    o = p.parse_args()
    folder = os.path.join(o.testdata, "models")
    models = set(os.listdir(folder))
    newest = subprocess.run([o.gonogo, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[-1]

    target = os.path.join(o.testdata, "rule_examples.jsonl")
    sources = [read(path, models, newest) for path in sorted(glob.glob(os.path.join(o.testdata, "conformance", "*.jsonl")))]
    sources.append(former(target, models))
    sources += [read(path, models, newest) for path in sorted(o.cases)]
    cases, ends, seen = [], [], set()
    for source in sources:
        for case, end in source:
            key = dump({k: v for k, v in case.items() if k not in ("id", "recorded")})
            if key not in seen:
                seen.add(key)
                cases.append(case)
                ends.append(end)
    text = "".join(dump(c) + "\n" for c in cases)
    answers = subprocess.run([o.gonogo, "batch", "--models", folder], input=text, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    cases = [case for case, line, end in zip(cases, answers, ends) if agrees(json.loads(line), end)]
    cases.sort(key=lambda c: (len(dump(c)), dump(c)))  # ties must not hang on where a case was found
    lines = [dump(c) for c in cases]
    rules = coverage(o.gonogo, folder, lines)
    distances = Distances(cases)

    rows, alone, never = [], 0, 0
    for rule, (versions, acting) in sorted(rules.items()):
        if not acting:
            never += 1
            continue
        best = None
        recorded = [i for i in acting if cases[i].get("recorded", True)]
        acting_best = sorted(recorded or acting, key=lambda i: (len(lines[i]), i))[:MAX_FIRING]
        for i in acting_best:
            order, away = distances.nearest(i)
            rests = next((j for j in order if j not in acting and cases[j]["sglang"] in versions), None)
            if rests is not None and (best is None or (away[rests], len(lines[i]), i) < best[0]):
                best = (away[rests], len(lines[i]), i), i, rests
        if best is None:
            alone += 1
            rows.append({"rule": rule, "fires": cases[acting_best[0]]})
        else:
            rows.append({"rule": rule, "fires": cases[best[1]], "rests": cases[best[2]]})
    with open(target, "w") as f:
        f.write("".join(dump(row) + "\n" for row in rows))
    exceptions(os.path.join(o.testdata, "rule_exceptions.jsonl"), rules, rows)
    sys.stderr.write("%d rules, %d cases: %d rules with both, %d that act in every case, %d without an example\n" % (
        len(rules), len(cases), len(rows) - alone, alone, never))


if __name__ == "__main__":
    main()
