#include "solution/solution.hpp"

#include <dpadapt/solution.h>
#include <sodium/crypto_generichash.h>

#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/platform/new_file.hpp"
#include "base/text.hpp"
#include "capi/guard.hpp"
#include "capi/matrix.hpp"
#include "engine/fit.hpp"
#include "engine/options.hpp"
#include "objective/weigh.hpp"
#include "solution/findings.hpp"
#include "solution/model_file.hpp"
#include "solution/predict.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

const Solution &solution_of(const dpa_solution *solution) { return value_of(solution, "solution"); }

/** What a private fit does not release is not there. */
const std::vector<double> &released(const std::vector<double> &weights, std::size_t rows) {
    if (weights.size() != rows)
        throw Error(DPA_E_NOT_RELEASABLE,
                    "the weights of these records are not there: the fit did not release those of "
                    "private ones, and has none of public ones that are elsewhere, or was saved "
                    "without them");
    return weights;
}

double released(double value, const std::string &name) {
    if (std::isnan(value))
        throw Error(DPA_E_NOT_RELEASABLE, name + " was not released, or this method has none");
    return value;
}

/** A number that measures how good the solution is; NaN: there is none. */
double certificate(const Solution &fit, double value, const char *name, const char *why_none) {
    if (std::isnan(value) && fit.privacy.protection == Protection::none)
        throw Error(DPA_E_UNSUPPORTED, why_none);
    return released(value, name);
}

/** What is known of the coefficients; else the reason why nothing is. */
const Inference &inference(const Solution &fit) {
    const NoInference why = fit.inference.why;
    if (why != NoInference::there)
        throw Error(why == NoInference::not_released ? DPA_E_NOT_RELEASABLE : DPA_E_UNSUPPORTED,
                    std::string("there are no intervals of the coefficients: ") + reason(why));
    return fit.inference;
}

/** Linear scores have coefficients, other losses parameters. */
const Solution &scored(const Solution &fit, bool linearly) {
    if (loss::is_linear(fit.loss) != linearly)
        throw Error(DPA_E_UNSUPPORTED,
                    std::string("the predictor of loss = ") + loss::name(fit.loss.kind) +
                        (linearly ? " is in its parameters, not in coefficients"
                                  : " is in coefficients and intercepts, not in parameters"));
    return fit;
}
const Solution &linear(const Solution &fit) { return scored(fit, true); }
const Solution &not_linear(const Solution &fit) { return scored(fit, false); }

/** The numbers of the two domains' own estimates. */
const Inference &compared(const Solution &fit) {
    const Inference &known = inference(fit);
    if (std::isnan(known.difference))
        throw Error(DPA_E_UNSUPPORTED,
                    "the source's own estimate is not known: it is private, or its rows do not "
                    "determine all coefficients");
    return known;
}

double setting(const Solution &fit, std::string_view wanted) {
    std::optional<double> result;
    each_number(fit, [&](std::string_view name, auto number) {
        if (name == wanted) result = static_cast<double>(number);
    });
    if (!result) throw Error(DPA_E_OPTION_NAME, "a solution has no number " + in_quotes(wanted));
    if (std::isnan(*result) && wanted == "discrepancy")
        throw Error(DPA_E_NOT_RELEASABLE, "the fit did without a discrepancy");
    return released(*result, std::string(wanted));
}

double number_of(const Solution &fit, std::string_view name) {
    if (name == "objective") return released(fit.objective, "the objective");
    if (name == "duality_gap")
        return certificate(fit, fit.duality_gap, "the duality gap",
                           "nothing certifies a global minimum of this objective");
    if (name == "gradient_mapping")
        return certificate(fit, fit.gradient_mapping, "the gradient mapping",
                           "the convex form has a duality gap instead of a gradient mapping");
    if (name == "iterations") return static_cast<double>(fit.iterations);
    if (name == "termination") return static_cast<double>(fit.termination);
    if (name == "dimension") return static_cast<double>(fit.dimension());
    if (name == "parameters") return static_cast<double>(not_linear(fit).parameters.size());
    if (name == "neighbours") return static_cast<double>(fit.privacy.neighbours());
    const privacy::Statement &statement = *fit.privacy.statement;
    if (name == "private_domain") return static_cast<double>(statement.facts.domains);
    if (name == "spent_mu") return statement.ledger.spent().totals().mu;
    if (name == "spent_laplace_epsilon") return statement.ledger.spent().totals().laplace_epsilon;
    if (name == "domain_distance") return compared(fit).difference;
    if (name == "domain_p_value") return compared(fit).p_value();
    return setting(fit, name);
}

