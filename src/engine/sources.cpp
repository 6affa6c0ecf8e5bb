#include "engine/sources.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "objective/choose_alpha.hpp"

namespace dpadapt::engine {
namespace {

using RowNumbers = std::vector<std::size_t>;

class Choice {
  public:
    Choice(const Sample &target, const Settings &settings, Control &control, PublicRows &rows)
        : target_(target), settings_(settings), control_(control), rows_(rows) {
        settings_.alpha.reset();  // what is compared are sources, each at its own best
    }

    /** Mean loss of the target at the fit of these source rows alone; infinite without a label. */
    [[nodiscard]] double loss_alone(const RowNumbers &source) {
        rows_.keep_source(source);
        if (!rows_.has_source_labels()) return std::numeric_limits<double>::infinity();
        const PreparedProblem problem = prepared();
        std::vector<double> losses(problem.target().rows());
        problem.target_loss_rows().losses(problem.source_fit(), losses.data());
        const double mean = problem.target().mean(losses);
        if (mean < least_alone_) {
            least_alone_ = mean;
            kappa_1_ = problem.hyperparameters().kappa_1;
        }
        return mean;
    }

    /** Mean charge of left-out rows of the target where these source rows are adapted. */
    [[nodiscard]] double charge(const RowNumbers &source) {
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
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < sources.count(); ++k) {
        const RowNumbers of_source(sources.rows(k).begin(), sources.rows(k).end());
        const double loss = choice.loss_alone(of_source);
        if (std::isfinite(loss)) order.emplace_back(loss, k);
    }
    std::sort(order.begin(), order.end());
    RowNumbers first;
    RowNumbers best;
    double least = std::numeric_limits<double>::infinity();
    for (const auto &[loss, k] : order) {
        first.insert(first.end(), sources.rows(k).begin(), sources.rows(k).end());
        std::sort(first.begin(), first.end());
        const double charge = choice.charge(first);
        if (!(charge <= least) && !best.empty()) continue;
        best = first;
        if (charge <= least) least = charge;
    }
    if (best.empty()) throw Error(DPA_E_LABEL, "no source has a row with a label");
    rows.keep_source(best);
}

}  // namespace dpadapt::engine
