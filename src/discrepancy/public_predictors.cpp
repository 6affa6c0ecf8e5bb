#include "discrepancy/public_predictors.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.hpp"
#include "discrepancy/estimate.hpp"

namespace dpadapt {
namespace {

constexpr std::size_t kRandom = 32;

/** Uniform on [0, 1), the same numbers everywhere. */
double uniform(std::mt19937_64 &engine) { return static_cast<double>(engine() >> 11) * 0x1p-53; }

/** A point of the unit ball; its direction is that of a point of the cube. */
arma::vec random_point(arma::uword dimension, std::mt19937_64 &engine) {
    arma::vec x(dimension);
    x.imbue([&] { return 2.0 * uniform(engine) - 1.0; });
    const double norm = arma::norm(x);
    if (norm > 0.0) x *= uniform(engine) / norm;
    return x;
}

}  // namespace

arma::vec center_of_parameters(const Preprocess &preprocess, const loss::Choice &choice,
                               std::size_t parameters, const arma::vec &fit,
                               const Settings &settings) {
    if (settings.center_kind == CenterKind::zero) return arma::vec(parameters, arma::fill::zeros);
    if (settings.center_kind == CenterKind::given &&
        !(loss::is_linear(choice) && loss::scores(choice) == 1))
        throw Error(DPA_E_OPTION,
                    "discrepancy_center must be zero or source for this loss: its parameters are "
                    "not the coefficients of one linear score");
    return center_of_ball(preprocess, fit, settings);
}

std::vector<arma::vec> public_predictors(const arma::vec &center, double radius,
                                         const arma::vec &fit) {
    std::vector<arma::vec> points;
    const auto add = [&](arma::vec offset) {
        const double norm = arma::norm(offset);
        if (norm > radius) offset *= radius / norm;
        arma::vec point = center + offset;
        const bool known = std::any_of(points.begin(), points.end(), [&](const arma::vec &other) {
            return arma::approx_equal(point, other, "absdiff", 0.0);
        });
        if (!known) points.push_back(std::move(point));
    };
    add(arma::vec(center.n_elem, arma::fill::zeros));
    for (const double length : {0.25, 0.5, 1.0, 2.0})
        for (const double sign : {1.0, -1.0}) add(sign * length * fit - center);
    std::mt19937_64 engine;  // by the standard always with the same seed
    for (std::size_t k = 0; k < kRandom; ++k) add(radius * random_point(center.n_elem, engine));
    return points;
}

}  // namespace dpadapt
