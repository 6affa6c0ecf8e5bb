#pragma once

#include "engine/options.hpp"
#include "engine/problem.hpp"
#include "select/private_selection.hpp"

namespace dpadapt::engine {

/** Throws Error(DPA_E_DIMENSION) unless `what` has the features of the validation rows. */
void check_features(const Sample &rows, std::size_t features, const char *what);

/** Whether the validation rows are private. */
[[nodiscard]] bool selects_privately(const Settings &settings);

/** Mean losses on the public validation rows of a problem that the caller holds. */
[[nodiscard]] std::vector<double> mean_losses(Problem &validation,
                                              std::span<const Solution *const> candidates,
                                              const Settings &settings, Control &control);

/** Index of the candidate that does best on the target sample of `validation`; a private choice
 *  pays. */
[[nodiscard]] std::size_t select(Problem &validation, std::span<const Solution *const> candidates,
                                 const OptionValues &values, Control &control);

}  // namespace dpadapt::engine
