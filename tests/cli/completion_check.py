"""What a real shell offers: completion_check.py SHELL GONOGO SOURCE_DIR. Each row: a line as it is typed, what must be
offered, and what must not be. Exits 77 (skipped) where the shell is not installed.
"""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

shell, gonogo, source = sys.argv[1], *map(os.path.abspath, sys.argv[2:])
if shutil.which(shell) is None:
    print(f"skipped: {shell} is not installed here")
    sys.exit(77)

script = f"{source}/completions/gonogo.{shell}"
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
open("deploy.yaml", "w").close()
os.mkdir("charts")
home = os.path.join(folder.name, "home")
os.mkdir(home)
env = {"PATH": os.path.dirname(gonogo) + ":/usr/local/bin:/usr/bin:/bin", "HOME": home, "TERM": "xterm", "LANG": "C.UTF-8"}

ROWS = [
    ("gonogo ch", ["check"], ["diff"]),
    ("gonogo ", ["check", "matrix", "completions", "rules"], ["--strict"]),
    ("gonogo rules ", ["list", "show", "coverage", "check"], ["diff"]),
    ("gonogo check --mo", ["--model-config"], ["--rules"]),
    ("gonogo check --gpu b200x8 --st", ["--strict"], []),
    ("gonogo check --format j", ["json"], ["text"]),
    ("gonogo matrix --format ", ["csv", "html"], []),
    ("gonogo check --fail-on w", ["warning"], ["refusal"]),
    ("gonogo check --gpu h", ["h100", "h200"], ["b200"]),
    ("gonogo check --gpu b200x", ["b200x8"], ["h200x8"]),
    ("gonogo check --sglang 0.5.2", ["0.5.23", "0.5.21"], ["0.5.19"]),
    ("gonogo rules show attention/fa4-p", ["attention/fa4-page-size"], []),
    ("gonogo explain moe-a2", ["moe-a2a-backend"], ["page-size"]),
    ("gonogo check dep", ["deploy.yaml"], ["charts/"]),
    ("gonogo rules check cha", ["charts/"], ["deploy.yaml"]),
    ("gonogo check -- ", ["python", "sglang"], ["--strict"]),
    ("gonogo check -- python -m ", ["sglang.launch_server"], []),
    ("gonogo check --strict -- sglang serve --moe-a2", ["--moe-a2a-backend"], ["--moe-runner-backend"]),
    ("gonogo check -- sglang serve --strict", [], ["--strict"]),
    ("gonogo check -- sglang serve --moe-a2a-backend deep", ["deepep", "deepep_v2"], ["none"]),
    ("gonogo check -- sglang serve --moe-a2a-backend=deep", ["deepep", "deepep_v2"], ["none"]),
    # A release that reads the arguments otherwise: this flag came later.
    ("gonogo check --sglang 0.5.6 -- sglang serve --speculative-dflash", [], ["--speculative-dflash-block-size"]),
    ("gonogo check --sglang 0.5.23 -- sglang serve --speculative-dflash", ["--speculative-dflash-block-size"], []),
    ("gonogo matrix --vary moe-a2a-backend=none,deepep_", ["deepep_v2"], ["none"]),
    ("gonogo completions ", ["bash", "zsh", "fish"], []),
]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, env=env).stdout.splitlines()


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def offered(line):
    if shell == "bash":
        return run(["bash", "--norc", "-c",
                    f'source {quoted(script)}; COMP_LINE={quoted(line)}; COMP_POINT={len(line)}; _gonogo; printf "%s\\n" "${{COMPREPLY[@]}}"'])
    if shell == "fish":
        return [found.split("\t")[0] for found in run(["fish", "--no-config", "-c", f"source {quoted(script)}; complete -C {quoted(line)}"])]
    # zsh completes only at a prompt; the function itself runs as it would there, and what it hands over is printed.
    words = " ".join(quoted(w) for w in line.split()) + (" ''" if line.endswith(" ") else "")
    return run(["zsh", "-f", "-c", f"""
        compdef() {{ : }}
        source {quoted(script)}
        compadd() {{ print -rl -- ${{(P)@[-1]}} }}
        _files() {{ local last=${{words[-1]}}; local -a found; [[ $1 == -/ ]] && {{ found=($last*(/N)); print -rl -- ${{^found}}/ }} || print -rl -- $last*(N) }}
        words=({words}); CURRENT=${{#words}}; COLUMNS=100
        _gonogo"""])


def pressed(start, line, want, seconds=20):
    """The line after TAB at a real prompt."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(start[0], start, env)
    text = ""

    def until(done):
        nonlocal text
        end = time.time() + seconds
        while time.time() < end and not done():
            if select.select([terminal], [], [], 0.2)[0]:
                try:
                    text += os.read(terminal, 65536).decode(errors="replace")
                except OSError:
                    break

    # The completion system of zsh takes long to load; its widget for one function is the same.
    load = f"source {script}" if shell != "zsh" else f"compdef() {{ : }}; source {script}; zle -C complete-gonogo complete-word _gonogo; bindkey '^I' complete-gonogo"
    os.write(terminal, f"PS1='ready> '; {load}; echo lo''aded\n".encode())
    until(lambda: "loaded" in text.replace("lo''aded", ""))
    text = ""
    os.write(terminal, (line + "\t").encode())
    until(lambda: want in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[\r\b]", "", text))
    os.write(terminal, b"\x03exit\n")
    os.close(terminal)
    os.waitpid(pid, 0)
    return want in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[\r\b]", "", text)


failed = 0
for line, wanted, unwanted in ROWS:
    got = [word.strip() for word in offered(line)]
    # bash and zsh hand over what follows the last = of a word; fish the whole word.
    ends = {word.rsplit("=", 1)[-1].rsplit(",", 1)[-1] for word in got} | set(got)
    if shell != "fish":
        ends |= {word + "/" for word in got if os.path.isdir(word)}
    missing = [word for word in wanted if word not in ends]
    odd = [word for word in unwanted if word in ends]
    if missing or odd:
        failed += 1
        print(f"{line!r}: misses {missing}, has {odd}; offered {got[:12]}")
rows = len(ROWS)

if shell in ("bash", "zsh"):
    start = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}[shell]
    rows += 1
    if not pressed(start, "gonogo che", "gonogo check "):
        failed += 1
        print("TAB behind 'gonogo che' does not complete the command")

# The script that gonogo prints is the one that is tested.
rows += 1
if subprocess.run([gonogo, "completions", shell], capture_output=True, text=True).stdout != open(script).read():
    failed += 1
    print("gonogo completions prints another script")

# What a shell waits for; the median, since one run says little on a busy machine.
times = []
for _ in range(15):
    begin = time.perf_counter()
    subprocess.run([gonogo, "__complete", "check", "--", "sglang", "serve", "--"], stdout=subprocess.DEVNULL)
    times.append(1000 * (time.perf_counter() - begin))
print(f"{shell}: {rows - failed} passed, {failed} failed; a completion takes {sorted(times)[len(times) // 2]:.1f} ms")
sys.exit(failed > 0)
