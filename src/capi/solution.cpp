#include <dpadapt/solution.h>

#include <cmath>
#include <string_view>

#include "capi/arrays.hpp"
#include "capi/caller.hpp"
#include "capi/guard.hpp"
#include "capi/matrix.hpp"
#include "capi/reports.hpp"
#include "discrepancy/general_estimate.hpp"
#include "solution/predict.hpp"
#include "solver/general_solve.hpp"
#include "solver/private_solve.hpp"
#include "solver/profile.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

const Solution &solution_of(const dpa_solution *solution) {
    return checked(solution, "solution").value;
}

/** Throws unless a private fit may use that estimate. */
void check_discrepancy(const dpa_discrepancy *given, const PrivacySettings &settings,
                       const privacy::Ledger &ledger) {
    if (given == nullptr || settings.domains == 0) return;
    if ((checked(given, "discrepancy").domains & settings.domains) != settings.domains)
        throw Error(DPA_E_OPTION,
                    "discrepancy must have been released privately for the same private_domain, "
                    "but was estimated without: the fit would publish it");
    if (given->ledger != ledger.id())
        throw Error(DPA_E_OPTION,
                    "discrepancy was paid from the budget of another problem: pass its "
                    "value by option discrepancy if it is about other people");
    if (given->seeded && !settings.unsafe_seed && !ledger.seeded())
        throw Error(DPA_E_OPTION,
                    "discrepancy was released with unsafe_seed, so it is not private, "
                    "and no fit that uses it can be");
}

Solution solve_plain(dpa_problem &problem, const dpa_discrepancy *given, const Settings &settings,
                     Control &control) {
    const Sample &source = *problem.source;
    const Sample &target = *problem.target;
    problem.ledger.mark_unprotected();
    const PreparedProblem prepared(source, target, settings, control);
    std::optional<double> d = settings.discrepancy;
    if (given != nullptr) d = given->value.value;
    if (!d && !keeps_reference(settings))
        d = settings.general ? estimate_general_discrepancy(prepared, settings, control).value
                             : estimate_discrepancy(prepared, settings, control).value;
    Solution solution = settings.general ? solve_general(prepared, d, settings, control)
                                         : solve_profile(prepared, *d, settings, control);
    solution.privacy = unprotected(source.rows(), target.rows(), source.features());
    return solution;
}

Solution solve_with_privacy(dpa_problem &problem, const dpa_discrepancy *given, Wanted wanted,
                            const Settings &settings, Control &control) {
    PrivateCall call(*problem.source, *problem.target, settings, wanted, control);
    call.charge(problem.ledger);
    Solution solution = solve_private(
        call, given != nullptr ? std::optional<double>(given->value.value) : settings.discrepancy);
    solution.privacy = privacy_record(
        problem.ledger, report_facts(settings, call.facts(), problem.source->features()));
    return solution;
}

/** What a private fit does not release is not there. */
const std::vector<double> &released(const std::vector<double> &weights, std::size_t rows) {
    if (weights.size() != rows)
        throw Error(DPA_E_NOT_RELEASABLE,
                    "the weights of these private records are not among what the fit released");
    return weights;
}

double released(double value, const char *name) {
    if (std::isnan(value))
        throw Error(DPA_E_NOT_RELEASABLE,
                    std::string(name) + " is not among what the private fit released");
    return value;
}

double setting(const UsedSettings &settings, std::string_view name) {
#define DPA_SETTING(field) \
    if (name == #field) return settings.field;
    DPA_SETTING(alpha)
    DPA_SETTING(kappa_1)
    DPA_SETTING(kappa_2)
    DPA_SETTING(kappa_inf)
    DPA_SETTING(radius)
    DPA_SETTING(discrepancy)
    DPA_SETTING(feature_radius)
    DPA_SETTING(label_bound)
#undef DPA_SETTING
    throw Error(DPA_E_OPTION_NAME, "there is no setting \"" + std::string(name) + "\"");
}

}  // namespace

dpa_status dpa_solve(dpa_problem *problem, const dpa_discrepancy *discrepancy,
                     const dpa_options *options, dpa_solution **out) {
    return guard("dpa_solve", [&] {
        dpa_solution *&result = output(out);
        dpa_problem &own = checked(problem, "problem");
        (void)both_samples(problem);
        const dpa_options defaults;
        const dpa_options &used = options_or_defaults(options, defaults);
        if (discrepancy != nullptr) checked(discrepancy, "discrepancy");
        const Wanted wanted =
            discrepancy != nullptr ? Wanted::fit_with_given_discrepancy : Wanted::fit;
        const Settings settings = make_settings(used.values, wanted);
        check_discrepancy(discrepancy, settings.privacy, problem->ledger);
        Caller caller(used);
        const Usage::Hold hold(own.usage, settings.privacy.domains != 0);
        auto handle = std::make_unique<dpa_solution>();
        handle->value = settings.privacy.domains == 0
                            ? solve_plain(own, discrepancy, settings, caller)
                            : solve_with_privacy(own, discrepancy, wanted, settings, caller);
        result = handle.release();
    });
}

