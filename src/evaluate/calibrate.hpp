#pragma once

#include "records/paid_call.hpp"
#include "records/reader.hpp"
#include "solution/calibration.hpp"
#include "solution/solution.hpp"

namespace dpadapt::evaluate {

/** Counts of private rows by the score of a solution: one release of integer sums. */
class PrivateCalibration final : public records::PaidCall {
  public:
    /** Borrows the rows and reads none.
     *  @param reference  Public rows, which decide the bins and, where the private ones are few,
     *                    are counted with them; null: none.
     *  Throws Error(DPA_E_OPTION) without a budget, or where it is too small. */
    PrivateCalibration(const Sample &rows, const Sample *reference, const Settings &settings,
                       const Solution &solution);

    /** Throws Error(DPA_E_INTERNAL) before it is paid for. */
    [[nodiscard]] Calibration release(privacy::ReleaseTrace *trace = nullptr) const;

  private:
    records::Reader rows_;
    records::ErrorTask task_;
    std::vector<double> reference_;  ///< shares of its rows below each end; empty: it is not used
};

/** The same of public rows, without noise. Throws as evaluate_publicly does. */
[[nodiscard]] Calibration calibrate_publicly(const Sample &rows, const Settings &settings,
                                             const Solution &solution);

}  // namespace dpadapt::evaluate