std::string digest_of(const Solution &fit) {
    const std::vector<std::uint8_t> bytes = serialize(fit.without_weights());
    std::array<unsigned char, crypto_generichash_BYTES> digest{};
    crypto_generichash(digest.data(), digest.size(), bytes.data(), bytes.size(), nullptr, 0);
    return hexadecimal(digest);
}

std::string finding_codes(const Solution &fit) {
    std::string text;
    for (const std::string &kept : findings(fit, "")) {
        const Finding finding = Finding::read(kept);
        text += (finding.is_warning() ? "warning " : "note ") + finding.code + '\n';
    }
    return text;
}

std::string text_of(const Solution &fit, std::string_view name) {
    constexpr std::array terminations{"converged",  "precision", "iterations",
                                      "degenerate", "steps",     "not converged"};
    if (name == "loss") return loss::name(fit.loss.kind);
    if (name == "termination") return terminations.at(static_cast<std::size_t>(fit.termination));
    if (name == "digest") return digest_of(fit);
    if (name == "calibration") return fit.calibration.promise();
    if (name == "finding_codes") return finding_codes(fit);
    throw Error(DPA_E_OPTION_NAME, "a solution has no text " + in_quotes(name));
}

void copy_array(const Solution &fit, std::string_view name, double *out, std::size_t out_len) {
    if (name == "coefficients") return copy_out(linear(fit).coefficients, out, out_len);
    if (name == "intercept") return copy_out(linear(fit).intercept, out, out_len);
    if (name == "parameters") return copy_out(not_linear(fit).parameters, out, out_len);
    if (name == "source_weights")
        return copy_out(released(fit.source_weights, fit.source_rows), out, out_len);
    if (name == "target_weights")
        return copy_out(released(fit.target_weights, fit.target_rows), out, out_len);
    if (name == "target_estimate") return copy_out(inference(fit).estimate, out, out_len);
    if (name == "covariance") return copy_out(inference(fit).covariance, out, out_len);
    throw Error(DPA_E_OPTION_NAME, "a solution has no array " + in_quotes(name));
}

void check_confidence(double confidence) {
    if (!(confidence > 0.0 && confidence < 1.0))
        throw Error(DPA_E_INVALID_ARGUMENT,
                    "confidence must be in (0, 1), but is " + to_text(confidence));
}

/** Checks rows and output array, and fills it with what is computed: `width` numbers a row. */
void fill_rows(const Solution &fit, const dpa_matrix &rows, std::size_t width, double *out,
               std::size_t out_len, const auto &compute) {
    check_size("cols", fit.features(), rows.cols);
    if (rows.rows == 0) return check_length(0, out, out_len);
    const linalg::MatrixView x = checked_matrix(rows);
    if (width > std::numeric_limits<std::size_t>::max() / rows.rows)
        throw Error(DPA_E_OVERFLOW, "there are too many rows");
    check_length(rows.rows * width, out, out_len);
    copy_out(compute(fit, x), out, out_len);
}

/** Weights of the user's, or none. */
std::span<const double> checked_weights(std::size_t rows, const double *weights, std::size_t n) {
    if (n == 0) return {};
    check_row_numbers("n", n, rows);
    required(weights, "weights");
    for (std::size_t i = 0; i < n; ++i)
        if (!(weights[i] >= 0.0 && std::isfinite(weights[i])))
            throw Error(DPA_E_INVALID_ARGUMENT,
                        "row " + std::to_string(i) +
                            ": the weight must be a number of at least 0, but is " +
                            to_text(weights[i]));
    return {weights, n};
}

