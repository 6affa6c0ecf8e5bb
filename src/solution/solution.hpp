#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace dpadapt {

enum class Termination : std::int32_t { converged, precision, iterations, degenerate };

/** The numbers that a fit used, every "auto" resolved. */
struct UsedSettings {
    double alpha = 0.0;
    double kappa_1 = 0.0;
    double kappa_2 = 0.0;
    double kappa_inf = 0.0;
    double radius = 0.0;
    double discrepancy = 0.0;
    double feature_radius = std::numeric_limits<double>::infinity();
    double label_bound = std::numeric_limits<double>::infinity();
};

/** The result of a fit: a value, complete in itself. */
struct Solution {
    std::vector<double> coefficients;  ///< user's features, column-major [features, outputs]
    std::vector<double> intercept;     ///< [outputs]
    std::vector<double> source_weights;
    std::vector<double> target_weights;
    double objective = 0.0;
    double duality_gap = 0.0;
    std::int64_t iterations = 0;
    Termination termination = Termination::converged;
    UsedSettings settings;

    [[nodiscard]] std::size_t outputs() const { return intercept.size(); }
    [[nodiscard]] std::size_t features() const { return coefficients.size() / outputs(); }
};

/** The bytes of a solution: little-endian, versioned, with a checksum. */
[[nodiscard]] std::vector<std::uint8_t> serialize(const Solution &solution);

/** Reads them back; throws Error(DPA_E_FORMAT) for anything else. */
[[nodiscard]] Solution deserialize(std::span<const std::uint8_t> bytes);

}  // namespace dpadapt
