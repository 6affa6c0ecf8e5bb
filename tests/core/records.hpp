// What the tests of record tasks share: hostile records, coordinates, and a task of each kind.
#pragma once

#include "core/core.hpp"
#include "records/error_terms.hpp"
#include "records/partial.hpp"

namespace records = dpadapt::records;

inline constexpr std::size_t kCols = 3;

struct Records {
    std::vector<double> x;
    std::vector<double> y;

    explicit Records(std::size_t count) : x(count * kCols), y(count) {
        Random random(5);
        for (double &value : x) value = random.normal();
        for (double &value : y) value = random.normal() < 0.0 ? -1.0 : 1.0;
    }
    [[nodiscard]] dpadapt::Sample sample() const {
        return dpadapt::Sample::lend({x.data(), y.size(), kCols, kCols, true}, y.data());
    }
    [[nodiscard]] std::vector<double> row(std::size_t i) const {
        const auto begin = x.begin() + static_cast<std::ptrdiff_t>(i * kCols);
        return {begin, begin + kCols};
    }
};

/** Rows as they are. */
inline records::Coordinates plain() {
    records::Coordinates coordinates;
    coordinates.center.zeros(kCols);
    coordinates.scale.ones(kCols);
    return coordinates;
}

/** Everything that can happen to a row. */
inline records::Coordinates mapped() {
    records::Coordinates coordinates;
    coordinates.center = {0.5, -1.0, 2.0};
    coordinates.scale = {2.0, 0.25, 1.0};
    coordinates.whitening = {{1.0, 0.1, 0.0}, {0.1, 2.0, -0.3}, {0.0, -0.3, 0.5}};
    coordinates.constant = true;
    coordinates.label_center = 0.25;
    coordinates.clipping = {1.5, 1.0, 0.0};
    coordinates.map = arma::mat(4, 4, arma::fill::eye) + 0.125;
    return coordinates;
}

/** The same behind three tanh units. */
inline records::Coordinates layered() {
    records::Coordinates coordinates = mapped();
    coordinates.hidden = {{3}, arma::linspace(-0.5, 0.6, 12)};
    return coordinates;
}

/** The same of rows with weights. */
inline records::Coordinates weighted() {
    records::Coordinates coordinates = layered();
    coordinates.weight_bound = 2.0;
    return coordinates;
}

inline const dpadapt::loss::Choice kSquared{.kind = dpadapt::loss::Kind::squared};
inline const dpadapt::loss::Choice kLogistic{.kind = dpadapt::loss::Kind::logistic};
inline const dpadapt::loss::Choice kSoftmax{.kind = dpadapt::loss::Kind::softmax, .classes = 3};

inline dpadapt::privacy::VectorGrid vector_grid() {
    return {32, std::int64_t{1} << 28, std::ldexp(1.0, -28)};
}

inline arma::vec numbers(std::size_t count) {
    arma::vec values(count);
    for (std::size_t k = 0; k < count; ++k) values(k) = 0.3 - 0.2 * static_cast<double>(k);
    return values;
}

inline records::PricedWeights convex_weights() {
    return {{dpadapt::ConvexPrices{2.0, 0.5, 0.25}, 0.03}, {0.6, 0.02}, 0.03, 0.4, 0.03};
}

inline records::PricedWeights linear_weights() {
    return {{dpadapt::LinearPrices{4.0, 0.5, 0.25, 3.0}, 0.03}, {0.6, 2.0}, 0.03, 0.4, 0.03};
}

