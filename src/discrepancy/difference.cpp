#include "discrepancy/difference.hpp"

namespace dpadapt {

LossDifference loss_difference(const Moments &target, const Moments &source,
                               const arma::vec &center) {
    LossDifference difference{target.second - source.second, {}, target.label - source.label};
    const arma::vec cross = target.cross - source.cross;
    difference.slope = difference.second * center - cross;
    difference.constant += arma::dot(center, difference.slope) - arma::dot(center, cross);
    return difference;
}

}  // namespace dpadapt
