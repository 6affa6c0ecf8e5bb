// Bounds of the general form's curvature against Hessians by differences, at feasible points of
// small problems.
#include "core/core.hpp"
#include "linalg/arma.hpp"
#include "paper/blocks.hpp"

using namespace dpadapt;

namespace {

using Real = long double;  // second differences need the digits

/** Records of a linear score in the plane, with a loss whose bounds over the ball are attained. */
struct Instance {
    Hyperparameters hyper;
    loss::Bounds bounds;
    double discrepancy = 0.0;
    std::size_t m = 0;
    std::size_t n = 0;
    bool squared = true;
    double slope = 0.0;  ///< not squared: the loss is slope (1 + x.theta), which has no curvature
    std::vector<double> x, y, z;  ///< features (x, y) and label

    [[nodiscard]] double p(std::size_t i) const {
        return i < m ? hyper.alpha / static_cast<double>(m)
                     : (1.0 - hyper.alpha) / static_cast<double>(n);
    }

    [[nodiscard]] Real loss(std::size_t i, Real a, Real b) const {
        const Real score = a * x[i] + b * y[i];
        return squared ? (score - z[i]) * (score - z[i]) : slope * (1.0L + score);
    }

    /** J at (theta, u), or with `scaled` at (theta, v). */
    [[nodiscard]] Real value(const std::vector<Real> &at, bool scaled) const {
        Real value = hyper.lambda_1;
        Real square = 0.0;
        Real sum = 0.0;
        for (std::size_t i = 0; i < m + n; ++i) {
            const Real q = (scaled ? Real{p(i)} : 1.0L) / at[2 + i];
            value += q * (loss(i, at[0], at[1]) + (i < m ? discrepancy : 0.0) - hyper.lambda_1);
            square += q * q;
            sum += std::exp(hyper.mu * q);
        }
        return value + hyper.lambda_2 * std::sqrt(square) +
               hyper.lambda_inf / hyper.mu * std::log(sum);
    }

    [[nodiscard]] arma::mat hessian(const std::vector<Real> &at, bool scaled) const {
        const std::size_t k = at.size();
        const auto shifted = [&](std::size_t i, Real by_i, std::size_t j, Real by_j) {
            std::vector<Real> moved(at);
            moved[i] += by_i;
            moved[j] += by_j;
            return value(moved, scaled);
        };
        arma::mat h(k, k);
        for (std::size_t i = 0; i < k; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                const Real a = 1e-4L * (i < 2 ? 1.0L : at[i]);
                const Real b = 1e-4L * (j < 2 ? 1.0L : at[j]);
                const Real difference = shifted(i, a, j, b) - shifted(i, a, j, -b) -
                                        shifted(i, -a, j, b) + shifted(i, -a, j, -b);
                h(i, j) = h(j, i) = static_cast<double>(difference / (4.0L * a * b));
            }
        return h;
    }
};

/** Price by price, so that each part of the bounds has to hold by itself. */
enum class Price { all, loss, linear, dropping, norm, maximum };

Instance random_instance(Random &random, Price price) {
    const auto some = [&] { return static_cast<std::size_t>(1.0 + 5.999 * random.uniform()); };
    Instance instance;
    instance.m = price == Price::all ? some() : 1;
    instance.n = price == Price::all ? some() : 1;
    instance.hyper.alpha = random.uniform();
    instance.hyper.radius = 1.0;
    for (std::size_t i = 0; i < instance.m + instance.n; ++i) {
        const double angle = 6.283185307 * random.uniform();
        instance.x.push_back(std::cos(angle));
        instance.y.push_back(std::sin(angle));
        instance.z.push_back(2.0 * random.uniform() - 1.0);
    }
    instance.bounds = {4.0, 4.0, 2.0};
    instance.squared = price == Price::all || price == Price::loss;
    if (!instance.squared) {
        instance.slope = price == Price::linear ? 1.0 : 1e-3;
        instance.bounds = {2.0 * instance.slope, instance.slope, 0.0};
    }
    const bool all = price == Price::all;
    if (all) instance.discrepancy = 4.0 * random.uniform();
    if (all) instance.hyper.lambda_1 = 12.0 * random.uniform();
    if (price == Price::dropping) instance.hyper.lambda_1 = 3.0;
    if (all || price == Price::norm) instance.hyper.lambda_2 = 5.0 * random.uniform();
    if (all || price == Price::maximum) instance.hyper.lambda_inf = 5.0 * random.uniform();
    instance.hyper.mu = std::exp(4.0 * random.uniform());
    return instance;
}

/** Largest shares of the bounds that are used: of the norm by (theta, u), of the curvature by
 *  (theta, v). */
struct Usage {
    double whole = 0.0;
    double scaled = 0.0;
};

void measure(const Instance &instance, Random &random, Usage &usage) {
    const paper::Smoothness bound =
        paper::smoothness_of(instance.hyper, instance.bounds, instance.discrepancy,
                             static_cast<double>(instance.m), static_cast<double>(instance.n));
    const double angle = 6.283185307 * random.uniform();
    const double norm = std::sqrt(random.uniform());
    std::vector<Real> v = {norm * std::cos(angle), norm * std::sin(angle)};
    for (std::size_t i = 0; i < instance.m + instance.n; ++i)
        v.push_back(random.uniform() < 0.7 ? 1.0 : 1.0 / std::max(0.01, random.uniform()));
    std::vector<Real> u(v);
    arma::vec scale(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
        if (i >= 2) u[i] /= instance.p(i - 2);
        scale(i) = i < 2 ? bound.theta : instance.p(i - 2) * bound.weights;
    }
    const arma::vec plain = arma::eig_sym(instance.hessian(u, false));
    const arma::mat half = arma::diagmat(1.0 / arma::sqrt(scale));
    const arma::vec relative = arma::eig_sym(half * instance.hessian(v, true) * half);
    usage.whole = std::max(usage.whole, arma::abs(plain).max() / bound.whole);
    usage.scaled = std::max(usage.scaled, relative.max());
}

void hessians_are_within_the_bounds() {
    Random random(1);
    for (const Price price :
         {Price::all, Price::loss, Price::linear, Price::dropping, Price::norm, Price::maximum}) {
        Usage usage;
        for (int trial = 0; trial < 1500; ++trial)
            measure(random_instance(random, price), random, usage);
        const std::string which = "price " + std::to_string(static_cast<int>(price));
        check_true(which + ": within beta-bar", usage.whole <= 1.0 + 1e-6);
        check_true(which + ": within the scaled bounds", usage.scaled <= 1.0 + 1e-6);
        check_true(which + ": beta-bar is not loose", usage.whole > 0.25);
        check_true(which + ": the scaled bounds are not loose", usage.scaled > 0.2);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(hessians_are_within_the_bounds)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
