#pragma once

#include "base/control.hpp"
#include "privacy/release_trace.hpp"
#include "select/validation_loss.hpp"
#include "records/payment.hpp"

namespace dpadapt::select {

/** The selection by private rows: the index of one of the candidates, which are taken for public,
 *  and nothing else leaves. No status, count or branch depends on a row. */
class PrivateSelection {
  public:
    /** Borrows the rows and reads none. Throws Error(DPA_E_OPTION) for missing numbers. */
    PrivateSelection(const Sample &rows, const Settings &settings, SelectionLoss loss,
                     std::size_t candidates);

    [[nodiscard]] const privacy::Plan &plan() const { return plan_; }

    /** Pays; the budget is that of the ledger, or where it has none exactly this price. Throws
     *  Error(DPA_E_BUDGET), Error(DPA_E_ENTROPY), and nothing is paid. */
    void charge(privacy::Ledger &ledger);

    /** Index of the chosen one. Throws Error(DPA_E_INTERNAL) before it is paid for. */
    [[nodiscard]] std::size_t release(std::span<const Solution *const> candidates, Control &control,
                                      privacy::ReleaseTrace *trace = nullptr) const;

  private:
    [[nodiscard]] std::int64_t score(const Solution &candidate) const;

    const Sample &rows_;
    PrivacySettings privacy_;
    SelectionLoss loss_;
    double bound_;
    privacy::Plan plan_;
    Payment payment_;
};

}  // namespace dpadapt::select
