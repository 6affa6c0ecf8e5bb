#include <string_view>

#include "base/document.hpp"
#include "base/text.hpp"
#include "privacy/report.hpp"

namespace dpadapt::privacy {

namespace {

/** Text between {{ and }} is filled in; a script draws what the data have. */
constexpr std::string_view kPage = R"page(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline';
               img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Privacy report</title>
<style>
:root{color-scheme:light}
body{font:16px/1.5 system-ui,sans-serif;color:#1c2733;background:#fff;margin:0 auto;
     max-width:44rem;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}
.promise{border-left:.4rem solid #2a7f62;background:#eef6f2;padding:.6rem .9rem}
.promise.none{border-color:#b3372f;background:#fbeeed}
figure{margin:1.2rem 0;max-width:34rem;break-inside:avoid}
figcaption{margin-bottom:.5rem}
svg{display:block;width:100%;height:auto;font:12px system-ui,sans-serif;overflow:visible}
text{fill:#1c2733}.paid{fill:#2f6db3}.guess{fill:#8a949e}.whole{fill:#e3e8ed}
.grid{stroke:#d3d9df}.move{stroke:#9fb4cc;stroke-width:2}
polyline{fill:none;stroke-width:2}.promised{stroke:#2f6db3}
.spent{stroke:#b3372f;stroke-dasharray:5 4}
.public{fill:#fff;stroke:#5a6772;stroke-width:1.5}.released{fill:#2f6db3}
pre{white-space:pre-wrap;font:13px/1.45 ui-monospace,monospace;background:#f5f7f9;padding:.8rem}
@media print{body{max-width:none;padding:0;font-size:11pt}pre{background:none;padding:0}
             *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
</style>
</head>
<body>
<h1>Privacy report</h1>
<p class="{{promise}}">{{summary}}</p>
<noscript><p>Sentences and pictures need JavaScript, and no network. A report in a file that ends
in .txt has the sentences as text.</p></noscript>
<main id="page"></main>
<h2>All numbers</h2>
<pre>{{numbers}}</pre>
<script type="application/json" id="report">{{data}}</script>
<script>
"use strict";
const {privacy, notes, effects, origin} = JSON.parse(document.getElementById("report").textContent);
const width = 340;  // units of the drawings are pixels of a narrow phone
const mostBars = 12;
const mostEffects = 30;

const escaped = words => String(words).replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
const shortened = name => [...name].length > 40 ? [...name].slice(0, 40).join("") + "..." : name;
const digits = (value, count) => String(Number(value.toPrecision(count)));

const mark = (name, kind, places) => `<${name} class="${kind}" ` + Object.entries(places).map(
    ([side, at]) => `${side}="${typeof at === "number" ? at.toFixed(1) : at}"`).join(" ") + "/>\n";
const line = (x1, y1, x2, y2, kind) => mark("line", kind, {x1, y1, x2, y2});
const bar = (y, length, kind) => mark("rect", kind, {x: "0", y, width: length, height: 10});
const dot = (cx, cy, kind) => mark("circle", kind, {cx, cy, r: 4.5});
const text = (x, y, words, anchor = "start") => `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ` +
    `text-anchor="${anchor}">${escaped(words)}</text>\n`;
const figure = (title, words, height, drawing) =>
    `<figure>\n<figcaption><strong>${title}</strong> ${words}</figcaption>\n` +
    `<svg role="img" aria-label="${title}" viewBox="0 0 ${width} ${height.toFixed(1)}">\n` +
    `${drawing}</svg>\n</figure>\n`;

/** What an attacker can find, for one record and for several. */
function attackers() {
    const shown = (privacy.attackers || []).filter(one => one.wrongly_suspected === 0.05);
    if (!shown.length) return "";
    const drawing = shown.map((one, k) => text(0, 36 * k + 12,
            `${one.records} ${privacy.unit}${one.records > 1 ? "s" : ""}: at most ` +
            `${digits(Math.ceil(1000 * one.found) / 10, 4)} of 100`) +
        bar(36 * k + 17, one.found * width, "paid") + bar(36 * k + 17, 0.05 * width, "guess"));
    return figure("What an attacker can find.", "Of 100 records that hold what they suspect, " +
        "where the test misleads them for 5 of 100 that do not. Grey: what a guess finds.",
        36 * shown.length, drawing.join(""));
}

/** Epsilon at each delta: what is promised, and what was spent. */
function curves() {
    const {curve, delta, epsilon} = privacy.budget;
    const points = list => list.filter(point => typeof point.epsilon === "number");
    const most = 1.1 * Math.max(epsilon, ...points(curve).map(point => point.epsilon)) || 1;
    const x = at => 36 + (Math.log10(at) + 9) / 7 * (width - 46);
    const y = at => 10 + (1 - at / most) * 140;
    const draw = (list, kind) => mark("polyline", kind, {points: points(list).map(
        point => `${x(point.delta).toFixed(1)},${y(point.epsilon).toFixed(1)}`).join(" ")});
    let drawing = "";
    for (const share of [0, 0.5, 1])
        drawing += line(36, y(share * most), width - 10, y(share * most), "grid") +
            text(32, y(share * most) + 4, digits(share * most, 2), "end");
    for (const power of [-9, -7, -5, -3])
        drawing += text(x(10 ** power), 168, `1e${power}`, "middle");
    drawing += text(36, 184, "delta; upwards: epsilon") + draw(curve, "promised");
    if (privacy.spent_curve) drawing += draw(privacy.spent_curve, "spent");
    if (delta >= 1e-9 && delta <= 1e-2) drawing += dot(x(delta), y(epsilon), "released");
    return figure("Epsilon at each delta.", "One guarantee in many forms. Solid: what the budget " +
        "promises, with the pair that was asked for as a dot. Dashed: what was spent.", 190,
        drawing);
}

/** The price of a release as a share of the part of the budget that it is paid from. */
function shareOf(release) {
    const {mu, laplace_epsilon, pure_epsilon} = privacy.budget.cap;
    const price = release.mechanism === "Gaussian"
        ? release.steps * (release.mu_of_a_step / mu) ** 2
        : release.steps * release.epsilon_of_a_step /
            (release.mechanism === "Laplace" ? laplace_epsilon : pure_epsilon);
    return Number.isFinite(price) ? Math.min(1, price) : 0;
}

/** What share of the budget each release has cost. */
function releases() {
    const all = (privacy.releases || []).map(entry => entry.release);
    if (!all.length) return "";
    const shown = all.slice(0, mostBars);
    let drawing = shown.map((release, k) => text(0, 36 * k + 12,
            `${shortened(release.purpose)}: ${release.steps} ` +
            (release.steps === 1 ? "step" : "steps")) +
        bar(36 * k + 17, width, "whole") + bar(36 * k + 17, shareOf(release) * width, "paid"))
        .join("");
    let height = 36 * shown.length;
    if (all.length > mostBars) {
        drawing += text(0, height + 12, `and ${all.length - mostBars} more`);
        height += 30;
    }
    return figure("What was released.", "Each noisy release, and the share of its part of the " +
        "budget that it cost.", height, drawing);
}

/** Effects of the features: of the public predictor and of the released one. */
function moved() {
    if (!effects || !effects.length) return "";
    const size = row => Math.max(Math.abs(row.public), Math.abs(row.released));
    const rows = [...effects].sort((a, b) => size(b) - size(a)).slice(0, mostEffects);
    const most = Math.max(size(rows[0]), 1e-300);
    const x = value => width / 2 + value / most * (width / 2 - 8);
    const height = 30 * rows.length + 24;
    const drawing = rows.map((row, k) => text(0, 30 * k + 11, shortened(row.name)) +
        line(x(row.public), 30 * k + 20, x(row.released), 30 * k + 20, "move") +
        dot(x(row.public), 30 * k + 20, "public") + dot(x(row.released), 30 * k + 20, "released"));
    return figure("What moved.", "Change of the score by one standard deviation of each feature " +
        "in the public sample. Open dots: the predictor of the public sample alone; full dots: " +
        "what was released." +
        (effects.length > mostEffects ? ` The ${mostEffects} largest are shown.` : ""), height,
        line(width / 2, 0, width / 2, height - 18, "grid") + drawing.join("") +
        text(8, height - 4, digits(-most, 3)) + text(width / 2, height - 4, "0", "middle") +
        text(width - 8, height - 4, digits(most, 3), "end"));
}

const list = lines => !lines || !lines.length ? "" :
    `<ul>\n${lines.map(words => `<li>${escaped(words)}</li>\n`).join("")}</ul>\n`;
const section = (title, content) => content && `<h2>${title}</h2>\n${content}`;
const hasBudget = privacy.budget !== null && typeof privacy.budget === "object";

document.getElementById("page").innerHTML =
    section("What this means", list(privacy.plain_words) + (hasBudget ? attackers() : "")) +
    section("What happened", list(notes) + moved()) +
    section("What was promised and paid", hasBudget ? curves() + releases() : "") +
    section("What is not covered", list(privacy.not_covered)) +
    section("Where it comes from", list(origin));
</script>
</body>
</html>
)page";

/** JSON within a script: no text of it ends the script. */
std::string inlined(const std::string &json) {
    std::string result;
    for (const char c : json) result += c == '<' ? "\\u003c" : std::string(1, c);
    return result;
}

std::string part(std::string_view name, const Statement &statement,
                 const std::vector<std::string> &notes) {
    if (name == "numbers") return in_html(write_report(statement, Form::numbers));
    if (name == "summary") {
        const std::string text = write_report(statement, Form::text);
        return in_html(text.substr(0, text.find('\n')));
    }
    if (name == "promise") return statement.is_private() ? "promise" : "promise none";
    Document list = Document::list();
    for (const std::string &note : notes) list.add(note);
    return inlined("{\"privacy\":" + write_report(statement, Form::json) +
                   ",\"notes\":" + list.json() + '}');
}

}  // namespace

std::string write_page(const Statement &statement, const std::vector<std::string> &notes) {
    std::string page;
    std::string_view rest = kPage;
    for (std::size_t at = 0; (at = rest.find("{{")) != std::string_view::npos;) {
        const std::size_t end = rest.find("}}", at);
        page += rest.substr(0, at);
        page += part(rest.substr(at + 2, end - at - 2), statement, notes);
        rest.remove_prefix(end + 2);
    }
    return page += rest;
}

}  // namespace dpadapt::privacy