/** A kind of prediction: which solutions have it, how many numbers a row, what computes them. */
struct Prediction {
    void (*check)(const Solution &);
    std::size_t (*width)(const Solution &);
    std::vector<double> (*compute)(const Solution &, const linalg::MatrixView &);
};

Prediction prediction_of(std::int32_t kind) {
    const auto one = [](const Solution &) -> std::size_t { return 1; };
    const auto outputs = [](const Solution &fit) { return fit.outputs(); };
    const auto dimension = [](const Solution &fit) { return fit.dimension(); };
    using View = linalg::MatrixView;
    const auto label = [](const Solution &fit, const View &x) { return predict(fit, x); };
    const auto score = [](const Solution &fit, const View &x) { return scores(fit, x); };
    if (kind == DPA_PREDICT_LABELS) return {check_scores, one, label};
    if (kind == DPA_PREDICT_SCORES) return {check_scores, outputs, score};
    if (kind == DPA_PREDICT_PROBABILITIES) return {check_probabilities, outputs, probabilities};
    if (kind == DPA_PREDICT_COORDINATES) return {[](const Solution &) {}, dimension, transform};
    throw Error(DPA_E_INVALID_ARGUMENT,
                "kind must be one of DPA_PREDICT_*, but is " + std::to_string(kind));
}

}  // namespace

dpa_status dpa_solve(dpa_problem *problem, const dpa_discrepancy *discrepancy,
                     const dpa_options *options, dpa_solution **out) {
    return guard("dpa_solve", out, [&] {
        engine::Problem &own = value_of(problem, "problem");
        const engine::Estimate *given =
            discrepancy == nullptr ? nullptr : &value_of(discrepancy, "discrepancy");
        Caller caller(options);
        return engine::fit(own, nullptr, given, caller.values(), caller);
    });
}

void dpa_solution_destroy(dpa_solution *solution) { destroy(solution); }

dpa_status dpa_solution_text(const dpa_solution *solution, const char *name, char *out,
                             size_t out_len, size_t *needed) {
    return guard("dpa_solution_text", [&] {
        fill_text(text_of(solution_of(solution), &required(name, "name")), out, out_len, needed);
    });
}

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

dpa_status dpa_solution_array(const dpa_solution *solution, const char *name, double *out,
                              size_t out_len) {
    return guard("dpa_solution_array",
                 [&] { copy_array(solution_of(solution), &required(name, "name"), out, out_len); });
}

dpa_status dpa_solution_intervals(const dpa_solution *solution, double confidence, double *out,
                                  size_t out_len) {
    return guard("dpa_solution_intervals", [&] {
        const Inference &known = inference(solution_of(solution));
        check_confidence(confidence);
        const std::size_t p = known.estimate.size();
        const std::vector<double> half = known.half_widths(confidence);
        std::vector<double> ends(2 * p);
        for (std::size_t k = 0; k < p; ++k) {
            ends[k] = known.estimate[k] - half[k];
            ends[p + k] = known.estimate[k] + half[k];
        }
        copy_out(ends, out, out_len);
    });
}

dpa_status dpa_solution_weigh(const dpa_solution *solution, int32_t domain, dpa_matrix x,
                              const double *y, size_t y_len, const double *weights, size_t n,
                              double *out, size_t out_len) {
    return guard("dpa_solution_weigh", [&] {
        const Solution &fitted = solution_of(solution);
        const privacy::Domains of = domain_of(domain);
        check_row_numbers("y_len", y_len, x.rows);
        if (x.rows > 0) required(y, "y");
        fill_rows(fitted, x, 1, out, out_len, [&](const Solution &fit, const auto &view) {
            return weigh(fit, of, Sample::lend(view, y), checked_weights(x.rows, weights, n));
        });
    });
}

const char *dpa_solution_setting_name(size_t index) {
    return index < std::size(kNumberNames) ? kNumberNames[index] : nullptr;
}

dpa_status dpa_solution_value(const dpa_solution *solution, const char *name, double *value) {
    return guard("dpa_solution_value", [&] {
        required(value, "value") = number_of(solution_of(solution), &required(name, "name"));
    });
}

