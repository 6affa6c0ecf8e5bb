#pragma once

#include <algorithm>
#include <cmath>

#include "loss/score_loss.hpp"
#include "problem/private_problem.hpp"

namespace dpadapt {

/** Derivatives of the losses of mapped private records by their linear scores, in units of the loss's
 *  largest curvature. What is computed for a record depends on that record and public or released
 *  values alone. */
class LinearRecords {
  public:
    /** Borrows the rows, the loss and v, the parameters: column after column of W. */
    LinearRecords(const PrivateRows &rows, const loss::ScoreLoss &loss, const arma::vec &v,
                  double unit)
        : rows_(rows), loss_(loss), v_(v), unit_(unit) {}

    struct Derivatives {
        double slope;      ///< norm of the gradient
        double curvature;  ///< bound of the norm of the Hessian, in [0, 1]
    };

    [[nodiscard]] Derivatives derivatives(std::size_t i) const {
        const std::size_t outputs = loss_.outputs();
        std::vector<double> score(outputs);
        std::vector<double> slope(outputs);
        std::vector<double> direction(outputs);
        std::vector<double> column(outputs);
        for (std::size_t k = 0; k < outputs; ++k)
            score[k] = rows_.score(i, v_.memptr() + k * rows_.dimension());
        const double label = rows_.label(i);
        double loss = 0.0;
        loss_.slopes(1, score.data(), &label, &loss, slope.data());
        if (!loss_.accepts(label)) return {0.0, 0.0};
        Derivatives result{0.0, 0.0};
        for (const double s : slope) result.slope = std::hypot(result.slope, s / unit_);
        for (std::size_t k = 0; k < outputs; ++k) {
            std::fill(direction.begin(), direction.end(), 0.0);
            direction[k] = 1.0;
            loss_.curvatures(1, score.data(), &label, direction.data(), column.data());
            double size = 0.0;
            for (const double h : column) size += std::abs(h);
            result.curvature = std::max(result.curvature, std::min(1.0, size / unit_));
        }
        return result;
    }

  private:
    const PrivateRows &rows_;
    const loss::ScoreLoss &loss_;
    const arma::vec &v_;
    double unit_;
};

}  // namespace dpadapt
