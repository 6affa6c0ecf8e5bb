#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "objective/left_out.hpp"

namespace dpadapt {

/** What public rows, each left out in turn, say of their own fit, and, where they are the target's,
 *  of a private source. */
class LeftOutRows {
  public:
    /** Borrows the sample, whose loss must have one linear score.
     *  @param seed  Of the rows that are left out where there are very many. */
    LeftOutRows(const PublicSample &sample, std::uint64_t seed);

    struct Trust {
        arma::vec theta;
        double alpha = 0.0;                                      ///< share of the estimate
        double loss = std::numeric_limits<double>::quiet_NaN();  ///< of rows left out
    };

    /** The fit of least error with a ridge, or the plain one if that is worse by less than this
     *  share: where rows are few for the features the plain fit tells nothing, and its residuals
     *  have no scale. */
    [[nodiscard]] Trust own_fit(double clearly) const;

    /** The rule of fits without privacy: as how many rows of the target does the estimate count,
     *  and with which ridge on its side? Nothing, if a fit without it does better.
     *  @param curvature  Of the source's mean loss.
     *  @param estimate   Of its minimum.
     *  @param most       What it counts as where the domains are equal. */
    [[nodiscard]] Trust trust(const arma::mat &curvature, const arma::vec &estimate,
                              double most) const;

  private:
    /** Fits that were tried, and the losses of rows left out of them. */
    struct Tried {
        std::vector<Trust> fits;
        LeftOutChoice choice;
    };
    void try_own(Tried &tried) const;
    void try_sizes(SourcePrior prior, double most, double least, bool own, Tried &tried) const;

    const PublicSample &sample_;
    bool closed_form_;
    double count_;
    ColumnRows rows_;
};

/** Whether rows can be left out of fits to that sample without further fits. */
[[nodiscard]] bool has_left_out_rows(const PublicSample &sample);

/** Whether that is so, and rows are few for the features: below 20 a parameter. */
[[nodiscard]] bool few_rows(const PublicSample &sample);

}  // namespace dpadapt
