#include "privacy/budget.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "privacy/accountant.hpp"

namespace dpadapt::privacy {

namespace {

std::string true_price(double epsilon_asked, double delta_asked, const Totals &totals) {
    if (!holds(600.0, 0.99, totals)) return "they hardly protect anything";
    std::string text = "they cost delta = " + to_text(delta(epsilon_asked, totals)) +
                       " at epsilon = " + to_text(epsilon_asked);
    if (holds(600.0, delta_asked, totals))
        text += ", and epsilon = " + to_text(epsilon(delta_asked, totals)) +
                " at delta = " + to_text(delta_asked);
    return text;
}

/** The ranges of the accountant are narrower than those of the options. */
void check_ranges(double epsilon, double delta) {
    if (epsilon >= 0.0 && epsilon <= 600.0 && (delta == 0.0 || (delta >= 1e-300 && delta < 1.0)))
        return;
    throw Error(DPA_E_OPTION,
                "epsilon must be in [0, 600] and delta 0 or in [1e-300, 1), but are " +
                    to_text(epsilon) + " and " + to_text(delta));
}

}  // namespace

Budget make_budget(double epsilon, double delta, double laplace_epsilon, double pure_epsilon,
                   Neighbours neighbours, Uint128 failure) {
    Budget budget{epsilon,
                  delta,
                  {0, epsilon_units(laplace_epsilon), epsilon_units(pure_epsilon), failure},
                  neighbours};
    Totals totals = budget.cap.totals();
    check_ranges(epsilon, delta);
    if (!holds(epsilon, delta, totals))
        throw Error(DPA_E_OPTION, "the pure releases alone exceed the budget: " +
                                      true_price(epsilon, delta, totals));
    totals.mu = kLeastMu;
    if (upper_delta(epsilon, totals) > delta) return budget;
    double mu = dpadapt::privacy::mu(epsilon, delta, totals);
    for (;; mu = std::nextafter(mu, 0.0)) {
        budget.cap.mu_square = mu_square_units(mu);
        if (upper_delta(epsilon, budget.cap.totals()) <= delta) return budget;
    }
}

Budget certify_budget(double epsilon, double delta, const Cost &cost, Neighbours neighbours) {
    const Totals totals = cost.totals();
    check_ranges(epsilon, delta);
    if (!holds(epsilon, delta, totals))
        throw Error(DPA_E_OPTION,
                    "the noise asked for does not give epsilon = " + to_text(epsilon) +
                        ", delta = " + to_text(delta) + ": " + true_price(epsilon, delta, totals));
    return {epsilon, delta, cost, neighbours};
}

}  // namespace dpadapt::privacy
