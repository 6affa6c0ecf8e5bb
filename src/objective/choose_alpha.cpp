#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "base/splitmix.hpp"
#include "linalg/smooth_minimum.hpp"
#include "loss/scores.hpp"
#include "objective/left_out.hpp"
#include "objective/penalty.hpp"
#include "objective/solve.hpp"
#include "problem/public_network.hpp"

namespace dpadapt {
namespace {

constexpr double kRidges[] = {0.0, 0.01, 0.1, 1.0, 100.0};
constexpr double kLeastSize = 0.01;  // docs/defaults.md
constexpr double kMostUnits = 1e12;
constexpr double kNoRow = 1e6;  // times the default of kappa_1, or the labels' mean square

struct AlphaChoice {
    double alpha;
    double norm;
    double kappa_1;
    std::vector<double> squares;  ///< weighted errors of the rows that are left out, squared
    LeftOutCharge charge;         ///< the least one
};

bool is_squared(const PreparedProblem &problem) {
    return problem.public_sample().choice().kind == loss::Kind::squared;
}

double count(const PreparedProblem &problem) {
    return static_cast<double>(problem.target().rows());
}

/** Times so much less of the source leaves the target alone: the largest ratio of its columns' mean
 *  squares, or of the labels' variance, to the target's. */
double source_units(const ColumnRows &source, const ColumnRows &target) {
    arma::vec ratios =
        arma::mean(arma::square(source.z), 1) / arma::mean(arma::square(target.z), 1);
    const double labels = arma::var(arma::vec(source.label)) / arma::var(arma::vec(target.label));
    ratios.elem(arma::find_nonfinite(ratios)).ones();
    return std::clamp(std::fmax(ratios.max(), labels), 1.0, kMostUnits);
}

/** With so large a kappa_1 no row loses weight. Where most labels are equal its default is nearly
 *  0, and the labels' own size counts. */
double kappa_of_no_row(const PreparedProblem &problem) {
    return kNoRow *
           std::max(problem.hyperparameters().kappa_1, problem.public_sample().moments().label);
}

/** The loss of a target row once its best weight is put in: Huber's for the convex penalty, so that
 *  a spoilt row spoils no fit. Null where that is the loss itself, or not convex. */
std::unique_ptr<const loss::ScoreLoss> profiled_loss(const PreparedProblem &problem,
                                                     double kappa_1) {
    if (problem.hyperparameters().penalty == PenaltyKind::convex && kappa_1 > 0.0 &&
        !(is_squared(problem) && kappa_1 >= kappa_of_no_row(problem)))
        return std::make_unique<loss::Huber>(std::sqrt(kappa_1));
    return nullptr;
}

/** The squared residual whose Huber loss this is. */
double square_behind(double loss, double kappa_1) {
    if (loss <= kappa_1) return loss;
    const double residual = (loss + kappa_1) / (2.0 * std::sqrt(kappa_1));
    return residual * residual;
}

class Search {
  public:
    /** @param part  Which one of so many searches, for the progress. */
    Search(const PreparedProblem &problem, const Settings &settings, double radius, double kappa_1,
           std::pair<std::size_t, std::size_t> part, Control &control)
        : problem_(problem),
          radius_(radius),
          kappa_1_(kappa_1),
          part_(part),
          control_(control),
          rows_(some_rows(problem.target(), settings.loss.start_seed)),
          profiled_(profiled_loss(problem, kappa_1)),
          closed_form_(is_squared(problem) && !profiled_),
          least_(kLeastSize /
                 source_units(some_rows(problem.source(), settings.loss.start_seed), rows_)),
          charged_(problem.hyperparameters()) {
        charged_.kappa_1 = kappa_1;  // the losses are those of fits with that one
        if (closed_form_) moments_ = problem.target().moments();
    }

    /** Empty if no fit could be made. */
    [[nodiscard]] std::optional<AlphaChoice> operator()() {
        std::vector<double> grid;  // from m down: in closed form each size is cheap
        for (auto size = static_cast<double>(problem_.source().rows()); size >= least_;
             size *= closed_form_ ? 0.5 : 0.25)
            grid.push_back(size);
        const std::size_t steps = grid.size() * std::size(kRidges);
        std::size_t done = part_.first * steps;
        for (const double ridge : kRidges) {
            const auto left_out =
                fits(source_prior(problem_.public_sample(), ridge, problem_.source_fit()));
            for (const double size : grid) {
                control_.report({"choose alpha", done++, part_.second * steps});
                if (left_out) compare(left_out->at(size), size);
            }
        }
        const auto chosen = choice_();
        if (!chosen) return {};
        const Tried &fit = is_squared(problem_) ? tried_[*chosen] : checked(*chosen);
        const auto least = std::ranges::min_element(tried_, {}, &Tried::charge);
        return AlphaChoice{
            fit.alpha, fit.norm, kappa_1_, squares(fit.losses), {least->charge, least->losses}};
    }

