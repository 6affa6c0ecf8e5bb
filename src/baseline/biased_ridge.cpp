#include "baseline/biased_ridge.hpp"

#include <cmath>

#include "base/error.hpp"
#include "baseline/closed_form.hpp"
#include "objective/left_out.hpp"

namespace dpadapt::baseline {
namespace {

/** Of equals the first, which is nearest to the source. */
class Best {
  public:
    explicit Best(const ColumnRows &rows) : rows_(rows) {}

    void compare(LeftOut fit) {
        const double loss = rows_.mean(fit.losses);
        if (fit.losses.empty() || !std::isfinite(loss) || !(loss < least_)) return;
        least_ = loss;
        theta_ = std::move(fit.theta);
    }
    [[nodiscard]] const arma::vec &theta() const { return theta_; }

  private:
    const ColumnRows &rows_;
    double least_ = std::numeric_limits<double>::infinity();
    arma::vec theta_;
};

/** Half of s ||w - w_0||^2. */
SourceSay say_of_fit(const PreparedProblem &problem) {
    const arma::mat second = problem.target().moments().second;
    const double scale = problem.public_sample().loss().output()->largest_curvature() *
                         arma::trace(second) / static_cast<double>(second.n_rows);
    const double s = scale > 0.0 ? scale : 1.0;
    return {s * arma::eye(second.n_rows, second.n_rows), problem.source_fit()};
}

}  // namespace

Solution biased_ridge(const PreparedProblem &problem, const Settings &settings, Control &control) {
    constexpr double kMost = 1000.0;
    constexpr int kHalvings = 36;
    constexpr std::size_t kMostRows = 5000;  // that are left out
    const PublicSample &source = problem.public_sample();
    const bool squared = source.choice().kind == loss::Kind::squared;
    if (!LossRows::has_passes_by_score(source.loss()))
        throw Error(DPA_E_OPTION,
                    "baseline biased_ridge needs a loss of one score that is linear in the "
                    "features");
    const auto n = static_cast<double>(problem.target().rows());
    const ColumnRows rows = some_rows(problem.target(), kMostRows, settings.loss.start_seed);
    const SourceSay say = say_of_fit(problem);
    const double radius = problem.hyperparameters().radius;
    const auto left_out = squared ? left_out_squared(say, problem.target().moments(), n, rows)
                                  : left_out_newton(say, *source.loss().output(), rows, radius);
    Best best(rows);
    for (int k = 0; left_out && k < kHalvings; ++k) {
        control.report({"trust", k, kHalvings});
        best.compare(left_out->at(n * std::ldexp(kMost, -k)));
    }
    if (best.theta().is_empty())
        throw Error(DPA_E_NUMERICAL, "no ridge towards the source's fit gives a finite loss");

    return closed_form(problem, best.theta(), 0.0);
}

}  // namespace dpadapt::baseline
