#include "problem/public_network.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/splitmix.hpp"
#include "base/text.hpp"
#include "linalg/smooth_minimum.hpp"
#include "loss/poisson.hpp"
#include "problem/defaults.hpp"

namespace dpadapt {

namespace {

/** What the decay of each weight is a multiple of: for the last layer the largest curvature of its
 *  loss, for hidden ones the mean loss of scores 0. So it depends on no unit of the labels. */
arma::vec decay_units(const LossRows &rows, const loss::Choice &choice) {
    const arma::vec zero(rows.parameters(), arma::fill::zeros);
    std::vector<double> losses(rows.rows());
    rows.losses(zero, losses.data());
    const double mean = rows.sample().mean(losses);
    arma::vec units(rows.parameters());
    units.fill(mean > 0.0 ? mean : 1.0);
    units.tail(loss::last_layer(choice))
        .fill(choice.unit * choice.unit * rows.loss().output()->largest_curvature());
    return units;
}

/** Mean loss plus the ridge. */
class RidgeLoss : public linalg::SmoothFunction {
  public:
    RidgeLoss(const LossRows &rows, bool newton, arma::vec ridge, std::vector<double> weight)
        : rows_(rows),
          newton_(newton),
          ridge_(std::move(ridge)),
          weight_(std::move(weight)),
          losses_(rows.rows()) {}

    double evaluate(const arma::vec &theta, arma::vec &gradient) override {
        gradient = rows_.gradient(theta, weight_.data(), losses_.data()) + ridge_ % theta;
        double sum = 0.0;
        for (std::size_t i = 0; i < losses_.size(); ++i)
            if (weight_[i] > 0.0) sum += weight_[i] * losses_[i];
        return sum + 0.5 * arma::dot(theta, ridge_ % theta);
    }

    arma::mat curvature(const arma::vec &theta) override {
        if (!newton_) return {};
        arma::mat h = rows_.curvature(theta, weight_.data());
        h.diag() += ridge_;
        return h;
    }

    arma::vec diagonal(const arma::vec &theta) override {
        const arma::vec h = rows_.diagonal(theta, weight_.data());
        return h.is_empty() ? h : arma::vec(h + ridge_);
    }

    /** Within which every point better than this one lies. */
    [[nodiscard]] double reach(double value) const { return std::sqrt(2.0 * value / ridge_.min()); }

