#pragma once

#include <array>

#include "capi/fits.hpp"

namespace dpadapt::capi {

/** Options that are about all candidates together. */
inline constexpr std::array kCommonOptions{Option::private_domain, Option::unsafe_seed,
                                           Option::selection_loss, Option::selection_epsilon,
                                           Option::selection_bound};

/** Throws Error(DPA_E_BUDGET) if the ledger, with that budget unless it has one, does not allow
 *  these releases. */
void check_price(const privacy::Ledger &ledger, const std::optional<privacy::Budget> &budget,
                 std::span<const privacy::Release> releases);

/** The candidates of a search, fitted one after the other. */
class Candidates {
  public:
    /** Borrows everything.
     *  @param method  A baseline; null: what dpa_solve computes. */
    Candidates(const select::Grid &grid, dpa_problem &problem, const baseline::MethodSpec *method,
               const OptionValues &values, Control &control);

    /** Plans every fit and compares the sum with the budget; no private record is read. */
    void check_prices() const;

    /** What they predict, as far as it decides how they are compared.
     *  @param may_leave_out  As in fit_all. */
    [[nodiscard]] std::vector<loss::Choice> choices(bool may_leave_out) const;

    /** @param may_leave_out  Without privacy: a candidate whose options do not suit the data, or
     *                        each other.
     *  @param choice  What the privacy reports of the fits say of it. */
    void fit_all(bool may_leave_out, const std::string &choice);

    /** Those that were not left out. */
    [[nodiscard]] std::vector<const Solution *> fits() const;
    [[nodiscard]] Solution take(std::size_t fit) { return std::move(fits_[fit]); }

    /** @param means  Of the fits; empty: not released. */
    [[nodiscard]] SearchTable table(std::size_t chosen, const std::vector<double> &means) const;

  private:
    [[nodiscard]] OptionValues options(std::size_t candidate) const;
    [[nodiscard]] Solution fit_one(const OptionValues &values, const std::string &choice);
    void report(std::size_t candidate) const;

    const select::Grid &grid_;
    std::vector<std::uint64_t> points_;
    dpa_problem &problem_;
    const baseline::MethodSpec *method_;
    const OptionValues &values_;
    Control &control_;
    std::vector<dpa_status> status_;
    std::vector<std::string> reason_;
    std::vector<Solution> fits_;
    std::vector<std::size_t> fitted_;  ///< which candidates they are
};

}  // namespace dpadapt::capi
