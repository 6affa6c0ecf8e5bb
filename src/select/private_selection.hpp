#pragma once

#include <span>

#include "loss/choice.hpp"
#include "privacy/release.hpp"
#include "problem/settings.hpp"
#include "records/paid_call.hpp"
#include "records/reader.hpp"
#include "solution/predict.hpp"

namespace dpadapt::select {

/** The selection by private rows: the index of one of the candidates, which are taken for public,
 *  and nothing else leaves. A ledger without a budget gets exactly its price. No status, count or
 *  branch depends on a row. */
class PrivateSelection final : public records::PaidCall {
  public:
    /** Borrows the rows and reads none. Throws Error(DPA_E_OPTION) for missing numbers. */
    PrivateSelection(const Sample &rows, const Settings &settings, SelectionLoss loss,
                     std::size_t candidates);

    /** Index of the chosen one. Throws Error(DPA_E_INTERNAL) before it is paid for. */
    [[nodiscard]] std::size_t release(std::span<const Solution *const> candidates, Control &control,
                                      privacy::ReleaseTrace *trace = nullptr) const;

  private:
    records::Reader rows_;
    SelectionLoss loss_;
    double bound_;
};

/** The one measure by which all candidates are compared; never `automatic`. Throws
 *  Error(DPA_E_OPTION) where auto has no answer, Error(DPA_E_UNSUPPORTED) for a candidate that
 *  cannot be measured so. */
[[nodiscard]] SelectionLoss common_loss(std::span<const loss::Choice> candidates,
                                        SelectionLoss wanted);

/** Mean loss over public rows by their weights, all finite; infinite where one is not. Throws
 *  Error(DPA_E_LABEL) for a label without a meaning. */
[[nodiscard]] double mean_loss(const Solution &candidate, const Sample &rows, SelectionLoss loss);

/** Index of the least mean, the first of equals. Throws Error(DPA_E_NUMERICAL) when none is
 *  finite. */
[[nodiscard]] std::size_t least_mean(std::span<const double> means);

}  // namespace dpadapt::select
