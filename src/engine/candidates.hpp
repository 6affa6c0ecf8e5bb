#pragma once

#include "engine/fit.hpp"
#include "engine/problem.hpp"
#include "select/grid.hpp"
#include "select/private_selection.hpp"

namespace dpadapt::engine {

/** What a search reports of a candidate. */
struct CandidateResult {
    std::uint64_t point = 0;  ///< of the grid
    dpa_status status = DPA_OK;
    std::string reason;          ///< why it was left out
    std::optional<double> loss;  ///< empty: not released; NaN: left out
};

struct SearchTable {
    std::vector<CandidateResult> candidates;
    std::size_t chosen = 0;
};

struct SearchResult {
    Solution best;
    SearchTable table;
};

/** The candidates of a search, fitted one after the other. */
class Candidates {
  public:
    /** Borrows everything; the problem is held.
     *  @param method  A baseline; null: the adaptation. */
    Candidates(const select::Grid &grid, Problem &problem, const baseline::MethodSpec *method,
               const OptionValues &values, Control &control);

    [[nodiscard]] std::size_t count() const { return table_.candidates.size(); }

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

    /** Ends the search with the fit of that index among them.
     *  @param means  Of the fits; empty: not released. */
    [[nodiscard]] SearchResult take(std::size_t fit, std::span<const double> means);

  private:
    [[nodiscard]] OptionValues options(std::size_t candidate) const;
    /** What only some candidates read is no mistake. */
    [[nodiscard]] UnreadOptions unread_by_all() const;
    void report(std::size_t candidate) const;

    const select::Grid &grid_;
    Problem &problem_;
    const baseline::MethodSpec *method_;
    const OptionValues &values_;
    Control &control_;
    SearchTable table_;
    std::vector<Solution> fits_;
    std::vector<std::size_t> fitted_;  ///< which candidates they are
};

/** What a call about these reads beside rows and options. */
[[nodiscard]] Problem::Beside models(std::span<const Solution *const> solutions);

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
