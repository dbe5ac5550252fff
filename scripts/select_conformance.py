#!/usr/bin/env python3
"""Select recorded SGLang answers, and the model configs that they need, for testdata/.

    select_conformance.py RECORDINGS MODELS testdata

RECORDINGS is a folder of resolve-VERSION.jsonl.gz, build-VERSION.jsonl.gz, amd-VERSION.jsonl.gz (launches for AMD GPUs,
answered by an SGLang that was made to believe in ROCm: pretended_rocm.py), seeds.jsonl.gz and rules.jsonl.gz as
scripts/record_sglang.py records them; MODELS a folder of ORG__NAME/config.json with SOURCES.tsv. Written are
testdata/conformance/*.jsonl and testdata/models/. The same input gives the same output: nothing is drawn at random.
A file that is not in the folder stays as it is. seeds and rules (launches made to reach one rule each, of any version)
are kept whole.

Half of a file is a fair sample (by a hash of the case's id, group by group); the other half is chosen for what it adds:
a refusal, a flag, a GPU, a model or a pass that no chosen case has shown. So the agreement over these files is a
ratchet for the tests; it is no estimate for launches in general.

Kept of an answer, a line each:
  id, sglang, gpu, gpus (where it is not 8), model | config, files, argv, env   the case
  ok, error.check                     how parsing and resolution ended, and where a refusal came from
  set                                 the fields that resolution changed
  by                                  {upstream pass: [fields of `set` that it declared last]}
  env_set                             environment variables that resolution set
  checked                             how the launch check after resolution ended
  build                               built, experts [[class, method, runner]], dispatchers, weight_bytes, error.check, harness
Messages and warnings are upstream's words and stay out.
"""

import argparse
import collections
import gzip
import hashlib
import heapq
import json
import os
import re
import sys

MAX_LINE = 16 << 10        # a case whose line is longer is left out
MAX_MODEL = 80 << 10       # and so is a model with a quantisation map of every layer
MODEL_FILES = ("config.json", "hf_quant_config.json")
RANDOM = re.compile(r'"[0-9a-f]{32}"')  # an identifier drawn at resolution: no answer can equal it
EXPERTS = ("FusedMoE", "DeepEPMoE", "FlashInfer", "MoE")
COUNTS = {"resolve-0.5.23": 640, "resolve-0.5.22": 120, "resolve-0.5.21": 120, "build-0.5.23": 120, "amd-0.5.23": 140,
          "amd-0.5.22": 40, "amd-0.5.21": 40, "seeds": None, "rules": None}


def group(case):
    name = case["id"]
    return name.split(":")[0] if ":" in name else name.rsplit("-", 2)[0]


def rank(case):
    return hashlib.sha256(case["id"].encode()).hexdigest()


def trimmed(e, version, resolved):
    """The line that is kept. `resolved`: with what resolution set, or only how it ended."""
    out = {"id": e["id"], "sglang": e.get("sglang", version), "gpu": e["gpu"]}
    if e.get("gpus", 8) != 8:
        out["gpus"] = e["gpus"]
    for key in ("model", "config", "files", "argv", "env"):
        if e.get(key):
            out[key] = e[key]
    out["ok"] = e["ok"]
    if not e["ok"]:
        out["error"] = {"check": e["error"]["check"]}
    elif resolved:
        last = {}
        for name, fields in e["declared"]:
            for field in fields:
                last[field] = name
        by = collections.defaultdict(list)
        for field in e["set"]:
            if field in last:
                by[last[field]].append(field)
        out.update(set=e["set"], by=by, env_set=e.get("env_set") or {})
    if e.get("ok") and "checked" in e:
        c = e["checked"]
        out["checked"] = {"ok": True} if c["ok"] else {"ok": False, "error": {"check": c["error"]["check"]}}
    if "build" in e:
        b = e["build"]
        if b.get("harness"):
            out["build"] = {"harness": True}
        elif b["built"]:
            rows = sorted((row for row in b["layers"] if any(k in row[0] for k in EXPERTS)), key=dump)
            out["build"] = {"built": True, "experts": rows, "dispatchers": sorted(b["dispatchers"]),
                            "weight_bytes": b["weight_bytes"]}
        else:
            out["build"] = {"built": False, "error": {"check": b["error"]["check"]}}
    return out


def features(case):
    yield "gpu", case["gpu"], 1
    yield "model", case.get("model"), 2
    if not case["ok"]:
        yield "refusal", case["error"]["check"], 8
    if "checked" in case and not case["checked"]["ok"]:
        yield "checked", case["checked"]["error"]["check"], 8
    build = case.get("build", {})
    if build:
        yield "build", json.dumps([build.get("error"), build.get("experts"), build.get("dispatchers")]), 6
    for word in case["argv"]:
        if word.startswith("--"):
            yield "flag", word.split("=")[0], 1
    for name, fields in case.get("by", {}).items():
        for field in fields:
            yield "pass", (name, field), 2
    for name in case.get("env_set", {}):
        yield "env", name, 2


def gain(case, seen):
    return sum(weight for kind, what, weight in features(case) if (kind, what) not in seen)


