#include "evaluate/evaluation.hpp"

#include <cmath>

#include "base/error.hpp"
#include "evaluate/names.hpp"

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

}  // namespace

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
        if (loss::predicts_classes(own) != loss::predicts_classes(first) ||
            loss::counts_classes(own) != loss::counts_classes(first))
            throw Error(DPA_E_UNSUPPORTED,
                        "solutions are evaluated together if their labels mean the same: all are "
                        "numbers, all -1 and +1, or all 0, 1, ...");
    }
}

std::string write(const Measured &measured, privacy::Form form) {
    Document measures = Document::list();
    for (const Measure &measure : measured.measures)
        measures.add(describe(measure, measured.confidence));
    Document document;
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
