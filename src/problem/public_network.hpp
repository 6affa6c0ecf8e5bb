#pragma once

#include "base/control.hpp"
#include "loss/choice.hpp"
#include "problem/loss_rows.hpp"

namespace dpadapt {

/** The fit of a perceptron to public rows, with the weight decay of least mean loss on rows held
 *  out of it: without one it learns its rows by heart. Decays are tried from the largest on, and
 *  the first one that is worse than the one before ends the search. */
[[nodiscard]] arma::vec fit_network(const LossRows &rows, const arma::vec &start,
                                    const loss::Choice &choice, std::uint64_t seed,
                                    Control &control);

}  // namespace dpadapt
