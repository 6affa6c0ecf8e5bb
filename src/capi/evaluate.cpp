#include <dpadapt/evaluate.h>

#include "capi/guard.hpp"
#include "capi/matrix.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

constexpr std::size_t kMostSolutions = 1000;

/** Of the lists of an evaluation, one after the other; without a name beyond their end. */
dpa_measure measure(const evaluate::Measured &measured, std::size_t index) {
    dpa_measure made{};
    const auto fill = [&](const char *name, std::size_t solution, const evaluate::Interval &value) {
        made.name = name;
        made.solution = solution;
        made.estimate = value.estimate;
        made.lower = value.lower;
        made.upper = value.upper;
    };
    const auto &bins = measured.calibration;
    const std::size_t after_bins = measured.measures.size() + bins.size();
    if (index < measured.measures.size()) {
        const evaluate::Measure &one = measured.measures[index];
        fill(one.name, one.solution, one.value);
    } else if (index < after_bins) {
        const evaluate::CalibrationBin &bin = bins[index - measured.measures.size()];
        fill("calibration", bin.solution, bin.positive);
        made.from = bin.from;
        made.to = bin.to;
        made.rows = bin.rows;
    } else if (measured.clipping && index - after_bins < measured.clipping->shares.size()) {
        const std::size_t solution = index - after_bins;
        const std::string &note = measured.clipping->notes[solution];
        fill("clipped_share", solution, measured.clipping->shares[solution]);
        made.note = note.empty() ? nullptr : note.c_str();
    }
    return made;
}

}  // namespace

dpa_status dpa_evaluate(dpa_problem *rows, const dpa_solution *const *candidates, size_t count,
                        const dpa_options *options, dpa_evaluation **out) {
    return guard("dpa_evaluate", out, [&] {
        Caller caller(options);
        engine::Problem &own = value_of(rows, "rows");
        return engine::evaluate_solutions(own, solutions_of(candidates, count, kMostSolutions),
                                          caller.values(), caller);
    });
}

dpa_status dpa_solution_calibrate(const dpa_solution *solution, dpa_problem *rows,
                                  const dpa_options *options, dpa_solution **out) {
    return guard("dpa_solution_calibrate", out, [&] {
        Caller caller(options);
        const Solution &fit = value_of(solution, "solution");
        return engine::calibrate(value_of(rows, "rows"), fit, caller.values(), caller);
    });
}

void dpa_evaluation_destroy(dpa_evaluation *evaluation) { destroy(evaluation); }

dpa_status dpa_evaluation_measure(const dpa_evaluation *evaluation, size_t index,
                                  dpa_measure *out) {
    return guard("dpa_evaluation_measure", [&] {
        required(out, "out") = measure(value_of(evaluation, "evaluation"), index);
    });
}

dpa_status dpa_evaluation_report(const dpa_evaluation *evaluation, int32_t form, char *out,
                                 size_t out_len, size_t *needed) {
    return guard("dpa_evaluation_report", [&] {
        const evaluate::Measured &measured = value_of(evaluation, "evaluation");
        fill_text(evaluate::write(measured, report_form(form)), out, out_len, needed);
    });
}
