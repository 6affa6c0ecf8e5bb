#include "privacy/plan.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "privacy/ledger.hpp"
#include "privacy/sampled_gaussian.hpp"

namespace dpadapt::privacy {
namespace {

constexpr int kNumberBits = 32;

/** Of the domains that the request protects. */
std::size_t fewest_records(const PlanRequest &request) {
    const std::size_t m = (request.domains & kSource) != 0 ? request.source_rows : SIZE_MAX;
    // mutant: sizes_swapped
    const std::size_t n = (request.domains & kTarget) != 0 ? request.target_rows : SIZE_MAX;
    return std::min(m, n);
}

std::size_t all_records(const PlanRequest &request) {
    return ((request.domains & kSource) != 0 ? request.source_rows : 0) +
           ((request.domains & kTarget) != 0 ? request.target_rows : 0);
}

/** The private samples whose records have weight: the others do not enter gradients. */
Domains weighted_domains(const PlanRequest &request) {
    return request.domains & ((request.source_weight > 0.0 ? kSource : 0U) |
                              (request.target_weight > 0.0 ? kTarget : 0U));
}

double largest_weight(const PlanRequest &request) {
    return std::max((request.domains & kSource) != 0 ? request.source_weight : 0.0,
                    (request.domains & kTarget) != 0 ? request.target_weight : 0.0);
}

/** sigma/sensitivity of each gradient release in the paper: 2 sqrt(T log(3/delta))/epsilon, with
 *  half of epsilon if the other half goes to the discrepancy. */
double printed_multiplier(const PlanRequest &request) {
    if (!request.epsilon || !request.delta || *request.delta == 0.0)
        throw Error(DPA_E_OPTION, "calibration = paper needs epsilon and a positive delta");
    const double epsilon = request.discrepancy ? *request.epsilon / 2.0 : *request.epsilon;
    return 2.0 * std::sqrt(static_cast<double>(request.steps) * std::log(3.0 / *request.delta)) /
           epsilon;
}

/** What each release may cost: mu^2 in units of 2^-80. */
struct Allowance {
    DiscrepancyPrice discrepancy;
    Uint128 step = 0;
    Uint128 moments = 0;
    Uint128 comparison = 0;
    Uint128 inference = 0;  ///< both of its releases
    Uint128 weight_sum = 0;
    Uint128 own_columns = 0;
};

/** Of whose records second moments are released: of both the source's, which has more. */
Domains moments_domain(const PlanRequest &request) {
    const Domains weighted = weighted_domains(request);
    return (weighted & kSource) != 0 ? kSource : weighted;
}

std::size_t moments_records(const PlanRequest &request) {
    return moments_domain(request) == kSource ? request.source_rows : request.target_rows;
}

/** Second moments are released where the spectral norm of their noise, about sqrt(2 d) times its
 *  deviation sqrt(2)/(mu n), is less than half the bound of a record's part; else they could show
 *  nothing, and the gradients get the whole budget. */
bool releases_moments(const PlanRequest &request, double mu) {
    constexpr double kMostCoordinates = 0x1p20;
    if (request.moments_share == 0.0) return false;
    const auto d = static_cast<double>(request.moments_dimension);
    const auto n = static_cast<double>(moments_records(request));
    return d * (d + 1.0) / 2.0 <= kMostCoordinates &&
           2.0 * std::sqrt(d) < 0.5 * mu * std::sqrt(request.moments_share) * n;
}

/** 0 where the noise would hide every difference. */
double comparison_share(const PlanRequest &request, double mu) {
    if (request.candidates < 2) return 0.0;
    const double signal =
        mu * request.labelled_share * static_cast<double>(fewest_records(request));
    const double share = request.comparison_share.value_or(
        share_of_comparison(request.dimension, request.moments_dimension, signal));
    const double margin = kComparisonMargin * std::sqrt(static_cast<double>(request.candidates)) /
                          (signal * std::sqrt(share));
    return margin < 1.0 ? share : 0.0;
}

double weight_sum_share(const PlanRequest &request, double mu) {
    return request.sums_weights
               ? share_of_weight_sum(mu * static_cast<double>(fewest_records(request)))
               : 0.0;
}

Allowance given_noise(const PlanRequest &request) {
    Allowance allowance;
    const bool paper = request.calibration == Calibration::paper;
    const double multiplier = paper ? printed_multiplier(request) : *request.noise_multiplier;
    if (request.moments_only) {
        allowance.moments = mu_square_units(1.0 / multiplier);
        allowance.weight_sum =
            mu_square_units(std::sqrt(weight_sum_share(request, 1.0 / multiplier)) / multiplier);
    }
    if (request.steps > 0) {
        // The same division of mu^2 as of a budget, turned round.
        const double mu_square =
            static_cast<double>(request.steps) / (multiplier * multiplier) /
            (1.0 - request.moments_share - request.inference_share - request.own_columns_share);
        const double mu = std::sqrt(mu_square);
        const auto part = [&](double share) {
            return mu_square_units(std::sqrt(mu_square * share));
        };
        allowance.step = mu_square_units(1.0 / multiplier);
        if (releases_moments(request, mu)) allowance.moments = part(request.moments_share);
        allowance.comparison = part(comparison_share(request, mu));
        allowance.inference = part(request.inference_share);
        allowance.own_columns = part(request.own_columns_share);
        allowance.weight_sum = part(weight_sum_share(request, mu));
    }
    if (!request.discrepancy) return allowance;
    if (!paper && !request.laplace_epsilon)
        throw Error(DPA_E_OPTION,
                    "noise_multiplier is set, so laplace_epsilon must be set as "
                    "well: the discrepancy is released");
    if (request.discrepancy_noise == Mechanism::gaussian)
        throw Error(DPA_E_OPTION,
                    "discrepancy_noise = gaussian needs noise that follows from the budget");
    allowance.discrepancy.laplace_epsilon =
        paper ? *request.epsilon / 2.0 : *request.laplace_epsilon;
    return allowance;
}

/** That a record pays for: the noise of both gradients has the same ratio to its sensitivity. */
std::uint64_t gaussian_releases(const PlanRequest &request) {
    return request.steps * (request.weights ? 2 : 1);
}

Allowance share_of(const Budget &budget, const DiscrepancyPrice &discrepancy,
                   const PlanRequest &request) {
    Allowance allowance{discrepancy};
    // mutant: discrepancy_gaussian_unpaid
    Uint128 left = budget.cap.mu_square - discrepancy.mu_square;
    const double mu = Cost{left}.totals().mu;
    const auto take = [&](double share) {
        const Uint128 part = std::min(left, mu_square_units(mu * std::sqrt(share)));
        left -= part;
        return part;
    };
    allowance.weight_sum = take(weight_sum_share(request, mu));
    if (request.moments_only) allowance.moments = left;
    if (request.steps == 0) return allowance;
    allowance.comparison = take(comparison_share(request, mu));
    allowance.inference = take(request.inference_share);
    allowance.own_columns = take(request.own_columns_share);
    if (releases_moments(request, mu)) allowance.moments = take(request.moments_share);
    allowance.step = left / gaussian_releases(request);
    return allowance;
}

/** Enough bits that rounding a sum towards zero moves it by no more than 2^-6 of the noise. */
int grid_bits(const PlanRequest &request) {
    if (request.grid_bits) return *request.grid_bits;
    constexpr int kUsualBits = 32;
    constexpr int kMostBits = 40;
    const double moved = static_cast<double>(all_records(request)) *
                         std::sqrt(static_cast<double>(request.dimension));
    const int needed = static_cast<int>(std::ceil(std::log2(moved))) + 6;
    return std::clamp(needed, kUsualBits, kMostBits);
}

void check_sum(const PlanRequest &request, std::int64_t most) {
    if (!sum_fits(all_records(request), most))
        throw Error(DPA_E_OPTION, "too many private records for grid_bits");
}

/** The most bits, 32 at most, at which the bound of a number stays within 2^61 units. Its
 *  sensitivity has `most` units at 32 bits, and is at least the bound divided by the number of
 *  records. */
int number_bits(const PlanRequest &request, double most) {
    constexpr double kMostUnits = 0x1p61;
    const auto n = static_cast<double>(fewest_records(request));
    int bits = kNumberBits;
    for (; bits > kLeastBits && n * most > kMostUnits; --bits) most /= 2.0;
    return bits;
}

void plan_discrepancy(const PlanRequest &request, const DiscrepancyPrice &price, Plan &plan) {
    const double n = static_cast<double>(fewest_records(request));
    const double base = request.discrepancy_bound / n;
    constexpr double kTolerance = 0x1p-10;
    plan.tolerance = request.discrepancy_tolerance
                         ? *request.discrepancy_tolerance * base
                         : std::max(kTolerance * base, request.least_tolerance);
    if (plan.tolerance < request.least_tolerance)
        throw Error(DPA_E_OPTION,
                    "discrepancy_tolerance is below what the solver is proven to "
                    "reach: it must be at least " +
                        to_text(request.least_tolerance / base));
    const double epsilon = price.laplace_epsilon;
    if (!(epsilon > 0.0) && price.mu_square == 0)
        throw Error(DPA_E_OPTION,
                    "nothing of the budget is left for the discrepancy: "
                    "discrepancy_share must be positive, and with Gaussian noise delta as well");
    // mutant: tau_dropped
    const double sensitivity = up(up(base) + up(2.0 * plan.tolerance));
    const double known = std::isnan(sensitivity) ? 1.0 : sensitivity;
    if (price.mu_square > 0) {
        plan.discrepancy_noise = Mechanism::gaussian;
        const std::int64_t at_most = plan_sensitivity(price.mu_square, kNumberBits);
        const int bits = number_bits(request, static_cast<double>(at_most));
        // mutant: discrepancy_at_twice_its_mu
        const std::int64_t most = plan_sensitivity(price.mu_square, bits);
        plan.discrepancy = plan_number(static_cast<double>(most), known, bits);
    } else {
        // mutant: laplace_at_twice_its_epsilon
        plan.discrepancy =
            plan_laplace(epsilon, known, number_bits(request, std::ldexp(epsilon, kNumberBits)));
    }
    if (std::isnan(sensitivity)) plan.discrepancy->unit = kUnknown;
    plan.releases.push_back({plan.discrepancy_noise, ReleaseKind::discrepancy, request.domains, 1,
                             1, plan.discrepancy->bits, plan.discrepancy->most,
                             plan.discrepancy->unit, plan.tolerance, request.neighbours});
}

/** What of a planned sum its grid does not say. */
struct Part {
    ReleaseKind kind;
    Domains domains;
    double weight;  ///< of a record's term
    std::uint64_t dimension;
    std::uint64_t steps = 1;
};

void add_release(const PlanRequest &request, const Part &part, int bits, std::int64_t sensitivity,
                 double unit, Plan &plan) {
    plan.releases.push_back({Mechanism::gaussian, part.kind, part.domains, part.steps,
                             part.dimension, bits, sensitivity, unit, 0.0, request.neighbours});
}

void add_vector(const PlanRequest &request, const Part &part, const VectorGrid &grid, Plan &plan) {
    if (part.domains == 0) return;
    check_sum(request, grid.most);
    // mutant: factor_two_forgotten, comparison_at_half_its_sensitivity
    // mutant: weight_sum_at_half_its_sensitivity
    const std::int64_t moved = grid.integer_sensitivity(request.neighbours);
    add_release(request, part, grid.bits, moved, part.weight * grid.gamma, plan);
}

VectorGrid grid_for(const PlanRequest &request, Uint128 mu_square, double clip) {
    if (request.grid_bits)
        return plan_grid(mu_square, clip, *request.grid_bits, request.neighbours);
    return plan_fitting_grid(mu_square, clip, grid_bits(request), all_records(request),
                             request.neighbours);
}

/** A matrix, each of whose steps may cost that; nothing where its grid would be too coarse. */
std::optional<OuterGrid> add_matrix(const PlanRequest &request, Part part, Uint128 mu_square,
                                    Plan &plan) {
    const auto grid = plan_outer_grid(mu_square, all_records(request), request.neighbours);
    if (!grid) return grid;
    part.dimension = request.moments_dimension * (request.moments_dimension + 1) / 2;
    // mutant: own_columns_at_half_their_sensitivity
    const std::int64_t moved = grid->integer_sensitivity(request.neighbours);
    add_release(request, part, grid->bits, moved,
                std::ldexp(part.weight * grid->deviation(), -grid->bits), plan);
    return grid;
}

[[noreturn]] void too_little(const char *what) {
    throw Error(DPA_E_OPTION, std::string("the budget leaves too little for ") + what +
                                  ": delta is 0, or epsilon and delta are too small for that many "
                                  "records");
}

void plan_moments(const PlanRequest &request, Uint128 mu_square, Plan &plan) {
    const Domains domain = moments_domain(request);
    const double weight = domain == kSource ? request.source_weight : request.target_weight;
    // Whatever labels records have, they are divided by all of them, unless these have weights.
    const double share = request.weighs_records ? 1.0 : request.labelled_share;
    if (mu_square > 0)
        plan.moments = add_matrix(request, {ReleaseKind::second_moments, domain, share * weight, 0},
                                  mu_square, plan);
    if (request.moments_only && !plan.moments) too_little("the second moments");
}

/** Of delta, for the probability with which sampled releases promise nothing: a 64th, as a power of
 *  2, but for steps of all records, which are not sampled. */
Uint128 failure_of(const PlanRequest &request) {
    if (request.rate == 0 || !(*request.delta > 0.0)) return 0;
    return Uint128{1} << std::max(0, std::ilogb(*request.delta) - 6 + kFailureBits);
}

/** The steps of sampled records: all of mu^2, as the accountant of sampled releases divides it. */
void plan_sampled(const PlanRequest &request, const Cost &cap, Plan &plan) {
    const int bits = grid_bits(request);
    const SampledSteps steps{std::ldexp(static_cast<double>(request.rate), -32), request.steps,
                             request.neighbours};
    const Totals totals = cap.totals();
    auto most = static_cast<std::int64_t>(
        std::floor(std::ldexp(sampled_most(steps, totals.mu, totals.failure), bits)));
    Cost price;
    for (;; most -= most / 1024 + 1) {
        if (most <= 0)
            throw Error(DPA_E_OPTION,
                        "the budget leaves too little for so many steps of sampled records");
        const double part = std::ldexp(static_cast<double>(most), -bits);
        // mutant: sampled_steps_at_half_their_price
        price = {mu_square_units(up(sampled_mu(steps, part, totals.failure))) + 1, 0, 0,
                 cap.failure};
        if (price.within(cap)) break;
    }
    plan.steps = request.steps;
    plan.gradient = {bits, most, up(request.clip / static_cast<double>(most))};
    if (!sum_fits(all_records(request), most))
        throw Error(DPA_E_OPTION, "too many private records");
    plan.releases.push_back({Mechanism::gaussian, request.gradient, weighted_domains(request),
                             request.steps, request.dimension, bits,
                             plan.gradient.integer_sensitivity(request.neighbours),
                             largest_weight(request) * plan.gradient.gamma, 0.0, request.neighbours,
                             request.rate, price});
}

/** Whether all steps together would know the share of short terms to a tenth; or the number of
 *  records to a third, three deviations away, where a comparison does not know it to a twelfth. */
bool count_tells(const PlanRequest &request, const Plan &plan) {
    const double records = request.labelled_share * static_cast<double>(fewest_records(request));
    const double deviation =
        plan.gradient.sigma() / kCounted / std::sqrt(static_cast<double>(request.steps)) / records;
    if (request.counts == Counted::short_terms) return deviation / 2.0 <= 0.1;
    if (request.counts == Counted::nothing || deviation >= 1.0 / 3.0) return false;
    return !plan.comparison || plan.comparison->sigma() / kCountedAtFirst / records >= 1.0 / 12.0;
}

void plan_gradient(const PlanRequest &request, Uint128 mu_square, Plan &plan) {
    if (mu_square == 0 || (request.discrepancy && request.discrepancy_share == 1.0))
        throw Error(DPA_E_OPTION,
                    "the budget leaves nothing for the gradients: delta is 0, epsilon and delta "
                    "are too small, "
                    "or discrepancy_share is too large");
    plan.steps = request.steps;
    plan.gradient = grid_for(request, mu_square, request.clip);
    if (count_tells(request, plan)) plan.counts = request.counts;
    const std::size_t coordinates =
        request.dimension + request.extra_coordinates + (plan.counts == Counted::nothing ? 0 : 1);
    if (coordinates > kMostCoordinates)
        throw Error(DPA_E_OPTION, "a private sum may have at most 2^20 coordinates");
    check_sum(request, plan.gradient.most);
    const auto add_gradient = [&](Domains domains, double weight) {
        add_vector(request, {request.gradient, domains, weight, coordinates, request.steps},
                   plan.gradient, plan);
    };
    const Domains domains = weighted_domains(request);
    if (request.apart) {
        add_gradient(domains & kSource, request.source_weight);
        // mutant: steps_of_the_target_unpaid
        add_gradient(domains & kTarget, request.target_weight);
    } else {
        add_gradient(domains, largest_weight(request));
    }
    if (!request.weights) return;
    const int bits = plan.gradient.bits;
    plan.weights_most = plan_sensitivity(mu_square, bits);
    const auto add_weights = [&](Domains domain, ReleaseKind kind, std::size_t rows,
                                 double weight) {
        if ((domains & domain) != 0)
            add_release(request, {kind, domain, weight, rows, request.steps}, bits,
                        plan.weights_most,
                        weight * request.loss_bound / static_cast<double>(plan.weights_most), plan);
    };
    add_weights(kSource, ReleaseKind::source_weights, request.source_rows, request.source_weight);
    add_weights(kTarget, ReleaseKind::target_weights, request.target_rows, request.target_weight);
}

}  // namespace

std::uint64_t Plan::passes() const {
    std::uint64_t passes = 0;
    for (const Release &release : releases) passes += release.steps;
    return passes;
}

const Release *Plan::find(ReleaseKind kind) const {
    for (const Release &release : releases)
        if (release.kind == kind) return &release;
    return nullptr;
}

DiscrepancyPrice price_of_discrepancy(double epsilon, double delta, double laplace_epsilon,
                                      std::optional<Mechanism> asked) {
    if (laplace_epsilon == 0.0 || asked == Mechanism::laplace) return {laplace_epsilon, 0};
    const Uint128 all = make_budget(epsilon, delta, 0.0, 0.0).cap.mu_square;
    const Uint128 left = make_budget(epsilon, delta, laplace_epsilon, 0.0).cap.mu_square;
    const DiscrepancyPrice gaussian{0.0, all - std::min(all, left)};
    if (asked == Mechanism::gaussian) return gaussian;
    const double mu = Cost{gaussian.mu_square}.totals_below().mu;
    return std::sqrt(2.0) * mu > laplace_epsilon ? gaussian : DiscrepancyPrice{laplace_epsilon, 0};
}

double share_of_comparison(std::size_t dimension, std::size_t of_score, double signal) {
    constexpr double kLeast = 0.02;
    constexpr double kMost = 0.6;
    constexpr double kOfNoise = 0.35;  // docs/defaults.md
    const double typical =
        std::sqrt(static_cast<double>(dimension) * static_cast<double>(of_score));
    return std::clamp(kOfNoise * typical / signal, kLeast, kMost);
}

double share_of_weight_sum(double signal) {
    constexpr double kLeast = 0.01;
    constexpr double kMost = 0.05;  // docs/defaults.md
    const double wanted = 50.0 / signal;
    return std::clamp(wanted * wanted, kLeast, kMost);
}

Plan make_plan(const PlanRequest &request) {
    Plan plan;
    DiscrepancyPrice discrepancy;
    const bool given = request.calibration == Calibration::paper || request.noise_multiplier;
    if (!given && !(request.epsilon && request.delta))
        throw Error(DPA_E_OPTION,
                    "options epsilon and delta must be set, there is no default for them (or set "
                    "private_domain to none to compute without any privacy protection)");
    if (!given) {
        discrepancy = price_of_discrepancy(
            *request.epsilon, *request.delta,
            request.laplace_epsilon.value_or(request.discrepancy_share * *request.epsilon),
            request.discrepancy_noise);
        plan.budget = make_budget(*request.epsilon, *request.delta, discrepancy.laplace_epsilon,
                                  0.0, request.neighbours, failure_of(request));
    }
    Allowance allowance =
        given ? given_noise(request) : share_of(*plan.budget, discrepancy, request);
    if (request.discrepancy) plan_discrepancy(request, allowance.discrepancy, plan);
    const auto vector = [&](ReleaseKind kind, std::size_t dimension, Uint128 mu_square) {
        const VectorGrid grid = grid_for(request, mu_square, 1.0);
        add_vector(request, {kind, weighted_domains(request), 1.0, dimension}, grid, plan);
        return grid;
    };
    const auto matrices = [&](ReleaseKind kind, std::uint64_t count, Uint128 mu_square,
                              const char *what) {
        const Part part{kind, weighted_domains(request), request.target_weight, 0, count};
        const auto grid = add_matrix(request, part, mu_square, plan);
        if (!grid) too_little(what);
        return grid;
    };
    if (allowance.comparison > 0)
        plan.comparison =
            vector(ReleaseKind::comparison, request.candidates + (request.counts_labels ? 1 : 0),
                   allowance.comparison);
    if (request.sums_weights)
        plan.weight_sum = vector(ReleaseKind::weight_sum, 1, allowance.weight_sum);
    if (request.steps > 0 && request.own_columns_share > 0.0)
        plan.own_columns =
            matrices(ReleaseKind::own_columns, 1, allowance.own_columns, "own_columns = regressed");
    if (request.steps > 0 || request.moments_only) plan_moments(request, allowance.moments, plan);
    if (request.rate > 0) {
        if (!plan.budget) throw Error(DPA_E_INTERNAL, "sampled releases need a budget");
        plan_sampled(request, plan.budget->cap, plan);
    } else if (request.steps > 0) {
        // What the moments and their coarse grid leave goes to the gradients.
        const Uint128 spent = plan.moments ? plan.releases.back().cost().mu_square : 0;
        if (!given) allowance.step += (allowance.moments - spent) / gaussian_releases(request);
        plan_gradient(request, allowance.step, plan);
        // The curvature of the gradients' mean and the mean of their squares.
        constexpr std::uint64_t kMatrices = 2;
        const Uint128 of_each = allowance.inference / kMatrices;
        if (request.inference_share > 0.0)
            // mutant: inference_pays_once
            plan.inference =
                matrices(ReleaseKind::inference, kMatrices, of_each, "inference = yes");
    }
    const Cost source = total_cost(plan.releases, kSource);
    const Cost target = total_cost(plan.releases, kTarget);
    plan.total = larger_cost(source, target);
    if (given && request.epsilon && request.delta)
        plan.budget =
            certify_budget(*request.epsilon, *request.delta, plan.total, request.neighbours);
    return plan;
}

}  // namespace dpadapt::privacy
