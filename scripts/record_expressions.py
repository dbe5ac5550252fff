#!/usr/bin/env python3
"""Expressions of the rule language with what CPython makes of them.

  record_expressions.py > testdata/expressions/cases.jsonl         the committed cases, always the same
  record_expressions.py --random N [--seed S]                      N random ones, for the differential test

A line is {"group", "text", "value": …} or {"group", "text", "error": "TypeError"}. Values are type-exact: {"tuple": […]} is a
tuple, {"float": "inf"} a float that JSON lacks, and 2.0 stands for a float as 2 does for an int. The names that the
expressions read are NAMES below; the test gives the same values to the engine.

Left out, because the language differs there on purpose (rules/LANGUAGE.md): missing keys, unknown facts, integers beyond
64 bits, and range(), keys(), values(), items() where a list and Python's own object would not be the same.
"""

import argparse
import builtins
import json
import math
import random
import sys

NAMES = {
    "i": 7, "j": -3, "k": 0, "big": 9007199254740993, "x": 2.5, "y": -0.1, "z": 0.0, "t": True, "f": False, "n": None,
    "s": "DeepSeek-V3", "e": "", "u": "naïve", "p": "a, b,,c", "l": [3, 1, 2], "m": [], "w": ["b", "a", "c"], "q": [1, 2.0, True],
    "d": {"a": 1, "b": {"c": [10, 20]}, "n": None}, "nested": [[1, 2], [3], []],
}
FUNCTIONS = "any all len min max sum round abs sorted int float str bool list set isinstance dict tuple".split()
LIMIT = 1 << 63


def encoded(v):
    if isinstance(v, bool) or v is None or isinstance(v, str):
        return v
    if isinstance(v, int):
        if not -LIMIT <= v < LIMIT:
            raise OverflowError
        return v
    if isinstance(v, float):
        return v if math.isfinite(v) else {"float": repr(v)}
    if isinstance(v, tuple):
        return {"tuple": [encoded(x) for x in v]}
    if isinstance(v, list):
        return [encoded(x) for x in v]
    if isinstance(v, dict):
        return {"dict": [[encoded(k), encoded(x)] for k, x in v.items()]}
    raise ValueError("no value of the language: %r" % (v,))


def evaluate(text):
    """The case's outcome; None where the comparison would not be fair."""
    scope = {b: getattr(builtins, b) for b in FUNCTIONS} | NAMES | {"__builtins__": {}, "range": lambda *a: list(range(*a))}
    try:
        v = encoded(eval("(" + text + "\n)", scope))
        # The language computes in 64 bits: what Python reaches through a larger number is an error there.
        return None if v == -LIMIT else {"value": v}
    except OverflowError:
        return {"error": "OverflowError"}
    except (TypeError, ValueError, ZeroDivisionError, IndexError) as e:
        return {"error": type(e).__name__}
    except (KeyError, AttributeError, MemoryError):
        return None


def products(group, template, *axes):
    out = [template]
    for name, values in axes:
        out = [t.replace(name, v) for t in out for v in values]
    return [(group, t) for t in out]


