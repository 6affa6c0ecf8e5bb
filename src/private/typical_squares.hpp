#pragma once

#include <limits>

#include "linalg/arma.hpp"

namespace dpadapt {

/** Typical squares of coordinates where they are not 0: mean of z^4 over mean of z^2. A ridge in
 *  these units does not depend on the units of the coordinates, and it holds back those that few
 *  public records have. */
class TypicalSquares {
  public:
    explicit TypicalSquares(arma::uword n) : square_(n, arma::fill::zeros), fourth_(square_) {}

    /** Adds records, one a column, with their weights. */
    void add(const arma::mat &columns, const arma::rowvec &weight) {
        const arma::mat squares = arma::square(columns);
        square_ += squares * weight.t();
        fourth_ += arma::square(squares) * weight.t();
    }

    /** 1 for a coordinate that is always 0. */
    [[nodiscard]] arma::vec operator()() const {
        arma::vec sizes(square_.n_elem, arma::fill::ones);
        for (arma::uword j = 0; j < sizes.n_elem; ++j)
            if (fourth_(j) > std::numeric_limits<double>::min()) sizes(j) = fourth_(j) / square_(j);
        return sizes;
    }

  private:
    arma::vec square_;
    arma::vec fourth_;
};

}  // namespace dpadapt
