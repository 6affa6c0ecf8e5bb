#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.hpp"
#include "base/document.hpp"
#include "engine/simulated_domains.hpp"
#include "problem/sample.hpp"
#include "problem/settings.hpp"

namespace dpadapt::engine {

class OptionValues;

/** Errors of the same kind of fit to several simulated targets. */
struct Errors {
    double mean = 0.0;
    double lower = 0.0;  ///< the least of them
    double upper = 0.0;  ///< the largest
};

struct ForecastCell {
    double epsilon = 0.0;
    double shift = 0.0;
    Errors source_only;
    Errors adapted;
    Errors target_only;
    std::optional<double> rows_to_beat_source;
};

/** What to expect of fits to a private target that nobody has read. */
struct Forecast {
    std::size_t target_rows = 0;
    double delta = 0.0;
    std::string error;  ///< the word of selection_loss by which fits are judged
    std::vector<ForecastCell> cells;

    [[nodiscard]] Document document() const;

    /** What to expect at epsilon 1 and a moderate shift, or at the first budget and shift. */
    [[nodiscard]] std::string sentence() const;

    /** A number of a cell by the name that privacy.h documents. Throws Error(DPA_E_OPTION_NAME) for
     *  other names, Error(DPA_E_STATE) for one that is unknown. */
    [[nodiscard]] double value(std::size_t cell, std::string_view name) const;
};

/** The options with a budget: where they have none epsilon = 1 and delta = 1e-6. */
[[nodiscard]] OptionValues with_budget(OptionValues values);

/** Throws Error(DPA_E_UNSUPPORTED), Error(DPA_E_OPTION) or Error(DPA_E_DIMENSION) for what cannot
 *  be forecast. */
void check_forecast(const Sample &source, const Settings &settings);

/** Fits the private method, and the two without privacy, to targets that are made of public rows
 *  (SimulatedDomains), with known noise: nothing but public rows is read, and nothing is paid. */
[[nodiscard]] Forecast forecast(const Sample &source, std::size_t target_rows,
                                const OptionValues &values, Control &control);

}  // namespace dpadapt::engine
