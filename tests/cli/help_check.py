"""--help of every command fits a screen and teaches with an example, and the manual page is clean: help_check.py GONOGO.
Commands are found as completion offers them. Without mandoc the manual is checked for its commands alone, and that is said.
"""

import re
import shutil
import subprocess
import sys

gonogo = sys.argv[1]
LINES, COLUMNS = 24, 100
failed = 0


def output(*args, **more):
    return subprocess.run([gonogo, *args], capture_output=True, text=True, check=True, **more).stdout


def check(what, good):
    global failed
    if not good:
        failed += 1
        print("failed:", what)


def commands(path):
    yield path
    for line in output("__complete", *path, "").splitlines()[1:]:
        if re.search("\t", line) and (not path or path == ["rules"]):
            yield from commands(path + [line.split("\t")[0]])


paths = list(commands([]))
checks = 0
manual = output("man")
for path in paths:
    name = " ".join(["gonogo", *path])
    text = output(*path, "--help")
    lines = text.splitlines()
    check(f"{name} --help has {len(lines)} lines", len(lines) <= LINES)
    check(f"{name} --help is {max(map(len, lines))} columns wide", max(map(len, lines)) <= COLUMNS)
    check(f"{name} --help has no example", re.search("^Examples?: gonogo ", text, re.M) or any(m in text for m in ["Example: source"]))
    check(f"{name} is not in the manual", not path or re.search(r"^\.SS " + re.escape(name.replace("-", "\\-")) + "$", manual, re.M))
    for option in output("__complete", *path, "--").splitlines()[1:]:
        option = option.split("\t")[0]
        check(f"{name} --help does not tell {option}", option in ("--help", "--version") or option in text)
        check(f"the manual does not tell {option}", option in ("--help", "--version") or option.replace("-", "\\-") in manual)
        checks += 2
    checks += 4
check("commands are found", len(paths) > 12)

if shutil.which("mandoc"):
    lint = subprocess.run(["mandoc", "-T", "lint"], input=manual, capture_output=True, text=True)
    print(lint.stdout, end="")
    check("mandoc finds nothing to complain about", lint.returncode == 0 and not lint.stdout)
    shown = subprocess.run(["mandoc", "-T", "utf8"], input=manual, capture_output=True, text=True).stdout
    check("the manual shows a dash as it is typed", "--gpu" in re.sub(".\b", "", shown))
    checks += 2
else:
    print("skipped: the manual page's style, since mandoc is not installed here")
print(f"{checks + 1 - failed} passed, {failed} failed")
sys.exit(failed > 0)
