#!/usr/bin/env python3
"""Takes the configs of well-known models into the catalogue that ships with gonogo.

usage: record_catalogue.py MODELS OUT DATE

MODELS holds a folder ORG__NAME a model, with its JSON files as published, and SOURCES.tsv (folder, architecture, source).
Only what a source publishes under the repository's own name goes in: a config that was put together, cut, or whose name
somebody guessed would answer for a model that it may not be. DATE says when the source was read (YYYY-MM-DD).
"""

import json
import os
import re
import sys

MODELS, OUT, DATE = sys.argv[1:]
MOST = 128 << 10  # bytes of one model: reading it must cost a check well under a millisecond


def source_of(folder, text):
    """The source in a few words, or None where it does not name this repository."""
    found = re.fullmatch(r"PyPI (\S+?)==(\S+) wheel: \S*/" + re.escape(folder.replace("__", "--", 1)) + r"_config\.json.*", text)
    return found and f"{found[1]} {found[2]}"


taken = skipped = 0
os.makedirs(OUT, exist_ok=True)
for line in open(f"{MODELS}/SOURCES.tsv", encoding="utf-8").read().splitlines()[1:]:
    folder, _, text = line.split("\t")[:3]
    source = source_of(folder, text)
    files = {name: json.load(open(f"{MODELS}/{folder}/{name}")) for name in sorted(os.listdir(f"{MODELS}/{folder}"))}
    size = len(json.dumps(files))
    if source is None or size > MOST:
        skipped += 1
        print(f"left out: {folder} ({'the source does not name it' if source is None else f'{size} bytes'})", file=sys.stderr)
        continue
    rows = ",\n".join(
        f"{json.dumps(name)}: {{\n" + ",\n".join(f" {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + "\n}"
        for name, value in files.items())
    with open(f"{OUT}/{folder}.json", "w", encoding="utf-8") as out:
        out.write(f'{{"model": {json.dumps(folder.replace("__", "/", 1))}, "source": {json.dumps(source)}, "date": "{DATE}", "files": {{\n{rows}\n}}}}\n')
    taken += 1
print(f"{taken} models taken, {skipped} left out")
