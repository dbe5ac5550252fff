"""Runs checks in every format and holds the formats to two things: each is valid by its schema, and all carry the same
findings. Planted secrets appear in none.

usage: formats_check.py GONOGO SOURCE_DIR
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as ET

import jsonschema

gonogo, source = sys.argv[1:]
models = source + "/testdata/models/"
FLASH = ["--model-config", models + "XiaomiMiMo__MiMo-V2-Flash"]
SARIF = jsonschema.Draft4Validator(json.load(open(source + "/testdata/schemas/sarif-2.1.0.json")))
XMLLINT = shutil.which("xmllint")
FORMATS = ["text", "json", "jsonl", "sarif", "junit", "github", "markdown"]

MODEL = models + "Qwen__Qwen3-235B-A22B-FP8"
HOSTILE = "a|b<c>&`d` %0A::error::x, [e](f) \\ *g*"
POD = """apiVersion: v1
kind: Pod
spec:
  nodeSelector: {nvidia.com/gpu.product: NVIDIA-B200}
  containers:
  - image: x/sglang:v0.5.23
    resources: {limits: {nvidia.com/gpu: 8}}
    env: [{name: HF_TOKEN, value: planted-4}]
    command: [python3, -m, sglang.launch_server, --model-path, %s, %s]
"""
FILES = {
    "good.yaml": POD % (MODEL, "--tp, '8', --api-key, planted-1"),
    "bad.yaml": POD % (MODEL, "--tp, '8', --page-size, x, --api-key=planted-2"),
    "hostile.yaml": POD % (MODEL, json.dumps(HOSTILE)),
    "open.yaml": POD % (MODEL, "--tp, $(TP), --moe-a2a-backend, deepep"),
    "sub dir/launch,1:2.sh": "python -m sglang.launch_server --model-path " + MODEL + " \\\n  --tp 8 --tpp 1\n",
    "ignored.sh": "# gonogo: ignore=argparse reason=\"a fork's\" until=2030-01-01\npython -m sglang.launch_server --model-path "
    + MODEL + " --tp 8 --nope 1\n# gonogo: ignore=unread reason=old until=2020-01-01\n# gonogo: ignore=unread\n",
    "policy.yaml": "severity: {build/runner-no-path: warning, policy/expired-ignore: note}\n"
    "ignore:\n- {rule: unread, reason: 'a|b *c* '}\n- {rule: argparse, file: bad.yaml, reason: \"it's <known>\"}\n",
    "warned.sh": "python -m sglang.launch_server --model-path /m --tp 4\n",
    "old.yaml": (POD % (MODEL, "--tp, '8'")).replace("v0.5.23", "v0.4.1"),
}
# Options, and the launch behind -- or the files.
RUNS = [
    (["--gpu", "b200x8", *FLASH, "--sglang", "0.5.21"], ["--model-path", "/m", "--tp", "8", "--moe-a2a-backend", "deepep"], 1),
    (["--gpu", "b200x8", *FLASH], ["--model-path", "/m", "--tp", "8", "--api-key", "planted-5"], 0),
    (["--gpu", "h200x8", "--model-config", models + "nvidia__MiniMax-M2.7-NVFP4", "--fail-on", "warning"],
     ["--model-path", "/m", "--tp", "4"], 1),
    (["--gpu", "b200x8"], ["--model-path", "/m", "--api-key=planted-6"], 0),
    (["--gpu", "b200x8", "--strict"], ["--model-path", "/m"], 3),
    (["--gpu", "b200x8", *FLASH], ["--model-path", "/m", "--tpp", HOSTILE, "--page-size", "x"], 1),
    ([], sorted(FILES), 1),
    ([], ["good.yaml"], 0),
    ([], ["broken.yaml", "good.yaml"], 2),
    ([], ["none.yaml"], 0),
    (["--policy", "policy.yaml", "--gpu", "b200x8", *FLASH, "--sglang", "0.5.21"],
     ["--model-path", "/m", "--tp", "8", "--moe-a2a-backend", "deepep"], 0),
    (["--policy", "policy.yaml"], ["bad.yaml", "ignored.sh", "sub dir/launch,1:2.sh"], 1),
    (["--policy", "policy.yaml", "--fail-on", "warning"], ["bad.yaml"], 1),
    (["--gpu", "h200", "--model-config", models + "nvidia__MiniMax-M2.7-NVFP4"], ["warned.sh"], 0),
]


def told(finding):
    """Whether reports for people name a finding: the rule of ReportFinding::told, by what JSON says."""
    return finding["kind"] in ("refusal", "inert") or not finding["behind_refusal"]


def expected(launches, across, errors):
    """(rule, message) of every finding that all formats must carry, how many possible refusals hang on what, what could
    not be read, and the rules of findings that are ignored."""
    found, counts, ignored = [], {}, [f["rule"] for f in across if "suppressed" in f]
    for launch in launches:
        report = launch.get("report")
        if report is None:
            continue
        open_ = {}
        for f in report["findings"]:
            if f["kind"] == "refusal" and not f["certain"]:
                open_[f["depends_on"]] = open_.get(f["depends_on"], 0) + 1
        for f in report["findings"]:
            if told(f) and open_.get(f.get("depends_on"), 0) <= 5:
                found.append((f["rule"], f["message"]))
                ignored += [f["rule"]] * ("suppressed" in f)
        for what in report["missing"]:
            counts[what] = open_.get(what, 0)
    found += [(f["rule"], f["message"]) for f in across]
    return sorted(found), counts, sorted(e["what"] for e in errors), sorted(ignored)


def of_sarif(text):
    log = json.loads(text)
    SARIF.validate(log)
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    found, prints, ignored = [], [], []
    for rule in rules:
        for key in ("shortDescription", "fullDescription", "help"):
            assert 0 < len(rule[key]["text"]) <= 1024, rule
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        places = [l["physicalLocation"] for l in result["locations"]]
        flows = result.get("codeFlows", [])
        places += [s["location"]["physicalLocation"] for c in flows for t in c["threadFlows"] for s in t["locations"]]
        for place in places:
            region = place["region"]
            assert region["startLine"] > 0 and region["startColumn"] > 0, region
            assert (region["endLine"], region["endColumn"]) > (region["startLine"], region["startColumn"]), region
            assert " " not in place["artifactLocation"]["uri"]
        prints.append(result["partialFingerprints"]["primaryLocationLineHash"])
        ignored += [result["ruleId"]] * len(result["suppressions"])
        if result["ruleId"] != "argparse" and result["kind"] == "fail" and not result["ruleId"].startswith("policy/"):
            assert flows, result
        found.append((result["ruleId"], result["message"]["text"].split("\n")[0]))
    assert len(set(prints)) == len(prints)
    SUPPRESSED["sarif"] = sorted(ignored)
    notes = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    return found, "\n".join(notes)


def of_junit(text):
    root = ET.fromstring(text)
    ignored = []
    if XMLLINT:
        schema = source + "/testdata/schemas/junit-10.xsd"
        ran = subprocess.run([XMLLINT, "--noout", "--schema", schema, "-"], input=text.encode(), capture_output=True)
        assert ran.returncode == 0, ran.stderr.decode()
    found = []
    for suite in root:
        cases = suite.findall("testcase")
        assert len(cases) == int(suite.get("tests")) > 0
        for kind, name in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(kind)) == len(suite.findall("testcase/" + name))
        found += [(c.get("classname"), c.get("name")) for c in cases if not c.get("classname").startswith("gonogo")]
        ignored += [c.get("classname") for c in cases if "\nignored by " in "".join(c.itertext())]
    SUPPRESSED["junit"] = sorted(ignored)
    for total, name in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        assert int(root.get(total)) == len(root.findall(".//" + name)), total
    return found, "".join(root.itertext()) + " ".join(n.get("message") or "" for n in root.iter())


def of_github(text):
    found, rest, ignored = [], [], []
    for line in text.splitlines():
        command = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert command or not line.startswith("::"), line
        if not command:
            rest.append(line)
            continue
        properties = dict(p.split("=", 1) for p in command[2].split(","))
        title = urllib.parse.unquote(properties["title"])
        message = urllib.parse.unquote(command[3])
        if properties.get("file"):
            assert os.path.exists(urllib.parse.unquote(properties["file"])), line
        rule = title.split(" ")[-1]
        if rule in ("GO", "NO-GO", "UNKNOWN", "this"):
            rest.append(message)
        else:
            found.append((rule, message.split("\n")[0]))
            ignored += [rule] * title.startswith("gonogo ignored")
    SUPPRESSED["github"] = sorted(ignored)
    return found, "\n".join(rest)


def of_markdown(text):
    found, rest, ignored = [], [], []
    for line in text.splitlines():
        cells = re.split(r"(?<!\\)\|", line)
        if not line.startswith("| ") or line.startswith(("| what", "| ---")):
            rest.append(re.sub(r"\\(.)", r"\1", line))
            continue
        assert len(cells) == 7, line
        message = re.sub(r"\\(.)", r"\1", cells[5].strip().split("<br>")[0])
        found.append((cells[3].strip().strip("`"), message))
        ignored += [found[-1][0]] * (cells[1].strip() == "ignored")
    SUPPRESSED["markdown"] = sorted(ignored)
    return found, "\n".join(rest)


SUPPRESSED = {}  # by format, of the last report: the rules of findings that are ignored
PARSERS = {"sarif": of_sarif, "junit": of_junit, "github": of_github, "markdown": of_markdown}


def squeezed(text):
    return re.sub(r"\s+", " ", text)


def run(options, what, format_, env=None):
    command = ["--", "python", "-m", "sglang.launch_server", *what] if what[0].startswith("-") else what
    return subprocess.run([gonogo, "check", "--format", format_, *options, *command], capture_output=True, text=True,
                          env={"HOME": "", "PATH": os.environ["PATH"], "GONOGO_TODAY": "2029-01-01", **(env or {})})


folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
for name, text in {**FILES, "broken.yaml": "sglang: [\n", "none.yaml": "x: 1\n"}.items():
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    open(name, "w").write(text)
for options, what, status in RUNS:
    outs = {f: run(options, what, f) for f in FORMATS}
    for f, ran in outs.items():
        assert ran.returncode == status, (f, what, ran.returncode, ran.stdout, ran.stderr)
        assert "planted" not in ran.stdout + ran.stderr, (f, what)
    lines = [json.loads(line) for line in outs["jsonl"].stdout.splitlines()]
    launches = [l for l in lines if "verdict" in l]
    whole = json.loads(outs["json"].stdout)
    if "launches" in whole:
        assert whole["launches"] == launches
        assert whole["across"] == [l["across"] for l in lines if "across" in l]
    else:
        assert [whole] == [l["report"] for l in launches]
    errors = [l["error"] for l in lines if "error" in l]
    found, counts, failed, ignored = expected(launches, whole["across"], errors)
    for f, parse in PARSERS.items():
        got, rest = parse(outs[f].stdout)
        got = sorted((rule, squeezed(message)) for rule, message in got)
        assert got == sorted((r, squeezed(m)) for r, m in found), (f, what, got, found)
        assert SUPPRESSED[f] == ignored, (f, what, SUPPRESSED[f], ignored)
        for what_, count in counts.items():
            hangs = f"{squeezed(what_)} ({count} refusal" if count else squeezed(what_)
            assert hangs in squeezed(rest), (f, what_, count, rest)
        for message in failed:
            assert message in rest, (f, message)
    text = squeezed(outs["text"].stdout)
    for rule, message in found:
        assert f"[{rule}]" in text and squeezed(message) in text, (rule, message, text)
    assert text.count(" ignored by ") == len(ignored), text

# The step summary is the Markdown, added to what other steps wrote.
open("summary.md", "w").write("before\n")
run([], ["bad.yaml"], "github", {"GITHUB_STEP_SUMMARY": "summary.md"})
assert open("summary.md").read() == "before\n" + run([], ["bad.yaml"], "markdown").stdout
ran = run([], ["bad.yaml"], "github", {"GITHUB_STEP_SUMMARY": "/nonexistent/summary"})
assert ran.returncode == 1 and "can't be written" in ran.stderr
print(f"{len(RUNS)} runs, {len(FORMATS)} formats" + ("" if XMLLINT else "; skipped: JUnit's schema, xmllint is not installed"))
