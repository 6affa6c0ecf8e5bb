#pragma once

#include "evaluate/bins.hpp"
#include "evaluate/evaluation.hpp"
#include "privacy/release.hpp"
#include "records/paid_call.hpp"
#include "records/reader.hpp"

namespace dpadapt::evaluate {

/** The evaluation on private rows: at most two releases of integer sums, all else is made of them
 *  and of public numbers. No status, count or branch depends on a row. */
class PrivateEvaluation final : public records::PaidCall {
  public:
    /** Borrows the rows and reads none.
     *  @param reference  Public rows by which losses are clipped; null: none.
     *  Throws Error(DPA_E_OPTION) without a budget, or where it is too small. */
    PrivateEvaluation(const Sample &rows, const Sample *reference, const Settings &settings,
                      std::span<const Solution *const> solutions);

    /** Throws Error(DPA_E_INTERNAL) before it is paid for. */
    [[nodiscard]] Measured release(Control &control, privacy::ReleaseTrace *trace = nullptr) const;

  private:
    struct Bound {
        double value;
        const char *origin;
    };
    void take_pairs(const std::vector<double> &rows, std::size_t solution);
    void take_reference(const Sample &reference);
    void take_bound(double bound, const char *origin);
    void take_bound_of_fits(double share);
    [[nodiscard]] Bound public_bound() const;
    void plan_releases();

    /** The share of the rows that noise of that deviation can hide. */
    [[nodiscard]] double noise_share(double noise) const;
    void learn_bound(records::ErrorKind kind, std::span<const double> counts, double noise,
                     records::ErrorTask &task, Clipping &clipping) const;
    void learn_sizes(privacy::ReleaseTrace *trace, records::ErrorTask &task,
                     std::vector<Reference> &references, Clipping &clipping) const;

    records::Reader rows_;
    records::ErrorTask task_;  ///< the main one
    std::vector<Reference> references_;
    double error_bound_ = 0.0;  ///< of the fits, by public rows
    double range_ = 0.0;        ///< the widest of their predictions
    TailSigns signs_;           ///< of a long tail, as far as public rows tell
    double least_bound_ = 0.0;  ///< of what the private rows tell
    bool needs_sizes_ = true;
    bool learns_bound_ = true;                  ///< from the private rows
    std::optional<privacy::VectorGrid> sizes_;  ///< of the first release, if there is one
    const char *origin_ = "";
};

/** Of public rows; all have a size. Throws as the next one does. */
[[nodiscard]] std::vector<RowError> checked_errors(const Solution &solution, const Sample &rows);

/** The ordinary errors on public rows, all finite. Throws Error(DPA_E_LABEL) for a label without a
 *  meaning, Error(DPA_E_NUMERICAL) for an error that is not finite. */
[[nodiscard]] Measured evaluate_publicly(const Sample &rows,
                                         std::span<const Solution *const> solutions,
                                         double confidence);

}  // namespace dpadapt::evaluate
