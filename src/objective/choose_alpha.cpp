#include "objective/choose_alpha.hpp"

#include <cmath>
#include <optional>

#include "objective/held_out.hpp"
#include "objective/left_out.hpp"
#include "objective/penalty.hpp"

namespace dpadapt {
namespace {

constexpr double kRidges[] = {0.0, 0.01, 0.1, 1.0, 100.0};
constexpr double kLeastWorth = 0.01;
constexpr std::size_t kMostRows = 5000;  // that are left out

struct Trust {
    double alpha;
    double norm;
};

bool is_squared(const PreparedProblem &problem) {
    return problem.public_sample().choice().kind == loss::Kind::squared;
}

double count(const PreparedProblem &problem) {
    return static_cast<double>(problem.target().rows());
}

/** Of a grid from m down: of the squared loss each worth is cheap. */
std::vector<double> worths(double m, double factor) {
    std::vector<double> list;
    for (double worth = m; worth >= kLeastWorth; worth *= factor) list.push_back(worth);
    return list;
}

class Search {
  public:
    Search(const PreparedProblem &problem, const Settings &settings, double radius,
           Control &control)
        : problem_(problem),
          radius_(radius),
          control_(control),
          rows_(some_rows(problem.target(), kMostRows, settings.loss.start_seed)) {
        if (is_squared(problem)) moments_ = problem.target().moments();
    }

    /** Empty if no fit could be made. */
    [[nodiscard]] std::optional<Trust> operator()() {
        const double factor = is_squared(problem_) ? 0.5 : 0.25;
        const std::vector<double> grid =
            worths(static_cast<double>(problem_.source().rows()), factor);
        for (const double ridge : kRidges) {
            const auto left_out = fits(source_say(problem_.public_sample(), ridge));
            for (const double worth : grid) {
                control_.report({"trust", done_++,
                                 static_cast<std::int64_t>(grid.size() * std::size(kRidges)),
                                 least_});
                if (left_out) compare(left_out->at(worth), worth);
            }
        }
        return best_;
    }

  private:
    [[nodiscard]] std::unique_ptr<LeaveOneOut> fits(SourceSay say) const {
        if (is_squared(problem_)) return left_out_squared(say, moments_, count(problem_), rows_);
        return left_out_newton(std::move(say), *problem_.public_sample().loss().output(), rows_,
                               radius_);
    }

    /** Of equals the first, which trusts the source most. */
    void compare(const LeftOut &fit, double worth) {
        constexpr double kRounding = 1e-9;
        const double norm = arma::norm(fit.theta);
        if (!(norm <= (1.0 + kRounding) * radius_)) return;
        if (fit.losses.empty()) return;
        const double charge = mean_charge(problem_.hyperparameters(), fit.losses);
        if (!std::isfinite(charge) || (best_ && !(charge < (1.0 - kRounding) * least_))) return;
        least_ = charge;
        best_ = Trust{worth / (worth + count(problem_)), norm};
    }

    const PreparedProblem &problem_;
    double radius_;
    Control &control_;
    ColumnRows rows_;
    Moments moments_;
    std::int64_t done_ = 0;
    double least_ = std::numeric_limits<double>::quiet_NaN();
    std::optional<Trust> best_;
};

/** Norm of the target's ridge fit of least leave-one-out error. */
double own_norm(const PreparedProblem &problem, const Settings &settings) {
    constexpr double kMost = 10.0;  // ridges in units of the mean square of a column
    constexpr double kLeast = 1e-10;
    const Moments moments = problem.target().moments();
    const double scale = arma::mean(moments.second.diag());
    if (!(scale > 0.0)) return 0.0;
    const arma::uword d = moments.second.n_rows;
    const SourceSay none{2.0 * scale * arma::eye(d, d), arma::vec(d, arma::fill::zeros)};
    const ColumnRows rows = some_rows(problem.target(), kMostRows, settings.loss.start_seed);
    const auto left_out = left_out_squared(none, moments, count(problem), rows);
    double least = std::numeric_limits<double>::infinity();
    double norm = 0.0;
    for (double ridge = kMost; left_out && ridge >= kLeast; ridge *= 0.5) {
        const LeftOut fit = left_out->at(ridge * count(problem));
        const double charge = mean_charge(problem.hyperparameters(), fit.losses);
        if (!(charge < least)) continue;
        least = charge;
        norm = arma::norm(fit.theta);
    }
    return norm;
}

}  // namespace

double roomy_radius(const PreparedProblem &problem, const Settings &settings, Control &control) {
    const PublicSample &source = problem.public_sample();
    const double own = is_squared(problem)
                           ? own_norm(problem, settings)
                           : arma::norm(fit_loss(problem.target_loss_rows(), source.fit(),
                                                 source.newton(), control));
    const double norm = std::max(arma::norm(source.fit()), own);
    return norm > 0.0 && std::isfinite(norm) ? 2.0 * norm : 1.0;
}

void learn_trust(PreparedProblem &problem, const Settings &settings, bool chooses_alpha,
                 Control &control) {
    control.report({"trust"});
    double radius = settings.radius ? *settings.radius : roomy_radius(problem, settings, control);
    double alpha = problem.hyperparameters().alpha;
    if (chooses_alpha && !settings.alpha) {
        if (is_squared(problem) || problem.public_sample().newton()) {
            if (const auto best = Search(problem, settings, radius, control)()) {
                alpha = best->alpha;
                if (!settings.radius && best->norm > 0.0) radius = best->norm;
            }
        } else {
            alpha = alpha_by_held_out_rows(problem, settings, radius, control);
        }
    }
    problem.trust(alpha, radius);
}

}  // namespace dpadapt
