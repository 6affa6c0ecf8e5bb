#include "privacy/permute_and_flip.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "random/noise.hpp"

namespace dpadapt::privacy {

std::int64_t clipped_score(double loss, double bound) {
    // mutant: selection_unclipped
    if (!(loss < bound)) return kMostScore;
    constexpr auto most = static_cast<double>(kMostScore);
    return static_cast<std::int64_t>(std::max(loss, 0.0) / bound * most);
}

Release plan_selection(double epsilon, double bound, std::size_t candidates, Domains domains,
                       Neighbours neighbours) {
    const auto units = static_cast<std::int64_t>(epsilon_units(epsilon));
    if (units == 0) throw Error(DPA_E_OPTION, "option selection_epsilon must be at least 2^-40");
    // In units of the sum of losses: two scores can move apart by twice the bound, by the bound
    // alone where a record is taken out.
    const double apart = static_cast<double>(norms_moved(neighbours)) * bound;
    return {Mechanism::pure,
            ReleaseKind::selection,
            domains,
            1,
            candidates,
            kEpsilonBits,
            units,
            apart / static_cast<double>(units),
            0.0,
            neighbours};
}

std::size_t permute_and_flip(std::span<const std::int64_t> scores, const Release &release,
                             random::Stream &stream) {
    const std::int64_t least = *std::min_element(scores.begin(), scores.end());
    const auto epsilon = static_cast<Uint128>(release.integer_sensitivity);
    // mutant: selection_at_twice_its_epsilon
    const unsigned bits = kEpsilonBits + kScoreBits + 1 -  // of the denominator 2^40 2 Q
                          (release.neighbours == Neighbours::zero_out ? 1 : 0);
    std::vector<std::size_t> heads;
    for (std::size_t k = 0; k < scores.size(); ++k)
        if (random::exponential_coin(epsilon * static_cast<Uint128>(scores[k] - least), bits,
                                     stream))
            heads.push_back(k);
    return heads[random::uniform_below(static_cast<std::uint32_t>(heads.size()), stream)];
}

namespace {

constexpr double kLeast = -745.2;  // e^x rounds to 0 below
constexpr double kMost = 709.78;   // and to infinity above
constexpr double kInverseLog2 = 1.44269504088896340736;
// log 2 in two parts: the first has so few bits that its multiples are exact.
constexpr double kHighLog2 = 0x1.62e42feep-1;
constexpr double kLowLog2 = 0x1.a39ef35793c76p-33;

/** e^r - 1 by its series, for |r| <= 0.35: what is left out is below 2^-60 of it. */
double series(double r) noexcept {
    constexpr int kTerms = 14;
    double sum = 1.0 / (kTerms + 1);
    for (int k = kTerms; k > 1; --k) sum = (1.0 + r * sum) / k;
    // sum is (e^r - 1 - r)/r^2 but for the last division: e^r - 1 = r + r^2 sum.
    return r + r * r * sum;
}

}  // namespace

double exponential(double x) noexcept {
    if (std::isnan(x)) return x;
    if (x < kLeast) return 0.0;
    if (x > kMost) return HUGE_VAL;
    const double k = std::nearbyint(x * kInverseLog2);
    const double high = x - k * kHighLog2;  // exact
    const double r = high - k * kLowLog2;
    return std::ldexp(1.0 + series(r), static_cast<int>(k));
}

double exponential_minus_one(double x) noexcept {
    return std::abs(x) <= 0.35 ? series(x) : exponential(x) - 1.0;
}

}  // namespace dpadapt::privacy
