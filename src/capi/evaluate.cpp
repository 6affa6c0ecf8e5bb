#include <dpadapt/evaluate.h>

#include "capi/guard.hpp"
#include "capi/matrix.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

constexpr std::size_t kMostSolutions = 1000;

const evaluate::Measure &measure(const dpa_evaluation *evaluation, std::size_t index) {
    const auto &measures = value_of(evaluation, "evaluation").measures;
    if (index >= measures.size())
        throw Error(DPA_E_INVALID_ARGUMENT, "index must be below " +
                                                std::to_string(measures.size()) + ", but is " +
                                                std::to_string(index));
    return measures[index];
}

}  // namespace

dpa_status dpa_evaluate(dpa_problem *rows, const dpa_solution *const *candidates, size_t count,
                        const dpa_options *options, dpa_evaluation **out) {
    return guard("dpa_evaluate", [&] {
        create(out, [&] {
            Caller caller(options);
            engine::Problem &own = value_of(rows, "rows");
            return engine::evaluate_solutions(own, solutions_of(candidates, count, kMostSolutions),
                                              caller.values(), caller);
        });
    });
}

void dpa_evaluation_destroy(dpa_evaluation *evaluation) { destroy(evaluation); }

dpa_status dpa_evaluation_count(const dpa_evaluation *evaluation, size_t *count) {
    return guard("dpa_evaluation_count", [&] {
        const std::size_t measures = value_of(evaluation, "evaluation").measures.size();
        required(count, "count") = measures;
    });
}

dpa_status dpa_evaluation_measure(const dpa_evaluation *evaluation, size_t index,
                                  dpa_measure *out) {
    return guard("dpa_evaluation_measure", [&] {
        const evaluate::Measure &one = measure(evaluation, index);
        required(out, "out") = {one.name, one.solution, one.value.estimate, one.value.lower,
                                one.value.upper};
    });
}

dpa_status dpa_evaluation_report(const dpa_evaluation *evaluation, int32_t form, char *out,
                                 size_t out_len, size_t *needed) {
    return guard("dpa_evaluation_report", [&] {
        const evaluate::Measured &measured = value_of(evaluation, "evaluation");
        fill_text(evaluate::write(measured, report_form(form)), out, out_len, needed);
    });
}
