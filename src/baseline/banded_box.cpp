#include "baseline/banded_box.hpp"

#include <algorithm>

namespace dpadapt::baseline {

LinearMinimum minimize_linear(const BandedBox &box, const arma::vec &g) {
    LinearMinimum minimum{arma::vec(g.n_elem, arma::fill::zeros)};
    double sum = 0.0;
    for (const arma::uword i : arma::uvec(arma::stable_sort_index(g))) {
        const double room = (g(i) < 0.0 ? box.most : box.least) - sum;
        if (room <= 0.0) break;
        minimum.v(i) = std::min(box.upper(i), room);
        sum += minimum.v(i);
        if (box.upper(i) >= room) minimum.nu = -g(i);
    }
    return minimum;
}

bool move_inside(const BandedBox &box, arma::vec &x) {
    constexpr double kInside = 1e-3;
    const double width = box.most - box.least;
    const double total = arma::accu(box.upper);
    const double room = std::min(box.most, total - box.least);
    if (!(room > 0.0)) return false;
    const arma::vec least = kInside * std::min(1.0, room / total) * box.upper;
    const double low = std::max(box.least + kInside * width, arma::accu(least));
    const double high = std::min(box.most - kInside * width, arma::accu(box.upper - least));
    if (low > high) return false;
    const auto shifted = [&](double t) -> arma::vec {
        return arma::max(least, arma::min(x + t, box.upper - least));
    };
    const double sum = arma::accu(shifted(0.0));
    double shift = 0.0;
    if (sum < low || sum > high) {
        const double wanted = sum < low ? low : high;
        double from = -arma::max(box.upper);
        double to = -from;
        for (int bisection = 0; bisection < 100; ++bisection) {
            shift = 0.5 * (from + to);
            (arma::accu(shifted(shift)) < wanted ? from : to) = shift;
        }
    }
    x = shifted(shift);
    return true;
}

}  // namespace dpadapt::baseline
