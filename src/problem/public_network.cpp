#include "problem/public_network.hpp"

#include "base/splitmix.hpp"
#include "problem/defaults.hpp"
#include "problem/public_loss.hpp"

namespace dpadapt {
namespace {

/** What the decay of each weight is a multiple of: for the last layer the largest curvature of its
 *  loss, for hidden ones the mean loss of scores 0. So it depends on no unit of the labels. */
arma::vec decay_units(const LossRows &rows, std::size_t last) {
    const arma::vec zero(rows.parameters(), arma::fill::zeros);
    std::vector<double> losses(rows.rows());
    rows.losses(zero, losses.data());
    const double mean = rows.sample().mean(losses);
    arma::vec units(rows.parameters());
    units.fill(mean > 0.0 ? mean : 1.0);
    units.tail(last).fill(rows.loss().output()->largest_curvature());
    return units;
}

}  // namespace

arma::vec fit_network(const LossRows &rows, const arma::vec &start, const loss::Choice &choice,
                      std::uint64_t seed, Control &control) {
    constexpr std::size_t kParts = 5;
    const std::size_t held = rows.rows() / kParts;
    const arma::vec units = decay_units(rows, (choice.hidden.back() + 1) * loss::scores(choice));
    const std::vector<double> relative = rows.sample().shares(static_cast<double>(rows.rows()));
    const double share = 1.0 / static_cast<double>(rows.rows() - held);
    std::vector<double> weight(relative);
    for (double &of_row : weight) of_row *= share;
    const std::vector<std::size_t> of_test = SplitMix64(seed).draw(rows.rows(), held);
    for (const std::size_t i : of_test) weight[i] = 0.0;

    double best = 0.0;
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> losses(rows.rows());
    for (const double decay : defaults::kWeightDecays) {
        if (held == 0) break;
        const arma::vec fit = fit_loss(rows, start, false, control, decay * units, weight);
        rows.losses(fit, losses.data());
        double loss = 0.0;
        for (const std::size_t i : of_test) loss += relative[i] * losses[i];
        if (!(loss < least)) break;
        least = loss;
        best = decay;
    }
    return fit_loss(rows, start, false, control, best * units);
}

}  // namespace dpadapt