  private:
    struct Tried {
        double size;
        double alpha;
        arma::vec theta;
        double norm;
        double charge;
        std::vector<double> losses;
    };

    [[nodiscard]] std::unique_ptr<LeaveOneOut> fits(SourcePrior prior) const {
        if (closed_form_) return left_out_squared(prior, moments_, count(problem_), rows_);
        const loss::ScoreLoss &loss =
            profiled_ ? *profiled_ : *problem_.public_sample().loss().output();
        return left_out_newton(std::move(prior), loss, rows_, radius_);
    }

    /** Another loss than the squared one is quadratic near the source's fit only. The choice is
     *  fitted with the source's own loss; if the target by itself is better then, it is chosen. */
    [[nodiscard]] const Tried &checked(std::size_t chosen) const {
        constexpr int kRounds = 8;
        constexpr double kArrived = 1e-3;
        const Tried &choice = tried_[chosen];
        const Tried &alone = *std::ranges::min_element(
            tried_, {}, [](const Tried &fit) { return std::pair(fit.alpha, fit.charge); });
        LeftOut fit{choice.theta, {}};
        double moved = arma::datum::inf;
        for (int round = 0; round < kRounds && moved > kArrived * arma::norm(fit.theta); ++round) {
            LeftOut next =
                fits(source_prior(problem_.public_sample(), 0.0, fit.theta))->at(choice.size);
            moved = arma::norm(next.theta - fit.theta);
            fit = std::move(next);
        }
        LeftOutChoice choice_of_two;
        choice_of_two.add(alone.size, alone.charge, alone.losses);
        if (!fit.losses.empty() && std::isfinite(charge(fit)))
            choice_of_two.add(choice.size, charge(fit), fit.losses);
        return *choice_of_two() == 0 ? alone : choice;
    }

    [[nodiscard]] double charge(const LeftOut &fit) const {
        if (!profiled_) return mean_charge(charged_, fit.losses, rows_.relative);
        return rows_.mean(fit.losses);
    }

    /** The larger the effective size of the source, the better. */
    void compare(const LeftOut &fit, double size) {
        constexpr double kRounding = 1e-9;
        const double norm = arma::norm(fit.theta);
        if (fit.losses.empty() || !(norm <= (1.0 + kRounding) * radius_)) return;
        const double charged = charge(fit);
        if (!std::isfinite(charged)) return;
        tried_.push_back(
            {size, size / (size + count(problem_)), fit.theta, norm, charged, fit.losses});
        choice_.add(size, charged, fit.losses);
    }

    [[nodiscard]] std::vector<double> squares(std::vector<double> losses) const {
        for (std::size_t i = 0; i < losses.size(); ++i) {
            if (profiled_) losses[i] = square_behind(losses[i], kappa_1_);
            losses[i] *= rows_.weight(i);
        }
        return losses;
    }

