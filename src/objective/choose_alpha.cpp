#include "objective/choose_alpha.hpp"

#include <cmath>
#include <optional>

#include "loss/huber.hpp"
#include "objective/held_out.hpp"
#include "objective/left_out.hpp"
#include "objective/penalty.hpp"
#include "problem/public_network.hpp"

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

/** From m down: in closed form each worth is cheap. */
std::vector<double> worths(double m, bool closed_form) {
    std::vector<double> list;
    for (double worth = m; worth >= kLeastWorth; worth *= closed_form ? 0.5 : 0.25)
        list.push_back(worth);
    return list;
}

/** The loss of a target row once its best weight is put in: Huber's for the convex penalty, so that
 *  a spoilt row spoils no fit. Null where that is the loss itself, or not convex. */
std::unique_ptr<const loss::ScoreLoss> profiled_loss(const PreparedProblem &problem) {
    const Hyperparameters &hyper = problem.hyperparameters();
    if (hyper.penalty == PenaltyKind::convex && hyper.kappa_1 > 0.0)
        return std::make_unique<loss::Huber>(std::sqrt(hyper.kappa_1));
    return nullptr;
}

class Search {
  public:
    Search(const PreparedProblem &problem, const Settings &settings, double radius,
           Control &control)
        : problem_(problem),
          radius_(radius),
          control_(control),
          rows_(some_rows(problem.target(), kMostRows, settings.loss.start_seed)),
          profiled_(profiled_loss(problem)),
          closed_form_(is_squared(problem) && !profiled_) {
        if (closed_form_) moments_ = problem.target().moments();
    }

    /** Empty if no fit could be made. */
    [[nodiscard]] std::optional<Trust> operator()() {
        const std::vector<double> grid =
            worths(static_cast<double>(problem_.source().rows()), closed_form_);
        for (const double ridge : kRidges) {
            const auto left_out = fits(source_say(problem_.public_sample(), ridge));
            for (const double worth : grid) {
                control_.report({"trust", done_++,
                                 static_cast<std::int64_t>(grid.size() * std::size(kRidges))});
                if (left_out) compare(left_out->at(worth), worth);
            }
        }
        return best_;
    }

  private:
    [[nodiscard]] std::unique_ptr<LeaveOneOut> fits(SourceSay say) const {
        if (closed_form_) return left_out_squared(say, moments_, count(problem_), rows_);
        const loss::ScoreLoss &loss =
            profiled_ ? *profiled_ : *problem_.public_sample().loss().output();
        return left_out_newton(std::move(say), loss, rows_, radius_);
    }

    [[nodiscard]] double charge(const LeftOut &fit) const {
        if (!profiled_) return mean_charge(problem_.hyperparameters(), fit.losses);
        return arma::mean(arma::vec(fit.losses));
    }

    /** Of equals the first, which trusts the source most. */
    void compare(const LeftOut &fit, double worth) {
        constexpr double kRounding = 1e-9;
        const double norm = arma::norm(fit.theta);
        if (fit.losses.empty() || !(norm <= (1.0 + kRounding) * radius_)) return;
        const double charged = charge(fit);
        if (!std::isfinite(charged) || (best_ && !(charged < (1.0 - kRounding) * least_))) return;
        least_ = charged;
        best_ = Trust{worth / (worth + count(problem_)), norm};
    }

    const PreparedProblem &problem_;
    double radius_;
    Control &control_;
    ColumnRows rows_;
    std::unique_ptr<const loss::ScoreLoss> profiled_;
    bool closed_form_;
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
    const Preprocess &preprocess = problem.preprocess();
    const std::size_t columns = preprocess.features() + (preprocess.has_intercept() ? 1 : 0);
    const double scale = arma::trace(moments.second) / static_cast<double>(columns);
    if (!(scale > 0.0)) return 0.0;
    const arma::uword d = moments.second.n_rows;
    SourceSay none;
    none.curvature = 2.0 * scale * arma::eye(d, d);
    none.center.zeros(d);
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
    const LossRows &target = problem.target_loss_rows();
    const bool network = source.choice().kind == loss::Kind::perceptron;
    double own = 0.0;
    if (is_squared(problem)) {
        own = own_norm(problem, settings);
    } else if (network) {
        own = arma::norm(
            fit_network(target, source.fit(), source.choice(), settings.loss.start_seed, control));
    } else {
        own = arma::norm(fit_loss(target, source.fit(), source.newton(), control));
    }
    const double norm = std::max(arma::norm(source.fit()), own);
    if (!(norm > 0.0 && std::isfinite(norm))) return 1.0;
    return network ? norm : 2.0 * norm;  // a network's weight decay has been chosen
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
