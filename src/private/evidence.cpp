#include "private/evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "records/paid_call.hpp"
#include "records/reader.hpp"

namespace dpadapt {

Evidence::Evidence(arma::vec start, double variance)
    : start_(std::move(start)),
      variance_(variance),
      gradients_(start_.n_elem, arma::fill::zeros),
      ways_(start_.n_elem, arma::fill::zeros) {}

void Evidence::see(const arma::vec &v, const arma::vec &gradient) {
    const arma::vec way = v - start_;
    steps_ += 1.0;
    gradients_ += gradient;
    ways_ += way;
    along_ += arma::dot(gradient, way);
    square_ += arma::dot(way, way);
}

/** @param spread  Variance of w, in units of the noise of a mean of all gradients. */
double Evidence::log_ratio(double h, double spread) const {
    const auto d = static_cast<double>(start_.n_elem);
    const arma::vec sum = gradients_ - h * ways_;
    const double followed = 2.0 * h * along_ - h * h * square_;
    const double mean = spread * arma::dot(sum, sum) / (steps_ * (1.0 + spread));
    return 0.5 * ((followed + mean) / variance_ - d * std::log1p(spread));
}

double Evidence::operator()() const {
    constexpr std::array kHessians{0.0, 0.5, 1.0};
    constexpr std::array kSpreads{0.0, 0.3, 3.0, 30.0, 300.0, 3000.0};
    if (steps_ == 0.0 || !(variance_ > 0.0)) return 0.0;
    std::vector<double> logs;
    for (const double h : kHessians)
        for (const double spread : kSpreads) logs.push_back(log_ratio(h, spread));
    const double most = *std::max_element(logs.begin(), logs.end());
    double sum = 0.0;
    for (const double log : logs) sum += std::exp(log - most);
    const double ratio = most + std::log(sum / static_cast<double>(logs.size()));
    return std::isfinite(ratio) ? ratio / std::log(10.0) : 0.0;
}

double release_weight_sum(const PrivateRun &run) {
    constexpr auto kPurpose = random::Purpose::weight_sum;
    const privacy::VectorGrid &grid = *run.plan.weight_sum;
    const records::ComparisonTask task{run.problem.choice(), {}, 1.0, grid, 1.0};
    const auto noise = gaussian_noise(run, kPurpose, 0, 1);
    const records::Reader rows(run.problem, run.problem.domains());
    const double twice_less = release(run, kPurpose, 0, rows.sum(task), noise, rows.rows())(0);
    const auto most = static_cast<double>(rows.rows());
    const double least = std::clamp(0.5 * grid.sigma(), 1.0, most);
    return std::clamp(0.5 * (twice_less + most), least, most);
}

}  // namespace dpadapt