    const PreparedProblem &problem_;
    double radius_;
    double kappa_1_;
    std::pair<std::size_t, std::size_t> part_;
    Control &control_;
    ColumnRows rows_;
    std::unique_ptr<const loss::ScoreLoss> profiled_;
    bool closed_form_;
    double least_;  ///< size of the source
    Hyperparameters charged_;
    Moments moments_;
    std::vector<Tried> tried_;
    LeftOutChoice choice_;
};

/** Whether the mean of errors is less by more than its standard error: no single row decides. */
bool is_less(const arma::vec &errors, const arma::vec &than) {
    constexpr double kRounding = 1e-9;
    if (errors.n_elem < 2) return false;
    const arma::vec gain = than - errors;
    const double chance = arma::stddev(gain) / std::sqrt(static_cast<double>(gain.n_elem));
    return arma::mean(gain) > std::max(chance, kRounding * arma::mean(than));
}

/** Tries larger kappa_1, by the target's rows: the source's residuals do not show its scale where
 *  domains differ, and with long-tailed labels weights cost more than they save. */
std::optional<AlphaChoice> search(const PreparedProblem &problem, const Settings &settings,
                                  double radius, Control &control) {
    const Hyperparameters &hyper = problem.hyperparameters();
    std::vector<double> kappas = {hyper.kappa_1};
    if (is_squared(problem) && hyper.penalty == PenaltyKind::convex && hyper.kappa_1 > 0.0 &&
        !settings.kappa_1)
        kappas.insert(kappas.end(), {16.0 * hyper.kappa_1, kappa_of_no_row(problem)});
    std::optional<AlphaChoice> best;
    for (std::size_t i = 0; i < kappas.size(); ++i) {
        const auto found =
            Search(problem, settings, radius, kappas[i], {i, kappas.size()}, control)();
        if (found && (!best || is_less(found->squares, best->squares))) best = found;
    }
    return best;
}

/** Weighted losses of both samples. */
class WeightedRows : public linalg::SmoothFunction {
  public:
    /** Weights of the target's rows are those that it is given. */
    WeightedRows(const PreparedProblem &problem, double alpha, std::vector<double> target) {
        const LossRows &source = problem.public_sample().loss_rows();
        parts_[0] = {&source, source.sample().shares(alpha)};
        parts_[1] = {&problem.target_loss_rows(), std::move(target)};
    }

    double evaluate(const arma::vec &theta, arma::vec &gradient) override {
        gradient.zeros(theta.n_elem);
        double value = 0.0;
        for (const Part &part : parts_) {
            losses_.resize(part.rows->rows());
            gradient += part.rows->gradient(theta, part.weight.data(), losses_.data());
            for (std::size_t i = 0; i < losses_.size(); ++i)
                if (part.weight[i] > 0.0) value += part.weight[i] * losses_[i];
        }
        return value;
    }

    arma::vec diagonal(const arma::vec &theta) override {
        return parts_[0].rows->diagonal(theta, parts_[0].weight.data()) +
               parts_[1].rows->diagonal(theta, parts_[1].weight.data());
    }

  private:
    struct Part {
        const LossRows *rows = nullptr;
        std::vector<double> weight;
    };

