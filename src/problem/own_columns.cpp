#include "problem/own_columns.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/splitmix.hpp"
#include "linalg/trust_region.hpp"

namespace dpadapt {

namespace {

/** Each direction of the others by its own signal, against noise that is as large in all of them:
 *  where coefficients are about the root of 0.2, the mean of what they may be. */
arma::mat regress(const OwnColumns::Moments &target) {
    constexpr double kTypicalSquare = 0.2;  // docs/defaults.md
    constexpr double kLeast = 1e-6;         // of the longest direction: of columns that depend
    const linalg::Spectrum others = linalg::decompose(target.others);
    const double floor = kLeast * others.values.max();
    const arma::vec factor = others.values / (arma::square(others.values) + floor * floor +
                                              target.noise * target.noise / kTypicalSquare);
    return others.with(factor) * target.cross;
}

/** What the others do not tell, at least a tenth of the mean: noise may leave less than nothing. */
arma::vec deviations(const OwnColumns::Moments &target, const arma::mat &coefficients) {
    constexpr double kLeastShare = 0.1;
    arma::vec squares = target.squares;
    for (arma::uword k = 0; k < squares.n_elem; ++k)
        squares(k) -= arma::dot(coefficients.col(k),
                                2.0 * target.cross.col(k) - target.others * coefficients.col(k));
    const double typical = arma::mean(arma::clamp(squares, 0.0, arma::datum::inf));
    return arma::sqrt(
        arma::clamp(squares, typical > 0.0 ? kLeastShare * typical : 1.0, arma::datum::inf));
}

}  // namespace

OwnColumns::OwnColumns(const Sample &source, double unit) : unit_(unit) {
    const auto m = static_cast<double>(source.rows());
    std::vector<arma::uword> own;
    std::vector<arma::uword> others;
    std::vector<double> centers;
    std::vector<double> scales;
    for (std::size_t j = 0; j < source.features(); ++j) {
        const double first = source.x()(0, j);
        double sum = 0.0;
        double squares = 0.0;
        for (std::size_t i = 0; i < source.rows(); ++i) {
            const double deviation = source.x()(i, j) - first;
            sum += deviation / m;
            squares += deviation * deviation / m;
        }
        if (squares == 0.0) {
            own.push_back(j);
            continue;
        }
        others.push_back(j);
        centers.push_back(first + sum);
        const double variance = squares - sum * sum;
        scales.push_back(variance > 0.0 ? 1.0 / std::sqrt(variance) : 0.0);
    }
    if (own.empty() || others.empty())
        throw Error(DPA_E_OPTION,
                    "option own_columns = regressed needs a source in which some columns are "
                    "constant, those that it lacks, and others are not");
    own_ = own;
    others_ = others;
    center_ = centers;
    scale_ = scales;
    constant_.set_size(own_.n_elem);
    for (arma::uword k = 0; k < own_.n_elem; ++k) constant_(k) = source.x()(0, own_(k));
    if (!center_.is_finite() || !scale_.is_finite() || !constant_.is_finite())
        throw Error(DPA_E_NUMERICAL, "the moments of the source overflow");
}

arma::vec OwnColumns::others_of(const Sample &rows, std::size_t row) const {
    arma::vec t(others_.n_elem + 1);
    for (arma::uword k = 0; k < others_.n_elem; ++k)
        t(k) = (rows.x()(row, others_(k)) - center_(k)) * scale_(k);
    t(others_.n_elem) = 1.0;
    return t;
}

OwnColumns::Moments OwnColumns::moments(const Sample &target) const {
    const arma::uword d = others_.n_elem + 1;
    Moments moments{arma::mat(d, d, arma::fill::zeros),
                    arma::mat(d, own_.n_elem, arma::fill::zeros),
                    arma::vec(own_.n_elem, arma::fill::zeros)};
    const std::vector<double> weights = target.relative_weights();
    arma::vec own(own_.n_elem);
    for (std::size_t i = 0; i < target.rows(); ++i) {
        const double share =
            (weights.empty() ? 1.0 : weights[i]) / static_cast<double>(target.rows());
        const arma::vec t = others_of(target, i);
        for (arma::uword k = 0; k < own.n_elem; ++k)
            own(k) = (target.x()(i, own_(k)) - constant_(k)) / unit_;
        moments.others += share * t * t.t();
        moments.cross += share * t * own.t();
        moments.squares += share * arma::square(own);
    }
    return moments;
}

Sample OwnColumns::fill(const Sample &source, const Moments &target, std::uint64_t seed) const {
    const arma::mat coefficients = regress(target);
    const arma::vec deviation = deviations(target, coefficients);
    if (!coefficients.is_finite() || !deviation.is_finite())
        throw Error(DPA_E_NUMERICAL, "the moments of the target overflow; scale the data");
    SplitMix64 random(seed);
    const auto write = [&](double *to, double *labels) {
        if (labels != nullptr) std::copy_n(source.y(), source.rows(), labels);
        for (std::size_t i = 0; i < source.rows(); ++i, to += source.features()) {
            for (std::size_t j = 0; j < source.features(); ++j) to[j] = source.x()(i, j);
            const arma::vec told = coefficients.t() * others_of(source, i);
            for (arma::uword k = 0; k < own_.n_elem; ++k) {
                const double sign = (random() & 1) == 0 ? -1.0 : 1.0;
                to[own_(k)] = constant_(k) + unit_ * (told(k) + sign * deviation(k));
            }
        }
    };
    Sample filled = Sample::fill(source.rows(), source.features(), !source.unlabelled(), write);
    filled.weigh(source.weights());
    return filled;
}

}  // namespace dpadapt
