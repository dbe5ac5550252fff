#!/usr/bin/env bash
# The page of `gonogo matrix --format html` in headless Chromium: matrix_page_check.sh GONOGO SOURCE_DIR. A driver that
# clicks and types as a reader would is appended to a copy of the page, and leaves what it saw in the document.
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [[ -z $browser ]]; then
  echo "skipped: the page of a matrix needs Chromium, which is not installed here"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
page=$folder/page.html
"$1" matrix --gpu b200x8 --model-config "$2/testdata/models/XiaomiMiMo__MiMo-V2-Flash" --format html \
  --vary moe-a2a-backend=none,deepep,deepep_v2 --vary moe-runner-backend=auto,triton,deep_gemm \
  -- --model-path '/<b>&"m' --tp 8 --moe-a2a-backend deepep_v2 >"$page" || [[ $? -eq 1 ]]
cat >>"$page" <<'JS'
<script>
const seen = [];
const note = what => seen.push(what + "=" + [...document.querySelectorAll("#rows tr")].map(r =>
  [...r.children].slice(0, 3).map(c => c.textContent).join("/")).join(" "));
const click = n => document.querySelectorAll("#columns button")[n].click();
const set = (id, value) => { const e = typeof id === "string" ? document.getElementById(id) : id; e.value = value;
  e.dispatchEvent(new Event("input", { bubbles: true })); };
seen.push("title=" + document.getElementById("title").textContent);
seen.push("command=" + document.getElementById("command").textContent);
note("first");
click(2); note("sorted");
click(2); note("reversed");
seen.push("aria=" + document.querySelectorAll("#columns th")[2].getAttribute("aria-sort"));
set("verdict", "GO"); note("verdict");
set("verdict", ""); set("text", "PREFILL-tokens"); note("text");
set("text", ""); set(document.querySelectorAll("#filters select")[1], "1"); note("axis");
seen.push("shown=" + document.getElementById("shown").textContent);
document.title = "done";
document.body.append(Object.assign(document.createElement("pre"), { id: "seen", textContent: seen.join("\n") }));
</script>
JS
timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" --dump-dom "file://$page" \
  >"$folder/dom" 2>"$folder/log" || { cat "$folder/log"; exit 1; }
python3 - "$folder/dom" <<'PY'
import html, re, sys
dom = open(sys.argv[1], encoding="utf-8").read()
found = re.search(r'<pre id="seen">(.*?)</pre>', dom, re.S)
if not found:
    sys.exit("the page's script did not run to its end:\n" + dom[-2000:])
seen = dict(line.split("=", 1) for line in html.unescape(found.group(1)).splitlines())
backends, runners = ["none", "deepep", "deepep_v2"], ["auto", "triton", "deep_gemm"]
rows = dict.fromkeys(f"{b}/{r}" for b in backends for r in runners)
first = seen["first"].split()
verdicts = {row.rsplit("/", 1)[0]: row.rsplit("/", 1)[1] for row in first}
good = [p for p in rows if verdicts.get(p) == "GO"]
bad = [p for p in rows if verdicts.get(p) == "NO-GO"]
with_verdict = lambda places: [f"{p}/{verdicts[p]}" for p in places]
failed = 0
def row(name, want, got):
    global failed
    if want != got:
        print(f"{name}: want {want}, got {got}")
        failed += 1
row("all combinations, in order", list(rows), list(verdicts))
row("both verdicts are there", True, bool(good) and bool(bad))
row("title", f"sglang, 9 launches: GO {len(good)}, NO-GO {len(bad)}", seen["title"])
row("markup in the launch stays text", True, '/<b>&"m' in seen["command"])
row("a click sorts", with_verdict(good + bad), seen["sorted"].split())
row("another reverses", with_verdict(bad + good), seen["reversed"].split())
row("which is told", "descending", seen["aria"])
row("one verdict", with_verdict(good), seen["verdict"].split())
row("a text, in any case", ["deepep_v2/auto/NO-GO", "deepep_v2/deep_gemm/NO-GO"], sorted(seen["text"].split()))
row("one value of an axis", sorted(with_verdict(f"deepep/{r}" for r in runners)), sorted(seen["axis"].split()))
row("how many are shown", "3 of 9 launches", seen["shown"])
print(f"{11 - failed} passed, {failed} failed")
sys.exit(failed > 0)
PY