/** One task of each kind and variant, for coordinates of that dimension and so many records. */
inline std::vector<records::Task> tasks(std::size_t dimension, std::size_t count) {
    using namespace records;
    std::vector<Task> all;
    const ScoredLoss scored{kSquared, numbers(dimension), 2.0};
    const MappedLoss logistic{kLogistic, numbers(dimension), {numbers(dimension) + 2.0, {}}};
    const MappedLoss softmax{
        kSoftmax, numbers(3 * dimension), {{}, arma::mat(3 * dimension, 3 * dimension).fill(0.1)}};
    all.push_back(GradientTask{scored, 1.0, 0.7, convex_weights(), {}, vector_grid()});
    all.push_back(GradientTask{logistic, 0.5, 0.7, linear_weights(), {}, vector_grid()});
    all.push_back(GradientTask{scored, 0.9, 0.7, CountedLengths{0.15, 0.4}, {}, vector_grid()});
    all.push_back(GradientTask{softmax, 0.5, {}, WholeWeights{}, {0, 2, 5}, vector_grid()});
    all.push_back(OuterTask{ShrunkByLoss{scored, 0.5, 2.0}, {40, 1 << 20}});
    all.push_back(OuterTask{ClippedByLoss{scored, 0.5, 2.0, false}, {40, 1 << 20}});
    all.push_back(OuterTask{ClippedByLoss{scored, 0.5, 2.0, true}, {40, 1 << 20}});
    all.push_back(OuterTask{ShrunkByRadius{1.5, 0.5, 0.25}, {40, 1 << 20}});
    all.push_back(MomentTask{2.0, 1.5});
    all.push_back(LossTask{kLogistic, {numbers(dimension), -numbers(dimension)}, 1.25});
    all.push_back(ComparisonTask{kLogistic,
                                 {numbers(dimension), -numbers(dimension)},
                                 1.25,
                                 vector_grid(),
                                 0.25,
                                 dimension + 7});
    all.push_back(ComparisonTask{kLogistic, {}, 1.0, vector_grid(), 1.0});
    all.push_back(
        PaperTask{scored, arma::vec(count).fill(1.5), 1.0, 0.4, 2.0, 1e-6, 1 << 20, vector_grid()});
    all.push_back(PaperTask{softmax, arma::vec(count).fill(2.0), 1.0, 0.4, 2.0, 1e-6, 1 << 20,
                            vector_grid()});
    all.push_back(CountTask{kLogistic});
    std::vector<double> bounds(dimension, 4.0);
    bounds.push_back(0.5);
    all.push_back(GramTask{bounds});
    return all;
}

inline records::ScoreTask score_task() {
    records::ScoreTask task{{}, dpadapt::SelectionLoss::squared, 2.0};
    for (const double slope : {1.0, -1.0}) {
        dpadapt::Solution candidate;
        candidate.coordinates.center.assign(kCols, 0.0);
        candidate.coordinates.scale.assign(kCols, 1.0);
        candidate.coefficients.assign(kCols, slope);
        candidate.intercept = {0.5};
        candidate.source_rows = candidate.target_rows = 1;
        task.candidates.push_back(candidate);
    }
    return task;
}

/** Of numbers or of classes, as histograms or as moments. */
inline records::ErrorTask error_task(const dpadapt::loss::Choice &loss, bool sizes) {
    records::ErrorTask task{score_task().candidates,
                            sizes ? records::ErrorsAsked::sizes : records::ErrorsAsked::means,
                            1.5,
                            1.0,
                            {},
                            {},
                            vector_grid()};
    for (dpadapt::Solution &solution : task.solutions) {
        solution.loss = loss;
        task.edges.push_back({-1.0, 0.0, 0.5});
        task.areas.push_back(arma::vec(2 * (records::kOddsBins + 1), arma::fill::value(0.5)));
    }
    return task;
}

/** Every request of the above. */
inline std::vector<records::Request> requests(std::size_t count) {
    std::vector<records::Request> all;
    for (const records::Task &task : tasks(4, count)) {
        const auto *gradients = std::get_if<records::GradientTask>(&task);
        const std::size_t batch = gradients != nullptr ? gradients->batch.size() : 0;
        for (const records::Coordinates &to : {mapped(), layered(), weighted()})
            all.push_back({to, task, batch > 0 ? batch : count});
    }
    for (const std::size_t most : {std::size_t{3}, count})
        all.push_back({plain(), records::SurveyTask{most}, count});
    all.push_back({{}, score_task(), count});
    for (const bool sizes : {false, true}) {
        all.push_back({{}, error_task(kSquared, sizes), count});
        all.push_back({{}, error_task(kLogistic, sizes), count});
    }
    return all;
}

/** Its integers and what else it has, as it is written. */
inline dpadapt::Bytes bytes_of(const records::Sum &sum) {
    dpadapt::bytes::Writer write({{}, "a sum"});
    std::visit([&](const auto &any) { any.write(write); }, sum);
    return write.finish();
}
