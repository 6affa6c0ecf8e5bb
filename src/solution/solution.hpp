#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace dpadapt {

enum class Termination : std::int32_t { converged, precision, iterations, degenerate, steps };

/** What is promised about the records behind a result. `seeded`: made as a private result, but with known noise. */
enum class Protection : std::int32_t { none, guaranteed, seeded };

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

/** The promise that a result carries wherever it goes. */
struct PrivacyRecord {
    Protection protection = Protection::none;
    double epsilon = std::numeric_limits<double>::infinity();
    double delta = 1.0;
    std::string json;  ///< the privacy report of the problem when the fit was made
    std::string text;
};

/** The result of a fit: a value, complete in itself. What a private fit does not release is absent: weights are empty
 *  (their number of rows is public), objective and gap NaN. */
struct Solution {
    std::vector<double> coefficients;  ///< user's features, column-major [features, outputs]
    std::vector<double> intercept;     ///< [outputs]
    std::size_t source_rows = 0;
    std::size_t target_rows = 0;
    std::vector<double> source_weights;
    std::vector<double> target_weights;
    double objective = 0.0;
    double duality_gap = 0.0;
    std::int64_t iterations = 0;
    Termination termination = Termination::converged;
    UsedSettings settings;
    PrivacyRecord privacy;

    [[nodiscard]] std::size_t outputs() const { return intercept.size(); }
    [[nodiscard]] std::size_t features() const { return coefficients.size() / outputs(); }
};

/** The bytes of a solution: little-endian, versioned, with a checksum. */
[[nodiscard]] std::vector<std::uint8_t> serialize(const Solution &solution);

/** Reads them back; throws Error(DPA_E_FORMAT) for anything else. */
[[nodiscard]] Solution deserialize(std::span<const std::uint8_t> bytes);

}  // namespace dpadapt
