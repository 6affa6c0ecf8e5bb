#include "solution/describe.hpp"

namespace dpadapt {

void describe_predictor(const Preprocess &preprocess, const loss::Choice &choice,
                        const arma::vec &theta, Solution &solution) {
    solution.loss = choice;
    solution.loss.callback = {};
    const arma::mat &whitening = preprocess.whitening();
    solution.coordinates = {{preprocess.center().begin(), preprocess.center().end()},
                            {preprocess.scale().begin(), preprocess.scale().end()},
                            {whitening.begin(), whitening.end()},
                            preprocess.has_intercept(),
                            preprocess.label_center()};
    if (!loss::is_linear(choice)) {
        solution.parameters.assign(theta.begin(), theta.end());
        return;
    }
    const arma::uword d = preprocess.dimension();
    for (arma::uword first = 0; first < theta.n_elem; first += d) {
        const Predictor predictor = preprocess.to_user(theta.subvec(first, first + d - 1));
        solution.coefficients.insert(solution.coefficients.end(), predictor.coefficients.begin(),
                                     predictor.coefficients.end());
        solution.intercept.push_back(predictor.intercept);
    }
}

UsedSettings used_settings(const Hyperparameters &hyper, double discrepancy,
                           const Clipping &clipping) {
    UsedSettings used{hyper};
    used.discrepancy = discrepancy;
    used.feature_radius = clipping.feature_radius;
    used.label_bound = clipping.label_bound;
    return used;
}

}  // namespace dpadapt
