#pragma once

#include "privacy/release_trace.hpp"
#include "records/paid_call.hpp"
#include "records/reader.hpp"

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

}  // namespace dpadapt::select
