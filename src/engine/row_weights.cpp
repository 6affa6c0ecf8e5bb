#include "engine/row_weights.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "objective/penalty.hpp"

namespace dpadapt::engine {
namespace {

/** Those of both samples that have weights. */
privacy::Domains weighted_domains(const Problem &problem) {
    privacy::Domains domains = 0;
    if (problem.has_source() && problem.source().weights()) domains |= privacy::kSource;
    if (problem.has_target() && problem.target().weights()) domains |= privacy::kTarget;
    return domains;
}

void check_values(const Sample &sample, const char *name) {
    double sum = 0.0;
    for (std::size_t i = 0; i < sample.rows(); ++i) {
        const double weight = (*sample.weights())[i];
        if (!(weight >= 0.0 && std::isfinite(weight)))
            throw Error(DPA_E_INVALID_ARGUMENT,
                        std::string(name) + " row " + std::to_string(i) +
                            ": the weight must be a number of at least 0, but is " +
                            to_text(weight));
        sum += weight / static_cast<double>(sample.rows());
    }
    if (!(sum > 0.0))
        throw Error(DPA_E_INVALID_ARGUMENT,
                    std::string(name) + ": some row must have a weight that is not 0");
}

[[noreturn]] void refuse(const std::string &text) { throw Error(DPA_E_UNSUPPORTED, text); }

void check_method(privacy::Domains weighted, const baseline::MethodSpec &method) {
    const std::string name = std::string("baseline ") + method.name;
    if (method.weighted == baseline::Weighted::none)
        refuse(name + " weighs rows itself, and knows no weights of the user's");
    if (method.weighted == baseline::Weighted::source && (weighted & privacy::kTarget) != 0)
        refuse(name +
               " draws batches of records that count alike: only source rows can have weights");
    if (method.weighted == baseline::Weighted::target && (weighted & privacy::kSource) != 0)
        refuse(name + " finds the weights of source rows itself: only target rows can have others");
}

/** Of rows of a private sample. */
void check_private_weights(bool given, const Settings &settings) {
    const bool bounded = settings.privacy.row_weight_bound.has_value();
    if (given && !bounded)
        refuse(
            "weights of rows of a private sample need option row_weight_bound, a public number to "
            "which they are clipped: without it the sensitivity of sums would depend on them");
    if (bounded && !given)
        throw Error(DPA_E_OPTION,
                    "option row_weight_bound is for weights of private rows, which have none: call "
                    "dpa_problem_set_target_weights or dpa_problem_set_source_weights, or leave "
                    "the option out");
}

void check_private(const Settings &settings) {
    if (settings.privacy.method == Method::paper)
        refuse("method = paper has no weights of rows but those of its own");
    if (adapts_alpha(settings)) return;
    const bool coupled = settings.penalty == PenaltyKind::convex
                             ? settings.kappa_2 > 0.0 || settings.kappa_inf > 0.0
                             : settings.lambda_2 > 0.0 || settings.lambda_inf > 0.0;
    if (coupled)
        refuse(
            "weights of rows and kappa_2, kappa_inf, lambda_2 or lambda_inf together need "
            "private_domain = none");
}

}  // namespace

void check_row_weights(const Problem &problem, const Settings &settings,
                       const baseline::MethodSpec *method) {
    const privacy::Domains weighted = weighted_domains(problem);
    const privacy::Domains open = weighted & ~settings.privacy.domains;
    check_private_weights(weighted != open, settings);
    if (weighted == 0) return;
    if ((open & privacy::kSource) != 0) check_values(problem.source(), "source");
    if ((open & privacy::kTarget) != 0) check_values(problem.target(), "target");
    if (method != nullptr) return check_method(weighted, *method);
    if (settings.privacy.domains != 0) check_private(settings);
}

void refuse_row_weights(const Problem &problem, const char *what) {
    if (weighted_domains(problem) == 0) return;
    refuse(std::string(what) + ": all rows count alike, and weights of theirs cannot be followed");
}

}  // namespace dpadapt::engine
