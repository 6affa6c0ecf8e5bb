#include "records/coordinates.hpp"

namespace dpadapt::records {

Coordinates coordinates_of(const PrivateProblem &problem, arma::mat map) {
    const Preprocess &learnt = problem.preprocess();
    return {learnt.center(),
            learnt.scale(),
            learnt.basis().is_empty() ? learnt.whitening() : arma::mat(learnt.basis().t()),
            learnt.has_intercept(),
            learnt.label_center(),
            problem.record_clipping(),
            problem.hidden(),
            std::move(map),
            problem.weight_bound()};
}

}  // namespace dpadapt::records