def committed():
    numbers = ["i", "j", "k", "x", "y", "t", "3", "2.0", "-7"]
    cases = products("arithmetic", "A OP B", ("OP", ["+", "-", "*", "/", "//", "%"]), ("A", numbers), ("B", ["i", "j", "x", "k", "2", "-0.5"]))
    cases += products("comparison", "A OP B", ("OP", ["==", "!=", "<", "<=", ">", ">="]), ("A", ["i", "x", "t", "s", "l", "n"]), ("B", ["7", "2.5", "1", "s", "[3, 1, 2]", "None"]))
    cases += products("truth", "A OP B", ("OP", ["and", "or"]), ("A", ["i", "k", "e", "m", "n", "d", "z", "f"]), ("B", ["s", "n", "k"]))
    cases += products("not", "not A", ("A", ["i", "k", "z", "e", "s", "m", "l", "d", "n", "t", "()", "{}"]))
    cases += products("power", "A ** B", ("A", ["2", "-2", "x", "k", "i", "0.5"]), ("B", ["0", "3", "-1", "0.5", "62", "63"]))
    cases += products("round", "round(A, B)", ("A", ["2.675", "0.8945", "1.0005", "-2.5", "x", "12345.6789", "i", "1e22"]), ("B", ["0", "1", "2", "3", "-2"]))
    cases += products("round", "round(A)", ("A", ["0.5", "1.5", "2.5", "-0.5", "-1.5", "x", "i", "t", "2.4999999", "1e15", "s"]))
    cases += products("membership", "A OP B", ("OP", ["in", "not in"]), ("A", ["1", "'a'", "2.0", "None", "[1, 2]", "i"]), ("B", ["l", "w", "d", "q", "(1, None)", "nested", "m"]))
    cases += products("substring", "A in B", ("A", ["'Seek'", "'seek'", "''", "i"]), ("B", ["s", "e", "u"]))
    cases += products("conversion", "F(A)", ("F", ["int", "float", "str", "bool"]), ("A", ["'12'", "' -3 '", "'1_000'", "'1e3'", "'x'", "''", "x", "-2.9", "t", "n", "l", "i", "'inf'", "'0x10'", "1e300", "'.5'", "'1.'", "'_1'", "'+4'"]))
    cases += products("functions", "F(A)", ("F", ["len", "sum", "min", "max", "sorted", "list", "any", "all", "abs"]), ("A", ["l", "m", "w", "q", "d", "s", "(2, 1)", "i", "n", "nested", "[0, '']", "-4"]))
    cases += products("sorting", "sorted(A, reverse=R)", ("A", ["l", "w", "[2, 1.5, True]", "nested", "[1, 'a']", "(3, 3, 1)"]), ("R", ["True", "False"]))
    cases += products("sorting", "sorted(set(A))", ("A", ["l", "[3, 3.0, 1]", "w", "s", "[[1]]", "(1, 1)"]))
    cases += products("range", "range(A)", ("A", ["4", "0", "-1", "1, 5", "5, 1", "5, 1, -2", "0, 10, 4", "1, 2, 0", "x"]))
    cases += products("lists", "A + B", ("A", ["l", "m", "s", "(1,)", "[0]"]), ("B", ["[9]", "'!'", "(2,)", "l"]))
    cases += products("lists", "A * B", ("A", ["[1, 2]", "'ab'", "(1,)", "3"]), ("B", ["2", "0", "-1", "[7]", "1.5", "t"]))
    cases += products("index", "A[B]", ("A", ["l", "s", "w", "u", "(4, 5)"]), ("B", ["0", "-1", "2", "3", "-4", "x", "t"]))
    cases += products("slice", "A[B]", ("A", ["l", "s", "u", "(4, 5, 6)"]), ("B", ["1:", ":2", "-2:", ":-1", "1:2", "5:", ":", "2:1"]))
    cases += products("chain", "A OP1 B OP2 C", ("OP1", ["<", "=="]), ("OP2", ["<=", "!="]), ("A", ["1", "i"]), ("B", ["i", "x"]), ("C", ["7", "10", "s"]))
    cases += products("conditional", "A if C else B", ("A", ["1", "1 / 0"]), ("B", ["2", "l[9]"]), ("C", ["t", "f", "e", "n", "m == []"]))
    cases += products("comprehension", "[E for v in A if C]", ("E", ["v", "v * 2", "str(v)"]), ("A", ["l", "q", "(1, 2, 3)", "m"]), ("C", ["v > 1", "v", "not v", "v in l"]))
    cases += products("comprehension", "F(E for v in A)", ("F", ["any", "all", "sum", "max", "len", "sorted"]), ("E", ["v > 1", "v", "v / (v - 1)"]), ("A", ["l", "[2, 3]", "[0, 2]", "m"]))
    cases += products("strings", "s.M", ("M", ["lower()", "upper()", "startswith('Deep')", "startswith(('X', 'De'))", "startswith(['X'])", "endswith('V3')", "endswith(('v3', 'V3'))", "split('-')", "replace('e', 'E')", "find('S')", "find('z')", "count('e')", "removeprefix('Deep')", "removesuffix('-V3')", "removesuffix('')", "isdigit()", "strip('D3')", "lstrip('De')", "rstrip('3V')", "startswith(1)", "replace('e', 1)"]))
    cases += products("strings", "p.M", ("M", ["split(',')", "split(', ')", "split()", "split(',', 1)", "rsplit(',', 1)", "rsplit(',')", "rsplit(None, 1)", "strip()", "split('')", "count(',')", "count('')"]))
    cases += products("strings", "A.M", ("A", ["'  a b '", "'12'", "''", "'a-b-c'"]), ("M", ["strip()", "lstrip()", "rstrip()", "isdigit()", "split()", "split('-')", "rsplit('-', 1)", "find('b')", "count('a')"]))
    cases += products("strings", "'-'.join(A)", ("A", ["w", "m", "l", "('x',)", "s"]))
    cases += products("dicts", "d.M", ("M", ["get('a')", "get('zz')", "get('zz', 5)", "get('n', 5)"]))
    cases += products("dicts", "A", ("A", ["list(d.keys())", "list(d.values())[0]", "len(d.items())", "d['b']['c'][1]", "{'k': i}['k']", "{1: 2}[1.0]", "{'a': 1} == {'a': 1.0}", "len({'a': 1, 'b': 2})", "'b' in d", "[k for k in d]", "sorted(d.keys())"]))
    cases += products("isinstance", "isinstance(A, B)", ("A", ["i", "t", "x", "s", "l", "d", "n", "(1,)"]), ("B", ["int", "float", "(int, float)", "str", "list", "dict", "tuple", "bool"]))
    cases += products("identity", "A OP B", ("OP", ["is", "is not"]), ("A", ["n", "t", "f", "i", "d['n']"]), ("B", ["None", "True", "False"]))
    cases += [("precedence", t) for t in (
        "1 + 2 * 3", "(1 + 2) * 3", "-2 ** 2", "2 ** -1", "2 ** 3 ** 2", "not t == f", "not (t and f)", "1 < 2 and 2 < 1 or t", "i - j - 1", "i // 2 * 2",
        "-i // 2", "-(i // 2)", "i % 4 - 1", "1 if t else 2 if f else 3", "i > 1 and 'big' or 'small'", "not i in l", "i in l or 7 in [7]", "+x", "--i", "- -i",
        "1 + 1 == 2", "i == 7 == 7", "1 < 2 < 3 < 4", "'a' 'b' + 'c'", "[1, 2,][0]", "(1)", "(1,)", "()", "t + t", "t * 3", "f / 2", "1 and 2 or 3", "0 or 0.0 or e or m or n",
        "big + 1 == 9007199254740994", "big == 9007199254740992.0", "big > 9007199254740992.0", "9223372036854775807 + 1", "-9223372036854775807 - 1", "-9223372036854775807 - 2",
        "4611686018427387904 * 2", "(i + 7) // 8 * 8", "round((183359 - 15360) / 183359, 3)", "0.1 + 0.2", "1e16 + 1", "1 / 3", "7 / 2", "7 // 2.0", "-7 // 2.0", "-7 % 2.5", "5 % -3", "-5.5 % 2",
        "str(0.1 + 0.2)", "str(1e16)", "str(1e-5)", "str(123456789.0)", "str(2.0)", "str([1, 'a', None, 2.0, True])", "str({'a': (1,)})", "str('it\\'s')", "str([\"it's\"])", "str(())",
        "str(1e22)", "str(-0.0)", "str(100000000000000000.0)", "max(1, 2.0)", "max(2.0, 2)", "min([], [1])", "max('a', 'b')", "max(1)", "min(m)", "sum([0.1] * 3)", "abs(j)", "abs(t)", "len(u)", "u[2]", "int(1e10)", "float(i)",
        "(1, 2) == [1, 2]", "(1, 2) < (1, 3)", "[1, [2]] == [1.0, [2]]", "'a' < 'B'", "None == False", "0 == False", "'' == False", "[] < [0]", "t is True", "1 == t")]
    seen, out = set(), []
    for group, text in cases:
        outcome = None if text in seen else evaluate(text)
        seen.add(text)
        if outcome is not None:
            out.append({"group": group, "text": text, **outcome})
    return out


