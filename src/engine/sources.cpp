#include "engine/sources.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "objective/left_out.hpp"
#include "objective/penalty.hpp"
#include "objective/solve.hpp"

namespace dpadapt::engine {

namespace {

constexpr double kStandardErrors = 1.0;  // by which fewer sources must be better

using RowNumbers = std::vector<std::size_t>;

/** The fit of one source, on the target. */
struct SourceFit {
    double loss;  ///< mean of the target's
    bool helps;   ///< it is less than with no feature at all
};

class Choice {
  public:
    Choice(const Sample &target, const Settings &settings, Control &control, PublicRows &rows)
        : target_(target), settings_(settings), control_(control), rows_(rows) {
        settings_.alpha.reset();  // what is compared are sources, each at its own best
    }

    /** At the fit of these source rows alone; an infinite loss without a label. */
    [[nodiscard]] SourceFit alone(const RowNumbers &source) {
        rows_.keep_source(source);
        if (!rows_.has_source_labels()) return {std::numeric_limits<double>::infinity(), false};
        const PreparedProblem problem = prepared();
        const arma::vec &fit = problem.source_fit();
        const double mean = target_loss(problem, fit);
        if (mean < least_alone_) {
            least_alone_ = mean;
            kappa_1_ = problem.hyperparameters().kappa_1;
        }
        return {mean, mean < target_loss(problem, arma::vec(fit.n_elem, arma::fill::zeros))};
    }

    /** Charge of left-out rows of the target where these source rows are adapted. */
    [[nodiscard]] LeftOutCharge charge(const RowNumbers &source) {
        if (!settings_.kappa_1 && settings_.penalty == PenaltyKind::convex)
            settings_.kappa_1 = kappa_1_;
        rows_.keep_source(source);
        PreparedProblem problem = prepared();
        return choose_auto(problem, settings_, true, control_);
    }

  private:
    [[nodiscard]] PreparedProblem prepared() const {
        return PreparedProblem(rows_.source(), target_, settings_, control_,
                               rows_.target_features());
    }

    [[nodiscard]] static double target_loss(const PreparedProblem &problem,
                                            const arma::vec &theta) {
        std::vector<double> losses(problem.target().rows());
        problem.target_loss_rows().losses(theta, losses.data());
        return problem.target().mean(losses);
    }

    const Sample &target_;
    Settings settings_;
    Control &control_;
    PublicRows &rows_;
    double least_alone_ = std::numeric_limits<double>::infinity();
    double kappa_1_ = 0.0;
};

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
        refuse(name + " sets its own weights and accepts none");
    if (method.weighted == baseline::Weighted::source && (weighted & privacy::kTarget) != 0)
        refuse(name +
               " draws batches of records that count alike: only source rows can have weights");
    if (method.weighted == baseline::Weighted::target && (weighted & privacy::kSource) != 0)
        refuse(name + " computes the weights of source rows: only target rows may have weights");
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
                    "dpa_problem_set_weights, or leave "
                    "the option out");
}

void check_private(const Settings &settings) {
    if (settings.privacy.method == Method::paper)
        refuse("method = paper does not support weights of rows");
    if (couples_weights(settings))
        refuse(
            "weights of rows and kappa_2, kappa_inf, lambda_2 or lambda_inf together need "
            "private_domain = none");
}

}  // namespace

void choose_sources(const Persons &sources, const Sample &target, const Settings &settings,
                    Control &control, PublicRows &rows) {
    Choice choice(target, settings, control, rows);
    std::vector<std::pair<SourceFit, std::size_t>> order;
    for (std::size_t k = 0; k < sources.count(); ++k) {
        const RowNumbers of_source(sources.rows(k).begin(), sources.rows(k).end());
        const SourceFit alone = choice.alone(of_source);
        if (std::isfinite(alone.loss)) order.emplace_back(alone, k);
    }
    if (order.empty()) throw Error(DPA_E_LABEL, "no source has a row with a label");
    std::stable_sort(order.begin(), order.end(), [](const auto &one, const auto &other) {
        return one.first.loss < other.first.loss;
    });
    const auto first = [&](std::size_t count) {
        RowNumbers list;
        for (std::size_t k = 0; k < count; ++k) {
            const auto of_source = sources.rows(order[k].second);
            list.insert(list.end(), of_source.begin(), of_source.end());
        }
        std::sort(list.begin(), list.end());
        return list;
    };
    LeftOutChoice best(kStandardErrors);
    std::vector<std::size_t> tried;
    bool all_help = true;
    for (std::size_t count = 1; count <= order.size(); ++count) {
        all_help = all_help && order[count - 1].first.helps;
        const LeftOutCharge charge = choice.charge(first(count));
        if (!std::isfinite(charge.mean)) continue;
        tried.push_back(count);
        best.add(all_help ? static_cast<double>(count) : 0.0, charge.mean, charge.losses);
    }
    const auto chosen = best();
    rows.keep_source(first(chosen ? tried[*chosen] : 1));
}

void check_row_weights(const Problem &problem, const Settings &settings,
                       const baseline::MethodSpec *method) {
    const privacy::Domains weighted = weighted_domains(problem);
    const privacy::Domains open = weighted & ~settings.privacy.domains;
    check_private_weights(weighted != open, settings);
    if (weighted == 0) return;
    problem.check_allowed(settings.privacy);  // before a locked problem's weights are read
    if ((open & privacy::kSource) != 0) check_values(problem.source(), "source");
    if ((open & privacy::kTarget) != 0) check_values(problem.target(), "target");
    if (method != nullptr) return check_method(weighted, *method);
    if (settings.privacy.domains != 0) check_private(settings);
}

void refuse_row_weights(const Problem &problem, const char *what) {
    if (weighted_domains(problem) == 0) return;
    refuse(std::string(what) + " counts all rows alike: weights of rows are not supported");
}

void check_unseen_weights(const Problem &problem, const Settings &settings, const char *what) {
    problem.check_allowed(settings.privacy);
    if ((settings.privacy.domains & privacy::kTarget) != 0)
        return refuse_row_weights(problem, what);
    if ((weighted_domains(problem) & privacy::kTarget) != 0)
        check_values(problem.target(), "target");
}

}  // namespace dpadapt::engine
