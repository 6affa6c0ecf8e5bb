#pragma once

#include "linalg/arma.hpp"
#include "problem/sample.hpp"

namespace dpadapt {

/** Fills columns that are constant in the source, which lacks them, from the other columns t, as
 *  they are related in the target: x_own = constant + unit (coefficients' t + deviation e). t has
 *  (x - center) scale of each, and 1. */
class OwnColumns {
  public:
    /** Finds the constant columns of a public source. Throws Error(DPA_E_OPTION) where none is, or
     *  all are. */
    OwnColumns(const Sample &source, double unit);

    [[nodiscard]] const arma::uvec &own() const { return own_; }
    [[nodiscard]] const arma::uvec &others() const { return others_; }
    [[nodiscard]] double unit() const { return unit_; }

    /** Second moments of the target: of t and t', of t and the own columns in units beyond their
     *  constants, and mean squares of these; and the deviation of the cross moments' noise. */
    struct Moments {
        arma::mat others;
        arma::mat cross;
        arma::vec squares;
        double noise = 0.0;
    };

    /** Of public rows. */
    [[nodiscard]] Moments moments(const Sample &target) const;

    /** The source with own columns by that regression: with random signs of the public seed for e,
     *  so that they vary as in the target, but tell no more of it than the others do. */
    [[nodiscard]] Sample fill(const Sample &source, const Moments &target,
                              std::uint64_t seed) const;

  private:
    [[nodiscard]] arma::vec others_of(const Sample &rows, std::size_t row) const;

    arma::uvec own_;
    arma::uvec others_;
    arma::vec constant_;
    arma::vec center_;  ///< in t's order
    arma::vec scale_;
    double unit_;
};

}  // namespace dpadapt