    Part parts_[2];
    std::vector<double> losses_;
};

/** About so many, by the seed; of not too many, copies together. */
std::vector<bool> held_out(const LossRows &rows, std::size_t count, std::uint64_t seed) {
    constexpr std::size_t kMostRows = 5000;  // as where single rows are left out
    const std::size_t n = rows.rows();
    std::vector<std::size_t> group(n);
    std::iota(group.begin(), group.end(), std::size_t{0});
    std::size_t groups = n;
    if (n <= kMostRows) {
        arma::mat all;
        rows.sample().fill(0, n, all);
        if (const auto distinct = copies(all, rows.sample().labels())) {
            group = distinct->point;
            groups = distinct->size();
        }
    }
    std::vector<bool> chosen(groups, false);
    for (const std::size_t k :
         SplitMix64(seed).draw(groups, std::max<std::size_t>(1, count * groups / n)))
        chosen[k] = true;
    std::vector<bool> is_held(n);
    for (std::size_t i = 0; i < n; ++i) is_held[i] = chosen[group[i]];
    return is_held;
}

/** The alpha, of a few up to default_alpha, whose fit to the source and three quarters of the
 *  target's rows has the least mean loss on the other quarter. For losses without a quadratic
 *  model: each costs a fit. And that loss. */
std::pair<double, LeftOutCharge> alpha_by_held_out_rows(const PreparedProblem &problem,
                                                        const Settings &settings, double radius,
                                                        Control &control) {
    constexpr double kAlphas[] = {0.5, 0.1, 0.01, 0.0};  // docs/defaults.md
    constexpr std::size_t kParts = 4;
    constexpr std::size_t kFewest = 10;  // held rows that leave the source; docs/defaults.md
    constexpr double kTolerance = 1e-4;
    constexpr std::size_t kMostIterations = 200;
    const LossRows &target = problem.target_loss_rows();
    const std::size_t n = target.rows();
    const double most = default_alpha(problem.source().rows(), n);
    if (n < kParts) return {most, {}};
    const std::vector<bool> is_held = held_out(target, n / kParts, settings.loss.start_seed);
    std::vector<double> alphas{most};
    for (const double alpha : kAlphas)
        if (alpha < most && (alpha > 0.0 || n / kParts >= kFewest)) alphas.push_back(alpha);

    const std::vector<double> relative = target.sample().shares(static_cast<double>(n));
    std::vector<double> weights_of_held;
    double learnt = 0.0;  // weight of the rows that are not held
    for (std::size_t i = 0; i < n; ++i)
        if (is_held[i])
            weights_of_held.push_back(relative[i]);
        else
            learnt += relative[i];
    if (!(learnt > 0.0)) return {most, {}};

    LeftOutCharge least{std::numeric_limits<double>::infinity(), {}};
    double best = most;
    std::vector<double> losses(n);
    for (std::size_t k = 0; k < alphas.size(); ++k) {
        const auto report = [&](std::size_t, double, double) {
            control.report({"choose alpha", k, alphas.size()});
        };
        std::vector<double> weight(n, 0.0);
        for (std::size_t i = 0; i < n; ++i)
            if (!is_held[i]) weight[i] = (1.0 - alphas[k]) / learnt * relative[i];
        WeightedRows function(problem, alphas[k], std::move(weight));
        const arma::vec theta =
            linalg::minimize_smooth(function, problem.source_fit(),
                                    {radius, kTolerance, kMostIterations}, report)
                .x;
        target.losses(theta, losses.data());
        std::vector<double> of_held;
        for (std::size_t i = 0; i < n; ++i)
            if (is_held[i]) of_held.push_back(losses[i]);
        const double mean = mean_charge(problem.hyperparameters(), of_held, weights_of_held);
        if (mean < least.mean) {
            least = {mean, std::move(of_held)};
            best = alphas[k];
        }
    }
    return {best, std::move(least)};
}

/** Norm of the target's ridge fit of least leave-one-out error; the larger one of those with the
 *  default of kappa_1 and with all rows' weights. */
double own_norm(const PreparedProblem &problem, const Settings &settings) {
    constexpr double kMost = 10.0;  // ridges in units of the mean square of a column
    constexpr double kLeast = 1e-10;
    const Moments moments = problem.target().moments();
    const Preprocess &preprocess = problem.preprocess();
    const std::size_t columns = preprocess.features() + (preprocess.has_intercept() ? 1 : 0);
    const double scale = arma::trace(moments.second) / static_cast<double>(columns);
    if (!(scale > 0.0)) return 0.0;
    const arma::uword d = moments.second.n_rows;
    const SourcePrior none{2.0 * scale * arma::eye(d, d), arma::vec(d, arma::fill::zeros)};
    const ColumnRows rows = some_rows(problem.target(), settings.loss.start_seed);
    const auto left_out = left_out_squared(none, moments, count(problem), rows);
    double largest = 0.0;
    Hyperparameters hyper = problem.hyperparameters();
    for (const double kappa_1 : {hyper.kappa_1, kappa_of_no_row(problem)}) {
        hyper.kappa_1 = kappa_1;
        double least = std::numeric_limits<double>::infinity();
        double norm = 0.0;
        for (double ridge = kMost; left_out && ridge >= kLeast; ridge *= 0.5) {
            const LeftOut fit = left_out->at(ridge * count(problem));
            const double charge = mean_charge(hyper, fit.losses, rows.relative);
            if (!(charge < least)) continue;
            least = charge;
            norm = arma::norm(fit.theta);
        }
        largest = std::max(largest, norm);
    }
    return largest;
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

LeftOutCharge choose_auto(PreparedProblem &problem, const Settings &settings, bool chooses_alpha,
                          Control &control) {
    control.report({"choose alpha"});
    double radius = settings.radius ? *settings.radius : roomy_radius(problem, settings, control);
    double alpha = problem.hyperparameters().alpha;
    LeftOutCharge charge;
    double kappa_1 = problem.hyperparameters().kappa_1;
    if (chooses_alpha && !settings.alpha) {
        if (is_squared(problem) || problem.public_sample().newton()) {
            if (auto best = search(problem, settings, radius, control)) {
                alpha = best->alpha;
                charge = std::move(best->charge);
                kappa_1 = best->kappa_1;
                if (!settings.radius && best->norm > 0.0) radius = best->norm;
            }
        } else {
            std::tie(alpha, charge) = alpha_by_held_out_rows(problem, settings, radius, control);
        }
    }
    problem.set_chosen(alpha, radius, kappa_1);
    return charge;
}

}  // namespace dpadapt
