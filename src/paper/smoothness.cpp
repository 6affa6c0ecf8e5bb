#include <algorithm>
#include <cmath>

#include "paper/blocks.hpp"

namespace dpadapt::paper {

// With q = 1/u <= p, N = ||q||, pi_i = exp(mu q_i)/sum exp(mu q_j) and c_i = l_i + d_i - lambda_1
// the Hessian's parts are
//
//   by theta:      sum q_i Hess l_i, of norm <= beta, because sum q_i <= 1;
//   theta and u:   columns -q_j^2 grad l_j, of Frobenius norm <= G (sum p_j^4)^(1/2);
//   by u:          2 diag(c q^3) + lambda_2 [3 diag(q^4)/N - a a']
//                  + lambda_inf [diag(pi (2 q^3 + mu q^4)) - mu b b'],
//                  a = q^3/N^(3/2), b = pi q^2.
//
// Both brackets are differences of positive semidefinite matrices. a'a <= max q^3 and b'b <= max
// pi^2 q^4, so with C >= |c| their norms are at most 3 p^3 and (2 + mu p) p^3 for the largest p,
// and the part by u has norm at most
//
//   p^3 (2 C + 3 lambda_2 + (2 + mu p) lambda_inf).
//
// The paper's beta' has p^3 = alpha^3/m^3, or (1 - alpha)^3/n^3, with larger factors for every
// price: it is a bound too, by this argument (its proof has a term of the soft maximum with the
// wrong sign and drops 3 lambda_2 of the diagonal). Its |2 B - lambda_1| and |B - lambda_1| are no
// bounds of |c| though, which ranges from d - lambda_1 to B + d - lambda_1 and is largest at an
// end.
//
// In v the part theta and v has columns of norm <= G p_j, and 2 y x'k <= p (x'x G^2/F + y^2 F)
// splits it for any F. The part by v is at most p F, where what is subtracted in the brackets helps
// and pi is the largest one possible.

namespace {

/** One sample's terms of beta'. */
struct Share {
    double weight;  ///< alpha or 1 - alpha
    double rows;
    double other_rows;
    double most_cost;  ///< C
};

double beta_prime(const Share &share, const Hyperparameters &hyper) {
    const double m = share.rows;
    const double cube = std::pow(share.weight, 3);
    const double root = m * m * std::sqrt(m);
    return hyper.lambda_2 * cube / (m * m) +
           2.0 * cube *
               (share.most_cost + hyper.lambda_2 * std::sqrt(share.other_rows) + hyper.lambda_inf) /
               root +
           hyper.lambda_inf * hyper.mu * cube * share.weight *
               (1.0 / (m * m * m) + 1.0 / (root * m));
}

double most_cost(double lambda_1, double bound, double d) {
    return std::max(std::abs(d - lambda_1), std::abs(bound + d - lambda_1));
}

}  // namespace

Smoothness smoothness_of(const Hyperparameters &hyper, const loss::Bounds &bounds,
                         double discrepancy, double m, double n) {
    const double alpha = hyper.alpha;
    const Share source{alpha, m, n, most_cost(hyper.lambda_1, bounds.value, discrepancy)};
    const Share target{1.0 - alpha, n, m, most_cost(hyper.lambda_1, bounds.value, 0.0)};
    const auto coupling = [](const Share &share) {
        return share.weight * share.weight / (share.rows * std::sqrt(share.rows));
    };
    Smoothness smoothness{};
    smoothness.whole = bounds.smoothness +
                       bounds.lipschitz * (coupling(source) + coupling(target)) +
                       beta_prime(source, hyper) + beta_prime(target, hyper) +
                       2.0 * hyper.lambda_inf * hyper.mu * coupling(source) * coupling(target);

    const double p = std::max(alpha / m, (1.0 - alpha) / n);
    const double pi = 1.0 / (1.0 + (m + n - 1.0) * std::exp(-hyper.mu * p));
    const double factor = 2.0 * std::max(source.most_cost, target.most_cost) +
                          3.0 * hyper.lambda_2 + hyper.lambda_inf * pi * (2.0 + hyper.mu * p);
    smoothness.theta = bounds.smoothness + bounds.lipschitz * (bounds.lipschitz / factor);
    smoothness.weights = 2.0 * factor;
    return smoothness;
}

}  // namespace dpadapt::paper