dpa_status dpa_solution_predict(const dpa_solution *solution, int32_t kind, dpa_matrix x,
                                double *out, size_t out_len) {
    return guard("dpa_solution_predict", [&] {
        const Solution &fit = solution_of(solution);
        const Prediction prediction = prediction_of(kind);
        prediction.check(fit);
        fill_rows(fit, x, prediction.width(fit), out, out_len, prediction.compute);
    });
}

dpa_status dpa_solution_predict_interval(const dpa_solution *solution, double level, dpa_matrix x,
                                         double *out, size_t out_len) {
    return guard("dpa_solution_predict_interval", [&] {
        const Solution &fitted = solution_of(solution);
        fill_rows(fitted, x, interval_width(fitted), out, out_len,
                  [&](const Solution &fit, const auto &view) {
                      return prediction_intervals(fit, level, view);
                  });
    });
}

dpa_status dpa_solution_survival(const dpa_solution *solution, double confidence, dpa_matrix x,
                                 const double *times, size_t times_len, double *out,
                                 size_t out_len) {
    return guard("dpa_solution_survival", [&] {
        const Solution &fitted = solution_of(solution);
        check_survival(fitted);
        std::optional<double> sure;
        if (confidence != 0.0) {
            check_confidence(confidence);
            (void)inference(fitted);
            sure = confidence;
        }
        if (x.rows > 0 && times_len > out_len)
            throw Error(DPA_E_DIMENSION, "there are more times than numbers of out");
        const std::span known(times_len > 0 ? &required(times, "times") : nullptr, times_len);
        for (const double time : known)
            if (!(time >= 0.0))
                throw Error(DPA_E_INVALID_ARGUMENT,
                            "times must be at least 0, but one is " + to_text(time));
        fill_rows(fitted, x, (sure ? 2 : 1) * times_len, out, out_len,
                  [&](const Solution &fit, const auto &view) {
                      return survival(fit, view, known, sure);
                  });
    });
}

dpa_status dpa_solution_serialize(const dpa_solution *solution, int32_t weights, uint8_t *out,
                                  size_t out_len, size_t *needed) {
    return guard("dpa_solution_serialize", [&] {
        const std::vector<std::uint8_t> bytes =
            serialize(saved_part(solution_of(solution), weights));
        fill_buffer(bytes.data(), bytes.size(), out, out_len, needed);
    });
}

dpa_status dpa_solution_deserialize(const uint8_t *data, size_t data_len, dpa_solution **out) {
    return guard("dpa_solution_deserialize", out, [&] {
        const std::span<const std::uint8_t> saved(&required(data, "data"), data_len);
        return is_model_file(saved) ? read_model(saved).solution : deserialize(saved);
    });
}

dpa_status dpa_solution_save(const dpa_solution *solution, const dpa_schema *schema,
                             int32_t weights, const char *path) {
    return guard("dpa_solution_save", [&] {
        const Solution saved = saved_part(solution_of(solution), weights);
        const bool for_owner = saved.privacy.protection != Protection::none;
        const std::string name = &required(path, "path");
        if (schema == nullptr) return platform::replace_file(name, serialize(saved), for_owner);
        const std::string text = write_model({*value_of(schema, "schema"), saved}) + '\n';
        const std::vector<std::uint8_t> bytes(text.begin(), text.end());
        platform::replace_file(name, bytes, for_owner);
    });
}

dpa_status dpa_solution_load(const char *path, dpa_schema **schema, dpa_solution **out) {
    return guard("dpa_solution_load", [&] {
        if (schema != nullptr) *schema = nullptr;
        required(out, "out") = nullptr;
        const std::vector<std::uint8_t> bytes = platform::read_file(&required(path, "path"));
        if (!is_model_file(bytes)) return create(out, [&] { return deserialize(bytes); });
        Model model = read_model(bytes);
        const auto solution = [&] { return std::move(model.solution); };
        if (schema == nullptr) return create(out, solution);
        auto own = std::make_unique<const schema::LabelledSchema>(std::move(model.schema));
        create(schema, [&] {  // nothing fails after the solution has its handle
            create(out, solution);
            return std::move(own);
        });
    });
}
