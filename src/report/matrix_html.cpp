// A matrix as one page for a browser: nothing is loaded from elsewhere, colours follow the reader's scheme, and the
// cells are data that a short script lays out, so that a large matrix is no larger than it has to be.
#include <ostream>

#include "report/json_writer.h"
#include "report/matrix.h"
#include "report/report.h"

namespace gonogo {

namespace {

// What surrounds the data. Texts of a launch reach the page only as data and are set as text, never as markup.
constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>gonogo matrix</title>
<style>
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { margin: 1.5rem auto; max-width: 80rem; padding: 0 1rem; }
pre, td, th { font-family: ui-monospace, monospace; font-size: 0.87rem; }
pre { overflow-x: auto; padding: 0.6rem; background: color-mix(in srgb, currentColor 7%, transparent); }
form { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.25rem 0.6rem; border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
th button { font: inherit; font-weight: 600; background: none; border: 0; padding: 0; color: inherit; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " ▲"; }
th[aria-sort=descending] button::after { content: " ▼"; }
.GO { color: #18794e; font-weight: 600; } .NO-GO { color: #c62a2f; font-weight: 600; } .UNKNOWN { color: #ad5700; font-weight: 600; }
@media (prefers-color-scheme: dark) { .GO { color: #4cc38a; } .NO-GO { color: #ff8589; } .UNKNOWN { color: #f1a10d; } }
</style>
</head>
<body>
<h1 id="title"></h1>
<pre id="command"></pre>
<p id="closest"></p>
<form id="filters"><input id="text" type="search" placeholder="filter" aria-label="filter">
<select id="verdict" aria-label="verdict"><option value="">all verdicts</option><option>GO</option><option>NO-GO</option><option>UNKNOWN</option></select></form>
<p id="shown" role="status"></p>
<table><thead><tr id="columns"></tr></thead><tbody id="rows"></tbody></table>
<noscript>This page lays its table out with a script; gonogo matrix --format markdown does without.</noscript>
<script type="application/json" id="data">)";

constexpr std::string_view kTail = R"(</script>
<script>
"use strict";
const MOST = 2000;
const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);
const make = (tag, text) => { const e = document.createElement(tag); e.textContent = text; return e; };
const axes = data.axes, reasons = data.reasons;
const strides = axes.map((_, i) => axes.slice(i + 1).reduce((n, a) => n * a.values.length, 1));
const at = (cell, axis) => Math.floor(cell / strides[axis]) % axes[axis].values.length;
const verdict = cell => data.cells[cell] < 0 ? "GO" : reasons[data.cells[cell]].verdict;
const reason = cell => data.cells[cell] < 0 ? "" : reasons[data.cells[cell]].text;
const rule = cell => data.cells[cell] < 0 ? "" : reasons[data.cells[cell]].rule || "";
const columns = [...axes.map((a, i) => ({ name: a.name, text: c => a.values[at(c, i)], key: c => at(c, i) })),
  { name: "verdict", text: verdict, key: verdict }, { name: "decided by", text: rule, key: rule }, { name: "reason", text: reason, key: reason }];
const choices = axes.map((axis, i) => {
  const select = document.createElement("select");
  select.setAttribute("aria-label", axis.name);
  select.append(new Option("any " + axis.name, ""), ...axis.values.map((v, n) => new Option(v, n)));
  byId("filters").append(select);
  return select;
});
let order = { column: -1, down: false };
function matches() {
  const text = byId("text").value.toLowerCase(), wanted = byId("verdict").value;
  const chosen = choices.map(s => s.value);
  const out = [];
  for (let c = 0; c < data.cells.length; ++c) {
    if (wanted && verdict(c) !== wanted) continue;
    if (chosen.some((v, i) => v !== "" && at(c, i) !== +v)) continue;
    if (text && !columns.some(col => col.text(c).toLowerCase().includes(text))) continue;
    out.push(c);
  }
  if (order.column >= 0) {
    const key = columns[order.column].key, sign = order.down ? -1 : 1;
    out.sort((a, b) => { const x = key(a), y = key(b); return x < y ? -sign : x > y ? sign : a - b; });
  }
  return out;
}
function draw() {
  const cells = matches();
  byId("rows").replaceChildren(...cells.slice(0, MOST).map(c => {
    const row = document.createElement("tr");
    for (const column of columns) row.append(make("td", column.text(c)));
    row.children[axes.length].className = verdict(c);
    return row;
  }));
  byId("shown").textContent = cells.length + " of " + data.cells.length + " launches" + (cells.length > MOST ? ", the first " + MOST + " shown" : "");
  [...byId("columns").children].forEach((th, i) =>
    th.setAttribute("aria-sort", i !== order.column ? "none" : order.down ? "descending" : "ascending"));
}
columns.forEach((column, i) => {
  const th = document.createElement("th"), button = make("button", column.name);
  button.type = "button";
  button.onclick = () => { order = { column: i, down: order.column === i && !order.down }; draw(); };
  th.append(button);
  byId("columns").append(th);
});
byId("filters").addEventListener("input", draw);
byId("filters").addEventListener("submit", e => e.preventDefault());
byId("title").textContent = data.title;
byId("command").textContent = data.command;
byId("closest").textContent = data.closest;
draw();
</script>
</body>
</html>
)";

class MatrixData : private JsonWriter {
 public:
  std::string run(const Matrix& m) {
    open('{');
    text("title", m.runtime + ", " + std::to_string(m.cells.size()) + " launches: " + matrix_counts(m));
    text("command", m.command);
    text("closest", !m.closest       ? "None of them is GO."
                    : m.changes == 0 ? "What was typed is GO."
                                     : "Closest to what was typed: " + place_text(m, *m.closest, true));
    open("axes", '[');
    for (const MatrixAxis& axis : m.axes) {
      open('{');
      text("name", axis.name);
      list("values", axis.values);
      close('}');
    }
    close(']');
    open("reasons", '[');
    for (const MatrixReason& reason : m.reasons) {
      open('{');
      text("verdict", verdict_word(reason.verdict));
      text("rule", reason.rule);
      text("text", reason.text);
      close('}');
    }
    close(']');
    return take();
  }
};

}  // namespace

void matrix_to_html(const Matrix& matrix, std::ostream& out) {
  out << kHead;
  // A "<" in the data must not end the element that holds it.
  for (const char c : MatrixData().run(matrix)) {
    if (c == '<') {
      out << "\\u003c";
    } else {
      out << c;
    }
  }
  // The number of the reason; -1 of a GO.
  out << ",\"cells\":[";
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    const MatrixCell& cell = matrix.cells[i];
    out << (i == 0 ? "" : ",");
    if (cell.reason == kNoIndex) {
      out << -1;
    } else {
      out << cell.reason;
    }
  }
  out << "]}" << kTail;
}

}  // namespace gonogo