  private:
    const LossRows &rows_;
    bool newton_;
    arma::vec ridge_;
    std::vector<double> weight_;
    std::vector<double> losses_;
};

loss::Choice known(const LossSettings &settings) {
    loss::Choice choice;
    choice.kind = settings.kind;
    if (settings.kind == loss::Kind::perceptron) {
        choice.hidden = settings.hidden_units;
        choice.output = settings.output;
    }
    choice.callback = settings.callback;
    if (settings.baseline) choice.baseline = *settings.baseline;
#define DPA_LOSS_NUMBER(type, name) \
    if (loss::has(choice, loss::Number::name)) choice.name = settings.name.value_or(0);
#include "loss/numbers.def"
    if (loss::has_log_link(choice.kind)) choice.unit = choice.typical_label;
    return choice;
}

/** One more than the largest label. Labels that are codes, such as 10, 20, 30, would make classes
 *  that nobody has, and noise for each; what is no class at all is for the loss to refuse. */
std::size_t count_classes(const std::vector<double> &labels) {
    constexpr auto kMostClasses = static_cast<double>(loss::kMostClasses);
    const double last = *std::max_element(labels.begin(), labels.end());
    const auto count = static_cast<std::size_t>(std::clamp(last + 1.0, 2.0, kMostClasses));
    std::vector<bool> has(count);
    for (const double label : labels) {
        if (!(label >= 0.0 && label < kMostClasses && label == std::floor(label))) return count;
        has[static_cast<std::size_t>(label)] = true;
    }
    const auto absent = std::find(has.begin(), has.end(), false);
    if (absent != has.end() && last > 1.0)
        throw Error(DPA_E_LABEL, "no public label is " + std::to_string(absent - has.begin()) +
                                     ", but one is " + to_text(last) +
                                     ": classes are 0, 1, ... without gaps; code the labels so, or "
                                     "set the option classes");
    return count;
}

}  // namespace

arma::vec fit_network(const LossRows &rows, const arma::vec &start, const loss::Choice &choice,
                      std::uint64_t seed, Control &control) {
    constexpr std::size_t kParts = 5;  // docs/defaults.md
    const std::size_t held = rows.rows() / kParts;
    const arma::vec units = decay_units(rows, choice);
    const std::vector<double> relative = rows.sample().shares(static_cast<double>(rows.rows()));
    const double share = 1.0 / static_cast<double>(rows.rows() - held);
    std::vector<double> weight(relative);
    for (double &of_row : weight) of_row *= share;
    const std::vector<std::size_t> of_test = SplitMix64(seed).draw(rows.rows(), held);
    for (const std::size_t i : of_test) weight[i] = 0.0;

    double best = 0.0;
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> losses(rows.rows());
    for (const double decay : defaults::kWeightDecays) {
        if (held == 0) break;
        const arma::vec fit = fit_loss(rows, start, false, control, decay * units, weight);
        rows.losses(fit, losses.data());
        double loss = 0.0;
        for (const std::size_t i : of_test) loss += relative[i] * losses[i];
        if (!(loss < least)) break;
        least = loss;
        best = decay;
    }
    return fit_loss(rows, start, false, control, best * units);
}

loss::Choice choose_loss(const LossSettings &settings, const std::vector<double> &labels,
                         double mean_label, const std::function<double()> &residual_scale) {
    loss::Choice choice = known(settings);
#define DPA_LOSS_NUMBER(type, name)                                              \
    if (const double scales = loss::residual_scales(loss::Number::name);         \
        scales > 0.0 && loss::has(choice, loss::Number::name) && !settings.name) \
        choice.name = static_cast<type>(residual_scale() * scales);
#include "loss/numbers.def"
    if (loss::has(choice, loss::Number::classes) && !settings.classes)
        choice.classes = count_classes(labels);
    if (loss::has(choice, loss::Number::typical_label) && !settings.typical_label) {
        constexpr double kFree = 4.0;  // times the largest label the link is straight
        choice.typical_label = mean_label > 0.0 && std::isfinite(mean_label) ? mean_label : 1.0;
        choice.unit = choice.typical_label;
        const double largest = settings.largest_label.value_or(
            labels.empty() ? 0.0 : *std::max_element(labels.begin(), labels.end()));
        if (std::isfinite(largest))
            choice.typical_label =
                std::max(choice.typical_label, kFree / loss::Poisson::kMostTypical * largest);
    }
    return choice;
}

loss::Choice choose_loss(const LossSettings &settings, const char *why) {
    loss::Choice choice = known(settings);
#define DPA_LOSS_NUMBER(type, name)                              \
    if (loss::has(choice, loss::Number::name) && !settings.name) \
        throw Error(DPA_E_OPTION, std::string("option " #name " must be a number ") + why);
#include "loss/numbers.def"
    if (choice.kind == loss::Kind::survival && !settings.baseline)
        throw Error(DPA_E_OPTION,
                    "loss = survival needs a public sample, which tells the baseline's hazard");
    return choice;
}

void center_rates(loss::Choice &choice, Preprocess &preprocess) {
    if (!loss::has_log_link(choice.kind)) return;
    if (!preprocess.has_intercept()) choice.unit = 1.0;
    preprocess.center_scores(std::log(choice.unit));
}

bool uses_newton(const std::optional<Optimizer> &optimizer, const loss::Choice &choice,
                 const loss::Loss &loss, std::size_t dimension) {
    constexpr std::size_t kMostColumns = 2000;  // docs/defaults.md
    const bool possible = LossRows::has_passes_by_score(loss);
    if (optimizer == Optimizer::newton && !possible)
        throw Error(DPA_E_OPTION,
                    "option optimizer = newton needs a loss of one score that is linear in the "
                    "features");
    if (optimizer) return *optimizer == Optimizer::newton;
    return possible && (choice.kind == loss::Kind::squared || dimension <= kMostColumns);
}

arma::vec fit_loss(const LossRows &rows, arma::vec start, bool newton, Control &control,
                   const arma::vec &ridge, std::vector<double> weight) {
    constexpr double kTolerance = 1e-7;
    constexpr std::size_t kMostIterations = 500;
    const loss::Units units = rows.units();
    arma::vec ridges = rows.ridge();
    if (!ridge.is_empty()) ridges += ridge;
    if (weight.empty()) weight = rows.sample().shares();
    RidgeLoss function(rows, newton, std::move(ridges), std::move(weight));
    arma::vec gradient;
    const double radius =
        std::max(1e-8 * units.parameter,
                 function.reach(function.evaluate(start, gradient)) + arma::norm(start));
    return linalg::minimize_smooth(function, std::move(start),
                                   {radius, kTolerance, kMostIterations},
                                   linalg::reporting(control, "public fit", kMostIterations))
        .x;
}

}  // namespace dpadapt
