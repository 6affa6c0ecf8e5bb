#include "evaluate/evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "solution/findings.hpp"

namespace dpadapt::evaluate {

namespace {

Document &add(const Interval &interval, Document &to) {
    return to.set("estimate", interval.estimate)
        .set("lower", interval.lower)
        .set("upper", interval.upper);
}

Document describe(const Measure &measure, double confidence) {
    Document document;
    document.set("name", measure.name).set("solution", measure.solution);
    return add(measure.value, document).set("level", confidence);
}

Document describe(const CalibrationBin &bin) {
    Document document;
    document.set("solution", bin.solution)
        .set("from", bin.from)
        .set("to", bin.to)
        .set("rows", bin.rows);
    return add(bin.positive, document);
}

Document describe(const Clipping &clipping) {
    Document shares = Document::list();
    for (const Interval &share : clipping.shares) {
        Document document;
        shares.add(add(share, document));
    }
    return Document()
        .set("bound", clipping.bound)
        .set("origin", clipping.origin)
        .set("clipped_share", shares);
}

void add_notes(const Measured &measured, Document &document) {
    Document list = Document::list();
    bool any = false;
    for (std::size_t k = 0; measured.clipping && k < measured.clipping->shares.size(); ++k) {
        const std::string &note = measured.clipping->notes[k];
        if (note.empty()) continue;
        list.add(Document().set("solution", k).set("note", note));
        any = true;
    }
    if (any) document.set("notes", std::move(list));
}

}  // namespace

void Clipping::add_share(const Interval &share, bool persons) {
    shares.push_back(share);
    notes.emplace_back();
    if (share.lower <= many) return;
    notes.back() = "About " + to_text(100.0 * share.estimate, share.estimate < 0.995 ? 2 : 3) +
                   " % of the " + (persons ? "persons" : "rows") +
                   " have errors beyond the bound " + to_text(bound, 3) +
                   ": the true errors are larger than the estimates, and an interval without an "
                   "upper end is open because nothing here tells how large.";
}

void Clipping::add_note(std::size_t solution, const char *sentence) {
    notes.resize(std::max(notes.size(), solution + 1));
    std::string &note = notes[solution];
    if (!note.empty()) note += ' ';
    note += sentence;
}

Measure root_of(const Measure &squared) {
    const auto &[estimate, lower, upper] = squared.value;
    return {names::kRootMeanSquared,
            squared.solution,
            {std::sqrt(estimate), std::sqrt(lower), std::sqrt(upper)}};
}

void check_measurable(std::span<const Solution *const> solutions) {
    const loss::Choice &first = solutions.front()->loss;
    for (const Solution *solution : solutions) {
        check_scores(*solution);
        const loss::Choice &own = solution->loss;
        if (loss::has_likelihood(own) != loss::has_likelihood(first) ||
            loss::counts_classes(own) != loss::counts_classes(first) ||
            (own.kind == loss::Kind::survival) != (first.kind == loss::Kind::survival))
            throw Error(DPA_E_UNSUPPORTED,
                        "solutions are evaluated together if their labels mean the same: all are "
                        "numbers, all times, all -1 and +1, or all 0, 1, ...");
    }
}

std::string write(const Measured &measured, privacy::Form form) {
    Document measures = Document::list();
    for (const Measure &measure : measured.measures)
        measures.add(describe(measure, measured.confidence));
    Document document;
    add_notes(measured, document);
    document.set(measured.persons ? "persons" : "rows", measured.rows)
        .set("protection", measured.protection)
        .set("measures", measures);
    if (!measured.calibration.empty()) {
        Document bins = Document::list();
        for (const CalibrationBin &bin : measured.calibration) bins.add(describe(bin));
        document.set("calibration", bins);
    }
    if (measured.clipping) document.set("clipping", describe(*measured.clipping));
    return form == privacy::Form::json ? document.json() : document.text();
}

}  // namespace dpadapt::evaluate
