// Every function that takes a solution, called on any solution, with what must hold of the results.
#pragma once

#include <cmath>
#include <limits>

#include "fuzz/fuzz.hpp"

namespace fuzz {

inline Bytes saved(const dpa_solution *solution) {
    return bytes_of([&](std::uint8_t *out, std::size_t size, std::size_t *needed) {
        return dpa_solution_serialize(solution, 1, out, size, needed);
    });
}

inline std::string findings(const dpa_solution *solution) {
    return text_of([&](char *out, std::size_t size, std::size_t *needed) {
        return dpa_solution_findings(solution, "a or b", out, size, needed);
    });
}

inline std::string report(const dpa_solution *solution, std::int32_t form) {
    return text_of([&](char *out, std::size_t size, std::size_t *needed) {
        return dpa_solution_privacy_report(solution, form, out, size, needed);
    });
}

inline std::size_t dimension_of(const dpa_solution *solution) {
    double value = -1.0;
    REQUIRE(dpa_solution_value(solution, "dimension", &value) == DPA_OK);
    return static_cast<std::size_t>(value);
}

/** Predictions and their like for a few rows of any numbers. */
inline void use_rows(const dpa_solution *solution, std::size_t features, std::size_t outputs) {
    constexpr std::size_t kRows = 3;
    const std::size_t dimension = dimension_of(solution);
    REQUIRE(dimension >= features);
    std::vector<double> x(kRows * features, 0.75);
    x[0] = std::numeric_limits<double>::quiet_NaN();
    x[features] = 1e308;
    std::vector<double> out(kRows * std::max({outputs, dimension, std::size_t{1}}));
    const dpa_matrix rows{x.data(), kRows, features, features, DPA_ROW_MAJOR};
    const dpa_matrix wider{x.data(), kRows, features + 1, features + 1, DPA_ROW_MAJOR};
    const std::size_t counts[] = {1, outputs, outputs, dimension};  // as DPA_PREDICT_*
    for (std::int32_t kind = DPA_PREDICT_LABELS; kind <= DPA_PREDICT_COORDINATES; ++kind) {
        const std::size_t size = kRows * counts[kind];
        const dpa_status status = dpa_solution_predict(solution, kind, rows, out.data(), size);
        REQUIRE(status == DPA_OK || status == DPA_E_UNSUPPORTED);
        REQUIRE(dpa_solution_predict(solution, kind, wider, out.data(), size) != DPA_OK);
    }
    std::vector<double> ends(kRows * std::max(outputs, std::size_t{2}));
    for (const double level : {0.5, 0.9}) {
        const dpa_status status =
            dpa_solution_predict_interval(solution, level, rows, ends.data(), ends.size());
        REQUIRE(status == DPA_OK || status == DPA_E_UNSUPPORTED);
        for (std::size_t k = 0; status == DPA_OK && outputs == 1 && k < kRows; ++k)
            REQUIRE(!(ends[k] > ends[kRows + k]) || ends[k] == 1.0);
    }
    const double times[] = {0.0, 0.5, 1e300};
    std::vector<double> curves(2 * kRows * std::size(times));
    for (const double confidence : {0.0, 0.9}) {
        const std::size_t size = curves.size() / (confidence > 0.0 ? 1 : 2);
        const dpa_status status = dpa_solution_survival(solution, confidence, rows, times,
                                                        std::size(times), curves.data(), size);
        REQUIRE(status == DPA_OK || status == DPA_E_UNSUPPORTED || status == DPA_E_NOT_RELEASABLE);
        for (std::size_t k = 0; status == DPA_OK && k < size; ++k)
            REQUIRE(!(curves[k] < 0.0 || curves[k] > 1.0));
    }
    const double labels[kRows] = {1.0, 0.0, std::numeric_limits<double>::quiet_NaN()};
    for (const std::int32_t domain : {DPA_SOURCE, DPA_TARGET}) {
        const dpa_status status = dpa_solution_weigh(solution, domain, rows, labels, kRows,
                                                     x.data() + features, 0, out.data(), kRows);
        REQUIRE(status == DPA_OK || status == DPA_E_UNSUPPORTED || status == DPA_E_LABEL ||
                status == DPA_E_NOT_RELEASABLE || status == DPA_E_NUMERICAL);
        REQUIRE(status != DPA_OK || out[2] == 0.0);
    }
}

inline void use_arrays(const dpa_solution *solution, std::size_t features, std::size_t outputs) {
    std::vector<double> out(std::max(features * outputs, std::size_t{1}));
    const dpa_status linear =
        dpa_solution_array(solution, "coefficients", out.data(), features * outputs);
    REQUIRE(linear == DPA_OK || linear == DPA_E_UNSUPPORTED);
    REQUIRE(dpa_solution_array(solution, "intercept", out.data(), outputs) == linear);
    double parameters = 0.0;
    const dpa_status counted = dpa_solution_value(solution, "parameters", &parameters);
    REQUIRE((counted == DPA_OK) == (linear == DPA_E_UNSUPPORTED));
    if (counted != DPA_OK) return;
    out.resize(static_cast<std::size_t>(parameters));
    REQUIRE(dpa_solution_array(solution, "parameters", out.data(), out.size()) == DPA_OK);
}

/** Estimates with their uncertainty are there together, or none of them is. */
inline void use_inference(const dpa_solution *solution) {
    const std::size_t dimension = dimension_of(solution);
    constexpr std::size_t kMost = 200;  // beyond it there is none unless the bytes are forged
    if (dimension > kMost) return;
    std::vector<double> out(dimension * std::max<std::size_t>(dimension, 2));
    const dpa_status known = dpa_solution_array(solution, "target_estimate", out.data(), dimension);
    REQUIRE(known == DPA_OK || known == DPA_E_UNSUPPORTED || known == DPA_E_NOT_RELEASABLE);
    REQUIRE(dpa_solution_array(solution, "covariance", out.data(), dimension * dimension) == known);
    REQUIRE(dpa_solution_intervals(solution, 0.9, out.data(), 2 * dimension) == known);
    for (std::size_t k = 0; known == DPA_OK && k < dimension; ++k)
        REQUIRE(out[k] <= out[dimension + k]);
    REQUIRE(dpa_solution_intervals(solution, 1.0, out.data(), 2 * dimension) != DPA_OK);
    double distance = -1.0;
    double p_value = -1.0;
    const dpa_status compared = dpa_solution_value(solution, "domain_distance", &distance);
    REQUIRE(dpa_solution_value(solution, "domain_p_value", &p_value) == compared);
    REQUIRE(compared == DPA_OK || compared == DPA_E_UNSUPPORTED ||
            compared == DPA_E_NOT_RELEASABLE);
    if (compared == DPA_OK) REQUIRE(distance >= 0.0 && p_value >= 0.0 && p_value <= 1.0);
}

inline void use_weights(const dpa_solution *solution, std::size_t source, std::size_t target) {
    const auto call = [&](const char *name, std::size_t rows) {
        double one = 7.0;  // also where there are 2^31 rows
        const dpa_status status = dpa_solution_array(solution, name, &one, 0);
        REQUIRE(status == DPA_E_DIMENSION || status == DPA_E_NOT_RELEASABLE);
        if (status != DPA_E_DIMENSION) return;
        std::vector<double> out(rows);
        REQUIRE(dpa_solution_array(solution, name, out.data(), rows) == DPA_OK);
    };
    call("source_weights", source);
    call("target_weights", target);
}

inline void use_numbers(const dpa_solution *solution) {
    double value = 0.0;
    for (const char *name : {"objective", "duality_gap", "gradient_mapping"}) {
        const dpa_status status = dpa_solution_value(solution, name, &value);
        REQUIRE(status == DPA_OK || status == DPA_E_UNSUPPORTED || status == DPA_E_NOT_RELEASABLE);
    }
    for (std::size_t k = 0; dpa_solution_setting_name(k) != nullptr; ++k) {
        const dpa_status status =
            dpa_solution_value(solution, dpa_solution_setting_name(k), &value);
        REQUIRE(status == DPA_OK || status == DPA_E_NOT_RELEASABLE);
    }
    REQUIRE(dpa_solution_value(solution, "iterations", &value) == DPA_OK);
    REQUIRE(dpa_solution_value(solution, "termination", &value) == DPA_OK);
    for (const char *name : {"loss", "termination"})
        REQUIRE(!text_of([&](char *out, std::size_t size, std::size_t *needed) {
                     return dpa_solution_text(solution, name, out, size, needed);
                 }).empty());
}

/** A promise is never larger than what its report tells. */
inline void use_promise(const dpa_solution *solution) {
    std::int32_t protection = 0;
    double epsilon = 0.0;
    double delta = 0.0;
    double neighbours = -1.0;
    REQUIRE(dpa_solution_privacy(solution, &protection, &epsilon, &delta) == DPA_OK);
    REQUIRE(dpa_solution_value(solution, "neighbours", &neighbours) == DPA_OK);
    REQUIRE(neighbours == DPA_NEIGHBOURS_REPLACE || neighbours == DPA_NEIGHBOURS_ZERO_OUT);
    (void)findings(solution);
    const std::string text = report(solution, DPA_REPORT_TEXT);
    const std::string json = report(solution, DPA_REPORT_JSON);
    if (protection == DPA_PROTECTION_GUARANTEED)
        REQUIRE(epsilon >= 0.0 && std::isfinite(epsilon) && delta >= 0.0 && delta < 1.0 &&
                text.starts_with("PRIVATE: "));
    else if (protection == DPA_PROTECTION_IN_PART)
        REQUIRE(epsilon >= 0.0 && std::isfinite(epsilon) && delta >= 0.0 && delta < 1.0 &&
                json.starts_with("{\"summary\":\"NOT PRIVATE AS A WHOLE: "));
    else
        REQUIRE(std::isinf(epsilon) && delta == 1.0);
}

/** Of those bytes the weights are forgotten, and nothing else. */
inline void use_predictor(const dpa_solution *solution, std::size_t source) {
    const Bytes bytes = bytes_of([&](std::uint8_t *out, std::size_t size, std::size_t *needed) {
        return dpa_solution_serialize(solution, 0, out, size, needed);
    });
    dpa_solution *predictor = nullptr;
    REQUIRE(dpa_solution_deserialize(bytes.data(), bytes.size(), &predictor) == DPA_OK);
    std::vector<double> weights(std::min<std::size_t>(source, 1));
    REQUIRE(dpa_solution_array(predictor, "source_weights", weights.data(), weights.size()) ==
            DPA_E_NOT_RELEASABLE);
    REQUIRE(bytes_of([&](std::uint8_t *out, std::size_t size, std::size_t *needed) {
                return dpa_solution_serialize(predictor, 0, out, size, needed);
            }) == bytes);
    const auto digest = [](const dpa_solution *of) {
        return text_of([&](char *out, std::size_t size, std::size_t *needed) {
            return dpa_solution_text(of, "digest", out, size, needed);
        });
    };
    REQUIRE(digest(predictor) == digest(solution));
    dpa_solution_destroy(predictor);
}

/** Calls everything, and returns the bytes, from which an equal solution is read back. */
inline Bytes use(const dpa_solution *solution) {
    std::size_t features = 0;
    std::size_t outputs = 0;
    std::size_t source = 0;
    std::size_t target = 0;
    REQUIRE(dpa_solution_shape(solution, &features, &outputs, &source, &target) == DPA_OK);
    REQUIRE(features > 0 && source > 0 && target > 0);
    use_arrays(solution, features, outputs);
    use_weights(solution, source, target);
    use_numbers(solution);
    use_promise(solution);
    use_inference(solution);
    use_predictor(solution, source);
    use_rows(solution, features, outputs);
    const Bytes bytes = saved(solution);
    dpa_solution *again = nullptr;
    REQUIRE(dpa_solution_deserialize(bytes.data(), bytes.size(), &again) == DPA_OK);
    REQUIRE(saved(again) == bytes);
    REQUIRE(report(again, DPA_REPORT_JSON) == report(solution, DPA_REPORT_JSON));
    dpa_solution_destroy(again);
    return bytes;
}

}  // namespace fuzz
