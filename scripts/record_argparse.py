#!/usr/bin/env python3
"""Record what Python's argparse makes of command lines on the pack's flag table.

    record_argparse.py rules/sglang/flags.yaml testdata/argparse          (Python 3.11 with PyYAML)

Writes cases.jsonl, one command line a row: {"version", "argv", "values": {field: value typed}} or
{"version", "argv", "error": kind, "word": the first word that belongs to nothing}; and yaml.jsonl, one bare YAML word a
row: {"text", "value", "str"}, as PyYAML's safe_load types it and as str() prints it for a file of arguments.
The parser is built from flags.yaml; with --runtime it is the installed SGLang's own, which shows that the table is right:

    record_argparse.py --runtime 0.5.23 rules/sglang/flags.yaml other

Three things are refused here that Python would take, since gonogo refuses them: whole numbers of more than 64 bits, a
key that stands twice in a JSON object, and numbers beyond a double's range inside JSON.
"""

import argparse
import contextlib
import io
import json
import os
import random
import re
import sys
from decimal import Decimal

import yaml

SEED = 20230
FLAG_CASES = 460  # random command lines, beside the ones written by hand


# --- the parser, from the table ------------------------------------------------------------------------------------------


def whole(text):
    value = int(text)
    if not -(2**63) <= value < 2**63:
        raise ValueError("more than 64 bits")
    return value


def human_int(text):
    text = text.strip()
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(Ki|Mi|Gi|Ti|k|M|G|T)", text)
    if not found:
        return whole(text)
    number, suffix = found.groups()
    power = "kMGT".index(suffix[0].lower() if suffix[0] in "kK" else suffix[0]) + 1
    if suffix.endswith("i"):
        if "." in number:
            raise argparse.ArgumentTypeError("a fraction before a binary suffix")
        return whole(int(number) * 1024**power)
    return whole(Decimal(number) * 1000**power)


def nullable_str(text):
    return None if text in ("", "None") else text


def no_duplicates(pairs):
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a key stands twice")
    return out


def json_text(text):
    return json.loads(text, object_pairs_hook=no_duplicates)


def shaped(shape):
    def convert(text):
        value = json_text(text)
        if not isinstance(value, dict):
            raise ValueError("no object")
        for key, inner in value.items():
            if key not in shape or not isinstance(inner, dict):
                raise ValueError("unknown key, or no object")
            if inner.get("backend") is not None and inner["backend"] in shape[key]["backend"]:
                raise argparse.ArgumentTypeError("was removed")
            for name in inner:
                if name not in shape[key]:
                    raise ValueError("unknown key")
        return value

    return convert


def guarded(convert, retired):
    def checked(text):
        if text in retired:
            raise argparse.ArgumentTypeError("was removed")
        return convert(text)

    return checked


class StoreConst(argparse.Action):
    def __init__(self, option_strings, dest, value=None, nargs=None, **kw):
        self.value = value
        super().__init__(option_strings, dest, nargs=nargs, **kw)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.value)