def select(cases, count):
    """`count` of the cases: half by hash within their groups, half by what they add. In the order of their ids."""
    cases = sorted(cases, key=rank)
    if len(cases) <= count:
        return sorted(cases, key=lambda c: c["id"])
    groups = collections.defaultdict(list)
    for c in cases:
        groups[group(c)].append(c)
    chosen = []
    for members in groups.values():  # equal shares, so that a small group is not lost in a large one
        chosen += members[:max(1, count // 2 // len(groups))]
    taken = {c["id"] for c in chosen}
    seen = {(kind, what) for c in chosen for kind, what, _ in features(c)}
    # What a case adds only shrinks as others are chosen, so the best is found without asking all of them again.
    heap = [(-gain(c, seen), i) for i, c in enumerate(cases) if c["id"] not in taken]
    heapq.heapify(heap)
    while len(chosen) < count and heap:
        _, i = heapq.heappop(heap)
        now = -gain(cases[i], seen)
        if heap and (now, i) > heap[0]:
            heapq.heappush(heap, (now, i))
            continue
        chosen.append(cases[i])
        seen.update((kind, what) for kind, what, _ in features(cases[i]))
    return sorted(chosen, key=lambda c: c["id"])


def read(path):
    with (gzip.open(path, "rt") if path.endswith(".gz") else open(path)) as f:
        return [json.loads(line) for line in f if line.strip()]


def small_models(folder):
    """Names of the models whose files are small enough to ship."""
    out = set()
    for name in os.listdir(folder):
        sizes = [os.path.getsize(p) for p in (os.path.join(folder, name, f) for f in MODEL_FILES) if os.path.exists(p)]
        if sizes and sum(sizes) <= MAX_MODEL:
            out.add(name)
    return out


def dump(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def layout(value, indent=""):
    """JSON with one key a line, lists of plain values on one line."""
    if isinstance(value, dict) and value:
        inner = indent + " "
        return "{\n" + ",\n".join("%s%s: %s" % (inner, json.dumps(k), layout(v, inner)) for k, v in value.items()) + "\n" + indent + "}"
    return json.dumps(value)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("recordings")
    p.add_argument("models")
    p.add_argument("testdata")
    o = p.parse_args()
    models = small_models(o.models)
    target = os.path.join(o.testdata, "conformance")
    os.makedirs(target, exist_ok=True)
    needed, total = set(), 0
    for name, count in COUNTS.items():
        version = name.split("-")[-1]
        source = os.path.join(o.recordings, name + ".jsonl.gz")
        if not os.path.exists(source):
            kept = os.path.join(target, name + ".jsonl")
            needed |= {r["model"] for r in read(kept) if "model" in r} if os.path.exists(kept) else set()
            continue
        rows = [trimmed(e, version, resolved=not name.startswith("build"))
                for e in read(source)]
        if name == "rules":
            rows = [r for r in rows if r.get("model") in models | {None} and len(dump(r)) <= MAX_LINE]
        if count is not None:
            rows = [r for r in rows if r.get("model") in models | {None} and len(dump(r)) <= MAX_LINE
                    and not RANDOM.search(dump(r.get("set", {})))]
            if name.startswith("build"):
                rows = [r for r in rows if "build" in r and "harness" not in r["build"]]
            rows = select(rows, count)
        text = "".join(dump(r) + "\n" for r in rows)
        with open(os.path.join(target, name + ".jsonl"), "w") as f:
            f.write(text)
        total += len(text.encode())
        needed |= {r["model"] for r in rows if "model" in r}
        sys.stderr.write("%-16s %4d cases, %4d refused by %d checks\n" % (
            name, len(rows), sum(not r["ok"] for r in rows), len({r["error"]["check"] for r in rows if not r["ok"]})))
    sys.stderr.write("conformance: %.2f MB\n" % (total / 1e6))

    target, size = os.path.join(o.testdata, "models"), 0
    os.makedirs(target, exist_ok=True)
    for name in sorted(needed):
        os.makedirs(os.path.join(target, name), exist_ok=True)
        for file in MODEL_FILES:
            source = os.path.join(o.models, name, file)
            if not os.path.exists(source):
                continue
            with open(source) as f:
                content = json.load(f)
            if str(content.get("_name_or_path", "")).startswith("/"):
                del content["_name_or_path"]  # a folder on its author's machine
            text = layout(content) + "\n"
            with open(os.path.join(target, name, file), "w") as f:
                f.write(text)
            size += len(text.encode())
    with open(os.path.join(o.models, "SOURCES.tsv")) as f:
        head, *sources = f.read().splitlines()
    with open(os.path.join(target, "SOURCES.tsv"), "w") as f:
        f.write("\n".join([head] + [s for s in sources if s.split("\t")[0] in needed]) + "\n")
    missing = needed - {s.split("\t")[0] for s in sources}
    if missing:
        sys.exit("no source for " + ", ".join(sorted(missing)))
    sys.stderr.write("models: %d, %.2f MB\n" % (len(needed), size / 1e6))


main()
