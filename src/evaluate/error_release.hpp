#pragma once

#include <cstdint>
#include <vector>

#include "records/paid_call.hpp"
#include "records/reader.hpp"
#include "records/task.hpp"

namespace dpadapt::evaluate {

/** All of epsilon and delta for Gaussian releases. Throws Error(DPA_E_OPTION) where one of them is
 *  missing. */
[[nodiscard]] privacy::Budget gaussian_budget(const PrivacySettings &settings);

/** plan_fitting_grid() at 32 bits for vectors without negative entries, as of histograms. */
[[nodiscard]] privacy::VectorGrid histogram_grid(Uint128 mu_square, std::size_t records,
                                                 privacy::Neighbours neighbours);

/** The release of such a sum over the target, on its grid. */
[[nodiscard]] privacy::Release release_of(privacy::ReleaseKind kind, const records::ErrorTask &task,
                                          privacy::Neighbours neighbours);

/** Makes it, for a call that has paid. */
[[nodiscard]] std::vector<double> release_sum(const records::PaidCall &call,
                                              const records::Reader &rows,
                                              const records::ErrorTask &task, std::uint64_t step,
                                              privacy::ReleaseTrace *trace);

}  // namespace dpadapt::evaluate
