#pragma once

#include <cstddef>

#include "problem/loss_rows.hpp"
#include "problem/prepared_sample.hpp"
#include "problem/public_network.hpp"

namespace dpadapt {

class Population;

/** What is learnt from a public sample: the coordinates, the bounds, and a fit from which the
 *  defaults of the objective follow: of the squared loss by least squares, of others with a small
 *  ridge. Where the sample stands for more rows than are in memory, least squares are those of all
 *  of them. */
class PublicSample {
  public:
    /** Borrows the sample. Throws Error(DPA_E_NONFINITE) naming its first row with NaN or
     *  infinity.
     *  @param beside  The only other rows that will be read, if the scores are linear; see
     *                 Preprocess.
     *  @param known   The fit, if it need not be found. */
    PublicSample(const Sample &sample, const char *name, const Settings &settings, Control &control,
                 const Sample *beside = nullptr, const arma::vec &known = {});
    PublicSample &operator=(PublicSample &&) = delete;

    [[nodiscard]] const Preprocess &preprocess() const { return preprocess_; }
    [[nodiscard]] const PreparedSample &rows() const { return rows_; }
    [[nodiscard]] const Clipping &clipping() const { return clipping_; }
    [[nodiscard]] const arma::vec &fit() const { return fit_; }

    /** How many rows of equal weight the fit is made of. */
    [[nodiscard]] double effective_rows() const { return effective_rows_; }

    /** Of the squared loss; empty for others. */
    [[nodiscard]] const Moments &moments() const { return moments_; }

    [[nodiscard]] const loss::Choice &choice() const { return choice_; }
    [[nodiscard]] const loss::Loss &loss() const { return *loss_; }
    [[nodiscard]] const LossRows &loss_rows() const { return *loss_rows_; }
    [[nodiscard]] bool newton() const { return newton_; }

    /** The fit with a ridge on all but the intercept, in units of the features' mean square and of
     *  the loss's largest curvature. The scores must be linear. */
    [[nodiscard]] arma::vec ridge_fit(double ridge, Control &control) const;

    /** Square of twice the robust standard deviation of the fit's residuals: Huber's threshold in
     *  squared units. */
    [[nodiscard]] double kappa_1() const;

    /** Twice the norm of the fit; of a perceptron its norm: its weight decay was chosen. */
    [[nodiscard]] double radius() const;

  private:
    void see_population(const Population &population, const char *name);
    void choose_loss(const LossSettings &settings, Control &control);
    [[nodiscard]] arma::vec find_fit(const LossSettings &settings, Control &control) const;

    Preprocess preprocess_;
    PreparedSample rows_;
    Clipping clipping_;
    Moments moments_;
    double effective_rows_ = 0.0;
    loss::Choice choice_;
    std::unique_ptr<const loss::Loss> loss_;
    std::optional<LossRows> loss_rows_;
    bool newton_ = false;
    arma::vec fit_;
};

/** Exact means over rows in preprocessed coordinates, without those of weights. */
struct WholeMoments {
    Moments moments;
    arma::vec mean;  ///< of z, without the constant
    double label = 0.0;
};

/** The public rows that a sample in memory stands for, where these are more and elsewhere. */
class Population {
  public:
    Population &operator=(Population &&) = delete;
    virtual ~Population() = default;

    /** Rows with a label. */
    [[nodiscard]] virtual std::size_t rows() const = 0;

    /** Whether each row is in the sample, as often as it is there. */
    [[nodiscard]] virtual bool is_in_memory() const = 0;

    /** Where these are known, they set the coordinates instead of the sample's. */
    [[nodiscard]] virtual const ColumnMeans *means() const { return nullptr; }

    /** Between the smallest and the largest number of a column that is constant in the sample, or,
     *  where means are known, in all rows. */
    [[nodiscard]] virtual double range(std::size_t column) const = 0;
    [[nodiscard]] virtual double lowest_label() const = 0;
    [[nodiscard]] virtual double highest_label() const = 0;

    /** Of the rows in these coordinates, clipped: one pass. */
    [[nodiscard]] virtual WholeMoments moments(const Preprocess &preprocess,
                                               const Clipping &clipping) const = 0;
};

}  // namespace dpadapt
