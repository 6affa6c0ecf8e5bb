#include "engine/sources.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "objective/choose_alpha.hpp"
#include "objective/left_out.hpp"

namespace dpadapt::engine {
namespace {

constexpr double kStandardErrors = 1.0;  // by which fewer sources must be better

using RowNumbers = std::vector<std::size_t>;

/** What the target says of a source. */
struct Alone {
    double loss;       ///< mean of the target's at the source's fit
    bool is_of_worth;  ///< less than with no feature at all
};

class Choice {
  public:
    Choice(const Sample &target, const Settings &settings, Control &control, PublicRows &rows)
        : target_(target), settings_(settings), control_(control), rows_(rows) {
        settings_.alpha.reset();  // what is compared are sources, each at its own best
    }

    /** At the fit of these source rows alone; an infinite loss without a label. */
    [[nodiscard]] Alone alone(const RowNumbers &source) {
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
        return learn_trust(problem, settings_, true, control_);
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

}  // namespace

void choose_sources(const Persons &sources, const Sample &target, const Settings &settings,
                    Control &control, PublicRows &rows) {
    Choice choice(target, settings, control, rows);
    std::vector<std::pair<Alone, std::size_t>> order;
    for (std::size_t k = 0; k < sources.count(); ++k) {
        const RowNumbers of_source(sources.rows(k).begin(), sources.rows(k).end());
        const Alone alone = choice.alone(of_source);
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
    bool all_of_worth = true;
    for (std::size_t count = 1; count <= order.size(); ++count) {
        all_of_worth = all_of_worth && order[count - 1].first.is_of_worth;
        const LeftOutCharge charge = choice.charge(first(count));
        if (!std::isfinite(charge.mean)) continue;
        tried.push_back(count);
        best.add(all_of_worth ? static_cast<double>(count) : 0.0, charge.mean, charge.losses);
    }
    const auto chosen = best();
    rows.keep_source(first(chosen ? tried[*chosen] : 1));
}

}  // namespace dpadapt::engine