def any_expression(rng, depth):
    atoms = list(NAMES) + ["0", "1", "2", "3", "10", "-1", "0.5", "2.0", "True", "False", "None", "'a'", "''", "[1, 2]", "[]", "(1, 2)"]
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([a for a in atoms if a not in ("u", "big")])
    e = lambda: any_expression(rng, depth - 1)  # noqa: E731
    kind = rng.randrange(13)
    if kind < 3:
        return "(%s %s %s)" % (e(), rng.choice(["+", "-", "*", "/", "//"]), e())
    if kind < 5:
        return "(%s %s %s)" % (e(), rng.choice(["==", "!=", "<", "<=", ">", ">="]), e())
    if kind < 7:
        return "(%s %s %s)" % (e(), rng.choice(["and", "or"]), e())
    if kind == 7:
        return "(not %s)" % e()
    if kind == 8:
        return "(%s if %s else %s)" % (e(), e(), e())
    if kind == 9:
        return "(%s %s %s)" % (e(), rng.choice(["in", "not in"]), e())
    if kind == 10:
        return "%s(%s)" % (rng.choice(["len", "sum", "sorted", "any", "all", "bool", "int", "float", "abs", "str"]), e())
    if kind == 11:
        return "[%s for v in %s if %s]" % (rng.choice(["v", "v == 1", e()]), e(), rng.choice(["v", "True", e()]))
    return "%s(%s, %s)" % (rng.choice(["min", "max"]), e(), e())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.random:
        rng, cases = random.Random(options.seed), []
        while len(cases) < options.random:
            text = any_expression(rng, 3)
            outcome = evaluate(text)
            if outcome is not None:
                cases.append({"group": "random", "text": text, **outcome})
    else:
        cases = committed()
    print(json.dumps({"names": encoded(NAMES)}))
    for case in cases:
        print(json.dumps(case, ensure_ascii=False))


if __name__ == "__main__":
    sys.exit(main())
