#include <algorithm>
#include <chrono>
#include <limits>

#include "engine/plan.hpp"
#include "records/reader.hpp"

namespace dpadapt::engine {

namespace {

Sample made_up(std::size_t rows, std::size_t features) {
    return Sample::fill(rows, features, true, [&](double *x, double *y) {
        for (std::size_t k = 0; k < rows * features; ++k) x[k] = static_cast<double>(k % 11) - 5.0;
        std::fill_n(y, rows, 1.0);
    });
}

/** Of a step of the squared loss in a metric, on one thread: the least of some timed ones. Of wide
 *  rows nearly all is the product with the metric, so narrower ones tell it. */
double seconds_of_record(std::size_t wide) {
    constexpr std::size_t kMostTimed = 256;
    const std::size_t features = std::clamp<std::size_t>(wide, 1, kMostTimed);
    const double times = static_cast<double>(wide) / static_cast<double>(features);
    constexpr std::size_t kNumbers = std::size_t{1} << 16;
    constexpr int kTimes = 5;
    constexpr double kClip = 1.0;
    const std::size_t rows = std::clamp<std::size_t>(kNumbers / features, 16, 4096);
    const Sample sample = made_up(rows, features);
    records::Coordinates to;
    to.center.zeros(features);
    to.scale.ones(features);
    to.map.eye(features, features);
    records::GradientTask task;
    task.loss = records::ScoredLoss{{}, arma::vec(features, arma::fill::ones), 1.0};
    task.clip = kClip;
    task.grid = privacy::plan_grid(Uint128{1} << 80U, kClip, 32);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kTimes; ++k) {
        const records::Reader reader(sample, to, 1);  // a new one, which has nothing mapped yet
        const auto begin = std::chrono::steady_clock::now();
        (void)reader.sum(task);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        least = std::min(least, taken.count());
    }
    return least / static_cast<double>(rows) * times * times;
}

}  // namespace

PassSize private_rows(privacy::Domains domains, std::size_t source_rows, std::size_t target_rows,
                      std::size_t features) {
    return {((domains & privacy::kSource) != 0 ? source_rows : 0) +
                ((domains & privacy::kTarget) != 0 ? target_rows : 0),
            features};
}

double PassSize::bytes() const {
    return static_cast<double>(sizeof(double) * (features + 1)) * static_cast<double>(rows);
}

double PassSize::seconds() const { return static_cast<double>(rows) * seconds_of_record(features); }

}  // namespace dpadapt::engine
