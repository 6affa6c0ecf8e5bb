#pragma once

#include "capi/handles.hpp"
#include "select/private_selection.hpp"

namespace dpadapt::capi {

/** The validation rows; throws Error(DPA_E_STATE) where there are none, Error(DPA_E_DIMENSION) for
 *  other features. */
[[nodiscard]] const Sample &validation_rows(const dpa_problem *validation);
void check_features(const Sample &rows, std::size_t features, const char *what);

/** Whether the validation rows are private. */
[[nodiscard]] inline bool selects_privately(const Settings &settings) {
    return (settings.privacy.domains & privacy::kTarget) != 0;
}

/** Mean losses on public validation rows of a problem that the caller holds. */
[[nodiscard]] std::vector<double> mean_losses(dpa_problem &validation,
                                              std::span<const Solution *const> candidates,
                                              const Settings &settings, Control &control);

}  // namespace dpadapt::capi
