#pragma once

#include <span>

#include "select/common_loss.hpp"
#include "solution/validation_loss.hpp"

namespace dpadapt::select {

/** Mean loss over public rows, all finite; infinite where one is not. Throws Error(DPA_E_LABEL) for
 *  a label without a meaning. */
[[nodiscard]] double mean_loss(const Solution &candidate, const Sample &rows, SelectionLoss loss);

/** Index of the least mean, the first of equals. Throws Error(DPA_E_NUMERICAL) when none is
 *  finite. */
[[nodiscard]] std::size_t least_mean(std::span<const double> means);

}  // namespace dpadapt::select
