// What the tests of the baselines with kernels share: samples, kernels by hand, the methods with
// short names.
#pragma once

#include <functional>

#include "base/error.hpp"
#include "base/splitmix.hpp"
#include "baseline/weight_methods.hpp"
#include "core/core.hpp"

using namespace dpadapt;
using namespace dpadapt::baseline;

using Rows = std::vector<std::vector<double>>;

constexpr Limits kLimits{1e-9, 1000, 2};

/** Both samples as methods get them, in the coordinates of the rows themselves. */
class Samples {
  public:
    Samples(const Rows &from, const Rows &to, PreprocessKind kind = PreprocessKind::none)
        : source_(copy(from)),
          target_(copy(to)),
          preprocess_(source_, settings(kind)),
          source(source_, preprocess_, 2),
          target(target_, preprocess_, 2) {}

  private:
    static Settings settings(PreprocessKind kind) {
        Settings settings{};
        settings.preprocess = kind;
        settings.whiten_ridge = 1e-3;
        settings.threads = 1;
        return settings;
    }

    static Sample copy(const Rows &rows) {
        std::vector<double> x;
        for (const auto &row : rows) x.insert(x.end(), row.begin(), row.end());
        const std::vector<double> y(rows.size(), 0.0);
        const std::size_t d = rows.front().size();
        return Sample::copy({x.data(), rows.size(), d, d, true}, y.data());
    }

    Sample source_;
    Sample target_;
    Preprocess preprocess_;

  public:
    PreparedSample source;
    PreparedSample target;
};

inline Rows column(const std::vector<double> &values) {
    Rows rows;
    for (const double value : values) rows.push_back({value});
    return rows;
}

inline Rows random_rows(Random &random, std::size_t n, std::size_t d, double mean) {
    Rows rows(n, std::vector<double>(d));
    for (auto &row : rows)
        for (double &value : row) value = mean + random.normal();
    return rows;
}

inline Rows shuffled(Rows rows, std::uint64_t seed) {
    const auto order = SplitMix64(seed).draw(rows.size(), rows.size());
    Rows result;
    for (const std::size_t i : order) result.push_back(rows[i]);
    return result;
}

inline Rows twice(const Rows &rows) {
    Rows result = rows;
    result.insert(result.end(), rows.begin(), rows.end());
    return result;
}

inline double kernel(const std::vector<double> &x, const std::vector<double> &z, double gamma) {
    double square = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) square += (x[k] - z[k]) * (x[k] - z[k]);
    return std::exp(-gamma * square);
}

inline arma::mat kernel(const Rows &x, const Rows &z, double gamma) {
    arma::mat k(x.size(), z.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < z.size(); ++j) k(i, j) = kernel(x[i], z[j], gamma);
    return k;
}

inline void check_vector(const std::string &what, const std::vector<double> &a,
                         const std::vector<double> &b, double rtol) {
    check_true(what + ": length", a.size() == b.size());
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        check_close(what + " " + std::to_string(i), a[i], b[i], rtol);
}

inline void check_error(const std::string &what, dpa_status status,
                        const std::function<void()> &call) {
    try {
        call();
        check_true(what + ": must fail", false);
    } catch (const Error &error) {
        check_true(what + ": " + error.what(), error.status() == status);
    }
}

/** A method as a function of its samples. */
using WeightMethod = std::function<Weights(const Samples &)>;

inline NoControl no_control;

inline Weights match(const Samples &samples, const MatchingOptions &options,
                     double tolerance = 1e-9) {
    return kernel_mean_matching(samples.source, samples.target, options, {tolerance, 0, 2},
                                no_control);
}

inline RatioFit likelihood_fit(const Samples &samples, const LikelihoodOptions &options) {
    return kliep(samples.source, samples.target, options, kLimits, no_control);
}

inline RatioFit squares_fit(const Samples &samples, const LeastSquaresOptions &options) {
    return ulsif(samples.source, samples.target, options, kLimits, no_control);
}

/** The ratio at the rows of the source, or of the target. */
inline std::vector<double> ratios(const RatioFit &fit, const Samples &samples,
                                  bool of_target = false) {
    const PointPair pair = point_pair(samples.source, samples.target);
    const Points &points = of_target ? pair.target : pair.source;
    const arma::vec w =
        kernel_sums(points, fit.ratio.centers, fit.ratio.coefficients, fit.ratio.gamma, 2);
    std::vector<double> all;
    for (const std::size_t k : points.point) all.push_back(w(k));
    return all;
}