void dpa_solution_destroy(dpa_solution *solution) { destroy(solution); }

dpa_status dpa_solution_shape(const dpa_solution *solution, size_t *features, size_t *outputs,
                              size_t *source_rows, size_t *target_rows) {
    return guard("dpa_solution_shape", [&] {
        const Solution &fit = solution_of(solution);
        if (features != nullptr) *features = fit.features();
        if (outputs != nullptr) *outputs = fit.outputs();
        if (source_rows != nullptr) *source_rows = fit.source_rows;
        if (target_rows != nullptr) *target_rows = fit.target_rows;
    });
}

dpa_status dpa_solution_coefficients(const dpa_solution *solution, double *out, size_t out_len) {
    return guard("dpa_solution_coefficients",
                 [&] { copy_out(solution_of(solution).coefficients, out, out_len); });
}

dpa_status dpa_solution_intercept(const dpa_solution *solution, double *out, size_t out_len) {
    return guard("dpa_solution_intercept",
                 [&] { copy_out(solution_of(solution).intercept, out, out_len); });
}

dpa_status dpa_solution_source_weights(const dpa_solution *solution, double *out, size_t out_len) {
    return guard("dpa_solution_source_weights", [&] {
        const Solution &fit = solution_of(solution);
        copy_out(released(fit.source_weights, fit.source_rows), out, out_len);
    });
}

dpa_status dpa_solution_target_weights(const dpa_solution *solution, double *out, size_t out_len) {
    return guard("dpa_solution_target_weights", [&] {
        const Solution &fit = solution_of(solution);
        copy_out(released(fit.target_weights, fit.target_rows), out, out_len);
    });
}

dpa_status dpa_solution_objective(const dpa_solution *solution, double *value) {
    return guard("dpa_solution_objective", [&] {
        const Solution &fit = solution_of(solution);
        required(value, "value") = released(fit.objective, "the objective");
    });
}

dpa_status dpa_solution_duality_gap(const dpa_solution *solution, double *value) {
    return guard("dpa_solution_duality_gap", [&] {
        const Solution &fit = solution_of(solution);
        required(value, "value") = released(fit.duality_gap, "the duality gap");
    });
}

dpa_status dpa_solution_iterations(const dpa_solution *solution, int64_t *value) {
    return guard("dpa_solution_iterations", [&] {
        const Solution &fit = solution_of(solution);
        required(value, "value") = fit.iterations;
    });
}

dpa_status dpa_solution_termination(const dpa_solution *solution, int32_t *value) {
    return guard("dpa_solution_termination", [&] {
        const Solution &fit = solution_of(solution);
        required(value, "value") = static_cast<int32_t>(fit.termination);
    });
}

const char *dpa_termination_string(int32_t termination) {
    switch (termination) {
        case DPA_TERMINATION_CONVERGED:
            return "converged";
        case DPA_TERMINATION_PRECISION:
            return "precision";
        case DPA_TERMINATION_ITERATIONS:
            return "iterations";
        case DPA_TERMINATION_DEGENERATE:
            return "degenerate";
        case DPA_TERMINATION_STEPS:
            return "steps";
        default:
            return "unknown termination";
    }
}

dpa_status dpa_solution_setting(const dpa_solution *solution, const char *name, double *value) {
    return guard("dpa_solution_setting", [&] {
        const Solution &fit = solution_of(solution);
        const double number = released(setting(fit.settings, &required(name, "name")), name);
        required(value, "value") = number;
    });
}

dpa_status dpa_solution_predict(const dpa_solution *solution, const double *x, size_t rows,
                                size_t cols, size_t leading_dimension, int32_t layout, double *out,
                                size_t out_len) {
    return guard("dpa_solution_predict", [&] {
        const Solution &fit = solution_of(solution);
        if (cols != fit.features())
            throw Error(DPA_E_DIMENSION, "cols must be " + std::to_string(fit.features()) +
                                             ", but is " + std::to_string(cols));
        if (rows == 0) return check_length(0, out, out_len);
        const linalg::MatrixView matrix = checked_matrix(x, rows, cols, leading_dimension, layout);
        check_length(rows * fit.outputs(), out, out_len);
        predict(fit, matrix, out);
    });
}

dpa_status dpa_solution_serialize(const dpa_solution *solution, uint8_t *out, size_t out_len,
                                  size_t *needed) {
    return guard("dpa_solution_serialize", [&] {
        const std::vector<std::uint8_t> bytes = serialize(solution_of(solution));
        fill_buffer(bytes.data(), bytes.size(), out, out_len, needed);
    });
}

dpa_status dpa_solution_deserialize(const uint8_t *data, size_t data_len, dpa_solution **out) {
    return guard("dpa_solution_deserialize", [&] {
        dpa_solution *&result = output(out);
        required(data, "data");
        auto handle = std::make_unique<dpa_solution>();
        handle->value = deserialize({data, data_len});
        result = handle.release();
    });
}