class NamedPaths(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        out = []
        for word in (w.strip() for w in values):
            if word.startswith("{") and word.endswith("}"):
                word = json_text(word)
                for key in self.metavar:
                    assert key in word
            out.append(word)
        setattr(namespace, self.dest, out)


TYPES = {"str": str, "int": whole, "float": float, "human_int": human_int, "nullable_str": nullable_str, "json": json_text}


class Recorder(argparse.ArgumentParser):
    """Notes the destinations that were acted upon, and the error instead of printing it."""

    def __init__(self):
        super().__init__(prog="record")
        self.acted = []

    def _get_values(self, action, words):
        values = super()._get_values(action, words)
        self.acted.append(action.dest)
        return values

    def error(self, message):
        raise argparse.ArgumentTypeError(message)


def holds(row, version):
    number = lambda v: tuple(int(x) for x in v.split("."))  # noqa: E731
    for part in filter(None, (row.get("versions") or "").split(",")):
        if part.startswith(">="):
            if number(version) < number(part[2:]):
                return False
        elif number(version) >= number(part[1:]):
            return False
    return True


def from_table(rows):
    parser = Recorder()
    for row in rows:
        action = row.get("action", "store")
        if action == "help":
            continue  # argparse has its own
        kw = {"dest": row.get("field", "config"), "default": row.get("default")}
        if row.get("required"):
            kw["required"] = True
        convert = TYPES[row.get("type", "str")]
        if row.get("shape") and action == "store":
            convert = shaped(row["shape"])
        if row.get("retired"):
            convert = guarded(convert, row["retired"])
        names = row["flags"]
        if action == "store_true":
            kw["action"] = "store_true"
        elif action == "boolean_optional":
            kw["action"] = argparse.BooleanOptionalAction
            names = [n for n in names if not n.startswith("--no-")]
        elif action == "store_const":
            kw.update(action=StoreConst, value=row["const"], choices=row.get("choices"), nargs=0 if "nargs" in row else None)
        else:
            kw.update(type=convert, choices=row.get("choices"), nargs=row.get("nargs"))
            if "const" in row:
                kw["const"] = row["const"]
            if action == "named_paths":
                kw.update(action=NamedPaths, nargs="*", metavar=tuple(row["shape"]))
        parser.add_argument(*names, **kw)
    return parser


def from_runtime():
    from sglang.srt.server_args import ServerArgs

    parser = Recorder()
    ServerArgs.add_cli_args(parser)
    return parser


# --- one command line ----------------------------------------------------------------------------------------------------

KINDS = [
    ("ambiguous option", "ambiguous"), ("expected one argument", "missing-value"),
    ("expected at least one argument", "missing-value"), ("ignored explicit argument", "unwanted-value"),
    ("invalid choice", "bad-choice"), ("was removed", "retired"),
    ("the following arguments are required", "required"), ("unrecognized arguments", "unknown"),
]


def too_large(value):
    if isinstance(value, list):
        return any(too_large(v) for v in value)
    return type(value) is int and not -(2**63) <= value < 2**63


def answer(parser, argv):
    parser.acted = []
    quiet = io.StringIO()
    try:
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            space, extras = parser.parse_known_args(list(argv))
            if extras:
                return {"error": "unknown", "word": extras[0]}
    except SystemExit:
        return {"error": "help"}
    except argparse.ArgumentTypeError as e:
        kind = [kind for text, kind in KINDS if text in str(e)]
        return {"error": (kind + ["bad-value"])[0]}
    except (AssertionError, ValueError):
        return {"error": "bad-item"}
    values = {d: getattr(space, d) for d in parser.acted if d != "config"}
    if any(too_large(v) for v in values.values()):
        return {"error": "bad-value"}
    return {"values": values}


# --- command lines to try ------------------------------------------------------------------------------------------------

WORDS = {
    "int": ["8", "1", "0", "-1", "+5", "007", " 8 ", "1_000", "-0", "１６", "\u00a08\u2003"],
    "float": ["0.9", "1", "-1", "-.5", "1e3", ".5", "5.", "1_0.0_1", "inf", "-0.0", "1e400", " 0.25\t"],
    "human_int": ["4096", "128k", "2M", "4Ki", "2Mi", "1.5k", "25.6k", "0.0015k", "1Gi", "-1", "1_000", " 8k ", "3T", "٣k"],
    "str": ["x", "", "a b", "a=b", "None", "[::1]:30000", "/data/model", "ünï", "-1", "-.5", "'q'", "$HOME"],
    "nullable_str": ["x", "", "None", "none"],
    "json": ["{}", '{"a": 1}', "[1, 2.0, null]", "null", ' {"a": [true, "x"]} ', "3", '"s"', '{"a": NaN}', "-1", "1.5e3"],
}
BAD = {
    "int": ["eight", "", "1e3", "0x10", "1.0", "1__0", "_1", "1_", "+ 5", "٣.", "99999999999999999999", "--5", "-1k", "8 9"],
    "float": ["x", "", "1e", "0x1p3", "1_e3", "1..2", "nan1", "infinit", "--1", "_1.0", "1._5"],
    "human_int": ["10kk", "1.5Ki", "2m", "k", "", "1K", "1ki", "128 k", ".5k", "1.k", "1e3k", "9999999999T", "-1k"],
    "str": ["-x", "--", "-1.", "--y"],
    "nullable_str": ["-x"],
    "json": ["x", "", "{", "{'a': 1}", '{"a": 1, "a": 2}', "[1,]", "nan", '{"a":1} x', "tru", "\ufeff{}"],
}


class Maker:
    def __init__(self, rows, seed):
        self.rows = [r for r in rows if r.get("action") != "help" and "field" in r]
        self.spellings = [s for r in rows for s in r["flags"]]
        self.random = random.Random(seed)

    def pick(self, words):
        return self.random.choice(words)

    def spelling(self, row):
        """In full, or an abbreviation that may or may not be unique."""
        name = self.pick(row["flags"])
        chance = self.random.random()
        if chance < 0.12:
            return name[: self.random.randint(min(5, len(name)), len(name))]
        if chance < 0.22:
            for size in range(3, len(name)):
                if sum(s.startswith(name[:size]) for s in self.spellings) == 1:
                    return name[:size]
        if chance < 0.26:
            at = self.random.randint(2, len(name) - 1)
            return name[:at] + name[at + 1:]
        return name

    def value(self, row):
        kind = row.get("type", "str")
        if self.random.random() < 0.12:
            return self.pick(BAD[kind])
        if row.get("shape") and kind == "json":
            return self.pick(SHAPED)
        if row.get("choices") and self.random.random() < 0.85:
            return str(self.pick(row["choices"]))
        return self.pick(WORDS[kind])

    def use(self, row):
        name, action, nargs = self.spelling(row), row.get("action", "store"), row.get("nargs")
        if action in ("store_true", "boolean_optional") or nargs == "none":
            return [name + self.pick(["=x", "=", "=true"])] if self.random.random() < 0.06 else [name]
        if action == "named_paths":
            return [name] + [self.pick(LORA) for _ in range(self.random.randint(0, 3))]
        if nargs in ("+", "*"):
            if self.random.random() < 0.1:
                return [name + "=" + self.value(row)]
            return [name] + [self.value(row) for _ in range(self.random.randint(0, 3))]
        chance = self.random.random()
        if chance < 0.25:
            return [name + "=" + self.value(row)]
        if chance < 0.31:
            return [name]
        if chance < 0.35:
            return [name, self.value(row), "stray"]
        return [name, self.value(row)]

    def line(self, count):
        uses = [self.use(self.pick(self.rows)) for _ in range(count)]
        if self.random.random() < 0.95:
            uses.append(self.pick([["--model-path", "m"], ["--model=m"], ["--model-p", "m"]]))
        self.random.shuffle(uses)
        return [w for use in uses for w in use]


SHAPED = ['{"decode": {"backend": "full"}}', '{"prefill": {"max_bs": 8, "bs": [1, 2]}}', "{}", '{"decode": {}}',
          '{"decode": {"backend": "tc_piecewise"}}', '{"decode": 3}', '{"decoed": {}}', '{"decode": {"max_b": 1}}', "[]", "x",
          '{"decode": {"tc_compiler": "eager"}}', '{"prefill": {"backend": "tc_piecewise", "nope": 1}}', "null", '"decode"']
LORA = ["a=/l/a", "/l/b", ' {"lora_name": "n", "lora_path": "/p"} ', '{"lora_name": "n"}', "{x}", "{}", " spaced ", "", "{",
        '{"lora_path": 1, "lora_name": null, "pinned": true}']

M = ["--model-path", "m"]
BY_HAND = [
    [], ["--model-path"], ["--model-path", "--tp", "8"], ["--model", "a", "--model-path", "b"], ["m"], ["--", "m"], ["--"],
    M + ["--"], M + ["--", "x"], M + ["--tp", "--", "8"], M + ["--", "--tp", "8"], M + ["--lora-paths", "a", "--", "b"],
    ["--model-path=--"], ["--model-path", "--"], M + ["--tp-size=--"], M + ["--model-checksum=--"], M + ["--lora-paths=--"],
    M + ["--load-format=--"], M + ["--trust-remote-code=--"],
    ["--model-path="], M + ["--tp="], M + ["--tp=8=9"], M + ["--tp =8"], M + ["--tp= 8"], M + ["--tp 8"], M + ["--tp", "8 "],
    M + ["-tp", "8"], M + ["-t", "8"], M + ["-"], M + ["--tp", "-"], M + ["---tp", "8"], M + ["--=x"], M + ["--=="], M + ["-="],
    ["-h"], ["--help"], ["--hel"], ["--he"], ["-hx"], ["-hh"], ["-hhh"], ["-h=x"], ["-h="], ["--help=x"], ["-h", "--tp", "x"],
    ["--tp", "x", "-h"], M + ["--tp", "x", "--nope", "-h"], ["--nope", "-h"], ["-hm"], ["--tp", "-h"], ["-h", "--cuda-graph-max"],
    M + ["--tp", "8", "9"], M + ["stray", "--tp", "8"], M + ["--tp", "8", "--tp", "4"], M + ["--tp-size", "8", "--tensor-parallel-size", "2"],
    M + ["--TP", "8"], M + ["--tp_size", "8"], M + ["--Tp-size=8"], M + ["–tp", "8"], M + ["—tp", "8"], M + ["tp=8"],
    M + ["--tensor", "8"], M + ["--tensor-parallel", "8"], M + ["--t", "8"], M + ["--tp-", "8"], M + ["--tp-s=8"],
    M + ["--cuda-graph-max-bs", "64"], M + ["--cuda-graph-bs", "1", "2"], M + ["--cuda-graph-max-bs=64"], M + ["--cuda-graph-max-bs-d", "64"],
    M + ["--mem-frac", "0.8"], M + ["--mem", ".8"], M + ["--mem-fraction-static=-0.5"], M + ["--mem-fraction-static", "-0.5"],
    M + ["--mem-fraction-static", "nan"], M + ["--mem-fraction-static", "-inf"], M + ["--mem-fraction-static=-inf"],
    M + ["--chunked-prefill-size", "-1"], M + ["--chunked-prefill-size", "-1\n"], M + ["--chunked-prefill-size", "-1 2"], M + ["--chunked-prefill-size=-1"],
    M + ["--random-seed", "-0"], M + ["--random-seed", "-00.5"], M + ["--random-seed", "-1."], M + ["--random-seed", "-.5"],
    M + ["--random-seed", "-1e3"], M + ["--random-seed", "9223372036854775807"], M + ["--random-seed", "9223372036854775808"],
    M + ["--random-seed", "-9223372036854775808"], M + ["--random-seed", "-9223372036854775809"], M + ["--random-seed", "0" * 30 + "7"],
    M + ["--random-seed", "\u0661\u0662"], M + ["--random-seed", "1\u00a0"], M + ["--random-seed", "\u200b1"], M + ["--random-seed", "1,000"],
    M + ["--context-length", "9223372036854775807"], M + ["--context-length", "9223372T"], M + ["--context-length", "9300000T"],
    M + ["--context-length", "8388607Ti"], M + ["--context-length", "8388608Ti"], M + ["--context-length", "0.9999k"],
    M + ["--context-length", "1.0005k"], M + ["--context-length", "00128k"], M + ["--context-length", "1 k"], M + ["--context-length", "1.5"],
    M + ["--context-length", "-128k"], M + ["--context-length=-128k"], M + ["--context-length", "+128k"], M + ["--context-length", "+128"],
    M + ["--max-total-tokens", "10kk"], M + ["--max-total-tokens", "1_0k"], M + ["--max-total-tokens", "2m"],
    M + ["--quantization", ""], M + ["--dtype", ""], M + ["--dtype", "bf16"], M + ["--dtype", "Auto"], M + ["--dtype", "auto "],
    M + ["--json-model-override-args", "{'a': 1}"], M + ["--json-model-override-args", ""], M + ["--served-model-name", "-x"],
    M + ["--served-model-name", "-x y"], M + ["--served-model-name", "--tp 8"], M + ["--served-model-name", "--tp=8 x"],
    M + ["--served-model-name=-x"], M + ["--served-model-name=--tp"], M + ["--served-model-name", "-5"], M + ["--served-model-name", "-5x"],
    M + ["--model-checksum"], M + ["--model-checksum", "x"], M + ["--model-checksum=x"], M + ["--model-checksum="],
    M + ["--model-checksum", "x", "y"], ["--model-checksum", "--model-path", "m"], M + ["--model-checksum", "--"],
    M + ["--lora-paths"], M + ["--lora-paths", "a=b", "c"], M + ["--lora-paths=a=b"], M + ["--lora-paths", "a", "--lora-paths", "b"],
    M + ["--lora-paths", '{"lora_name": "a"}'], M + ["--lora-paths", "{bad}"], M + ["--lora-paths", '{"lora_path": "p", "lora_name": "n"}', "q"],
    M + ["--lora-paths", '{"lora_name": "a"}', "--tp", "x"], M + ["--tp", "x", "--lora-paths", "{bad}"],
    M + ["--lora-target-modules", "q_proj", "all"], M + ["--lora-target-modules"], M + ["--max-lora-chunk-size", "24"], M + ["--max-lora-chunk-size", "64"],
    M + ["--cuda-graph-config", "x"], M + ["--cuda-graph-config", "{}"], M + ["--cuda-graph-config", "[]"], M + ["--cuda-graph-config", ""],
    M + ["--cuda-graph-config", '{"decode": {"backend": "tc_piecewise"}}'], M + ["--cuda-graph-config", '{"decode": {"backend": ["a"]}}'],
    M + ["--cuda-graph-config", '{"prefill": {"backend": "full", "max_bs": 4}, "decode": {}}'],
    M + ["--cuda-graph-config", '{"decode": {"tc_compiler": 1}}'], M + ["--cuda-graph-config", '{"x": {}}'], M + ["--cuda-graph-config", '{"decode": null}'],
    M + ["--cuda-graph-backend-decode", "tc_piecewise"], M + ["--cuda-graph-backend-decode", "full"], M + ["--cuda-graph-backend-decode=x"],
    M + ["--cuda-graph-backend-prefill", "tc_piecewise", "--tp", "x"], M + ["--cuda-graph-bs-decode", "1", "2", "x"],
    M + ["--cuda-graph-bs-decode", "1", "2", "-4"], M + ["--cuda-graph-bs-decode=1", "2"], M + ["--cuda-graph-bs-decode", "--tp", "2"],
    M + ["--enable-tf32-matmul"], M + ["--no-enable-tf32-matmul"], M + ["--no-enable-tf"], M + ["--enable-tf32-matmul", "--no-enable-tf32-matmul"],
    M + ["--enable-tf32-matmul=1"], M + ["--no-dllm-fdfo"], M + ["--dllm-fdfo"], M + ["--no-dllm"], M + ["--no-"], M + ["--no-trust-remote-code"],
    M + ["--lora-strict-loading", "--no-lora-strict-loading", "--lora-strict-loading"],
    M + ["--monokernel-backend", "amd"], M + ["--monokernel-backend", "nv"], M + ["--monokernel-backend"], M + ["--monokernel-backend=amd"],
    M + ["--monokernel-backend=--"], M + ["--disable-cuda-graph"], M + ["--disable-cuda-graph=1"], M + ["--disable-cuda-g"], M + ["--disable-cuda-graph", "x"],
    M + ["--enable-dp-attention", "--dp", "2"], M + ["--enable-dp-att"], M + ["--trust-remote-code", "true"], M + ["--trust-remote-code=true"], M + ["--trust"],
    M + ["--config=f.yaml"], M + ["--conf", "f.yaml"], M + ["--config="], M + ["--con", "f"],
    ["--modle-path", "m"], ["--model-path", "m", "--modle", "n"], ["--nope"], ["--nope=1", "x", "--tp", "2"], M + ["--nope", "1", "--tp", "2", "3"],
    M + ["--max-lora-chunk-size", "16.0"], M + ["--dsa-triton-union", "2"], M + ["--dsa-triton-union", "3"], M + ["--dsa-triton-union", "02"],
    M + ["--speculative-skip-dp-mlp-sync"], M + ["--attn-dp-size", "2"], M + ["--enable-hicache"], M + ["--moe-runner-backend", "lora_triton"],
    M + ["--stream-output"], M + ["--nsa-prefill-backend", "fa3"], M + ["--speculative-moe-a2a-backend"], M + ["--host", ""], M + [""], [""], M + ["", "--tp", "2"],
    M + ["--tp", ""], M + ["--tp", " "], M + ["--tp", "\n8\n"], M + ["--tp", "8\x1f"], M + ["--tp", "8\u180e"], M + ["--port", "0b1"], M + ["--port", "1e0"],
    M + ["--log-level", "DEBUG"], M + ["--encoder-urls"], M + ["--encoder-urls", "a", "b"], M + ["--nnodes", "2", "--node-rank", "1"],
    M + ["--dist-init-addr", "10.0.0.1:5000"], M + ["--dist-init-addr"], M + ["--nccl-init-addr", "x"], M + ["--dist", "x"], M + ["--api-key", "-secret"],
    M + ["--watermark-config", "{}"], M + ["--kv-events-config", "x"], M + ["--model-loader-extra-config", "{"], M + ["--preferred-sampling-params", "{"],
]

# Flags of which the older releases are asked too.
CHANGED = ("--cuda", "--enable", "--no-", "--attn", "--disable", "--monokernel", "--speculative", "--moe", "--dsa")

YAML_WORDS = """
yes no on off Yes NO On oFF true True TRUE tRue false y n Y N ~ null Null NULL nULL none None 0 1 -1 +1 00 010 -010 08 0o10 0b101 -0b1 0b 0b2
0x1F 0XFF -0xff 0x 0xg 1_000 1__0 _1 1_ 0_1 12_34_ 1:30 -1:30 1:60 1:5 0:30 01:30 190:20:30 1:2:3:4 1:30.5 20:30.15 -1:30.5 1:61.0 1:3a
1.0 -1.0 +1.5 1. .5 -.5 +.5 -0.0 1e3 1.0e3 1.0e+3 1.0E-3 1.e+3 .5e+1 1_0.5_0 1._5 0.1 1e+3 1.0e 1.5.2 1.0e+400 .inf -.inf +.inf .Inf .INF .iNF .nan .NaN -.nan
inf nan = << . - + -- 0.0.0.0 10.0.0.1:5000 2024-01-01 1.2.3 a a:b 3d d3 0.9 64 131072 9223372036854775807 -9223372036854775808 99999999999999999999
8k 128Ki 1,000 1e-5 5e-324 0.000001 123456789.123 1.0e+16 100000000000000000.0 1.7976931348623157e+308 -_ 0x_ 0b_ 0_ ._5 -9_
""".split()


def yaml_rows():
    for text in YAML_WORDS:
        try:
            value = yaml.safe_load("k: " + text)["k"]
        except (yaml.YAMLError, ValueError, TypeError):
            continue
        kept = value if value is None or isinstance(value, (bool, float, str)) else str(value)
        if isinstance(value, int) and not isinstance(value, bool) and not too_large(value):
            kept = value
        yield {"text": text, "value": kept, "str": str(value)}


def write_rows(path, rows):
    with open(path, "w") as f:
        for row in rows:
            f.write(json.dumps(row, ensure_ascii=False) + "\n")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("flags")
    p.add_argument("out")
    p.add_argument("--runtime", help="the version of the installed SGLang, whose own parser is asked")
    a = p.parse_args()
    with open(a.flags) as f:
        table = yaml.safe_load(f)["flags"]
    with open(os.path.join(os.path.dirname(a.flags), "pack.yaml")) as f:
        versions = next(d["pack"]["versions"] for d in yaml.safe_load_all(f) if "pack" in (d or {}))
    newest = versions[-1]
    os.makedirs(a.out, exist_ok=True)
    cases = []
    for version in reversed(versions):
        rows = [r for r in table if holds(r, version)]
        if a.runtime not in (None, version):
            continue
        parser = from_runtime() if a.runtime else from_table(rows)
        maker = Maker(rows, SEED)
        count = FLAG_CASES if version == newest else FLAG_CASES // 6
        lines = [maker.line(maker.random.choice([1, 1, 2, 3, 5])) for _ in range(count)]
        lines += BY_HAND if version == newest else [x for x in BY_HAND if any(w.startswith(CHANGED) for w in x)]
        cases += [{"version": version, "argv": argv, **answer(parser, argv)} for argv in lines]
    write_rows(a.out + "/cases.jsonl", cases)
    write_rows(a.out + "/yaml.jsonl", yaml_rows())


if __name__ == "__main__":
    sys.exit(main())
