#pragma once

#include "linalg/arma.hpp"

namespace dpadapt::linalg {

/** Moves w to the nearest point of the ball ||w|| <= radius. */
inline void project_on_ball(arma::vec &w, double radius) {
    const double norm = arma::norm(w);
    if (norm > radius) w *= radius / norm;
}

}  // namespace dpadapt::linalg
