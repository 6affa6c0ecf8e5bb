// What the tests of evaluations share: solutions whose errors are known, rows, and how often an
// interval covers.
#pragma once

#include <functional>

#include "evaluate/private_evaluation.hpp"
#include "privacy/replay.hpp"

/** A linear score of the three features. */
inline dpadapt::Solution linear(const dpadapt::loss::Choice &choice, const std::vector<double> &w,
                                double intercept) {
    dpadapt::Solution solution;
    solution.loss = choice;
    solution.coordinates.center.assign(w.size(), 0.0);
    solution.coordinates.scale.assign(w.size(), 1.0);
    solution.coefficients = w;
    solution.intercept = {intercept};
    solution.source_rows = solution.target_rows = 1;
    return solution;
}

/** Rows of a population, and the solutions to be measured on them. */
struct LabelledPopulation {
    std::string name;
    std::function<double(Random &, const double *)> label;
    std::vector<dpadapt::Solution> solutions;

    [[nodiscard]] Data rows(std::size_t count, unsigned seed) const {
        Random random(seed);
        Data data{std::vector<double>(count * kFeatures), std::vector<double>(count)};
        for (double &value : data.x) value = random.normal();
        for (std::size_t i = 0; i < count; ++i)
            data.y[i] = label(random, data.x.data() + i * kFeatures);
        return data;
    }
    [[nodiscard]] std::vector<const dpadapt::Solution *> pointers() const {
        std::vector<const dpadapt::Solution *> list;
        for (const dpadapt::Solution &solution : solutions) list.push_back(&solution);
        return list;
    }
};

inline LabelledPopulation numbers_population() {
    const dpadapt::loss::Choice squared{.kind = dpadapt::loss::Kind::squared};
    return {"numbers",
            [](Random &random, const double *x) { return x[0] - x[1] + random.normal(); },
            {linear(squared, {1.0, -1.0, 0.1}, 0.2), linear(squared, {0.4, -0.8, 0.0}, 0.0)}};
}

inline LabelledPopulation quantile_population() {
    const dpadapt::loss::Choice pinball{
        .kind = dpadapt::loss::Kind::pinball, .quantile_level = 0.9, .quantile_smoothing = 0.1};
    return {"quantiles",
            [](Random &random, const double *x) { return x[0] - x[1] + random.normal(); },
            {linear(pinball, {1.0, -1.0, 0.0}, 1.2), linear(pinball, {0.5, -1.0, 0.0}, 1.0)}};
}

inline LabelledPopulation classes_population() {
    const dpadapt::loss::Choice logistic{.kind = dpadapt::loss::Kind::logistic};
    return {"classes",
            [](Random &random, const double *x) {
                const double odds = std::exp(-1.0 + 1.5 * x[0] - x[1]);
                const double p = 0.5 * std::erfc(-random.normal() * M_SQRT1_2);
                return p < odds / (1.0 + odds) ? 1.0 : -1.0;
            },
            {linear(logistic, {1.4, -0.8, 0.1}, -0.9), linear(logistic, {0.7, 0.0, 0.0}, -0.5)}};
}

/** Times up to 2, with hazards of that level. */
inline LabelledPopulation times_population(double level) {
    dpadapt::loss::Choice survival{.kind = dpadapt::loss::Kind::survival};
    survival.baseline = {{0.5, 1.0, 2.0}, {0.5, 1.0, 2.0}, {0.0, 0.0, 0.0}};
    return {"times",
            [level](Random &random, const double *x) {
                const auto drawn = [&] { return -std::log(1.0 - random.uniform()); };
                const double time = drawn() / (level * std::exp(0.8 * x[0] - 0.4 * x[1]));
                const double end = std::min(2.0, 2.0 * drawn());
                return time <= end ? time : -end;
            },
            {linear(survival, {0.7, -0.4, 0.1}, 0.0), linear(survival, {0.3, 0.5, 0.0}, 0.1)}};
}

inline dpadapt::evaluate::Measured evaluate_privately(
    const LabelledPopulation &population, const dpadapt::Sample &rows, const OptionTexts &options,
    dpadapt::privacy::ReleaseTrace *trace = nullptr, const dpadapt::Sample *reference = nullptr) {
    NoControl control;
    dpadapt::evaluate::PrivateEvaluation call(
        rows, reference, settings_of(options, dpadapt::Wanted::fit), population.pointers());
    dpadapt::privacy::Ledger ledger;
    call.charge(ledger);
    dpadapt::evaluate::Measured measured = call.release(control, trace);
    check_noise(call, trace);
    return measured;
}

/** Of one measure over many evaluations. */
struct Coverage {
    double covered = 0.0;
    double width = 0.0;
    double public_covered = 0.0;
    double public_width = 0.0;
    double error = 0.0;
};

/** Private and ordinary intervals against the errors on very many rows. */
inline std::map<std::string, Coverage> cover(const LabelledPopulation &population, std::size_t rows,
                                             std::size_t runs, const OptionTexts &options,
                                             std::size_t all_rows) {
    const Data all = population.rows(all_rows, 1);
    const dpadapt::evaluate::Measured truth =
        dpadapt::evaluate::evaluate_publicly(all.sample(), population.pointers(), 0.95);
    std::map<std::string, Coverage> found;
    for (std::size_t run = 0; run < runs; ++run) {
        const Data data = population.rows(rows, static_cast<unsigned>(run + 2));
        const dpadapt::Sample sample = data.sample();
        const auto ordinary =
            dpadapt::evaluate::evaluate_publicly(sample, population.pointers(), 0.95);
        const auto noisy = evaluate_privately(population, sample, options);
        for (std::size_t k = 0; k < truth.measures.size(); ++k) {
            const auto &measure = noisy.measures[k];
            check_true("same measures", std::string(measure.name) == truth.measures[k].name &&
                                            std::string(measure.name) == ordinary.measures[k].name);
            const double value = truth.measures[k].value.estimate;
            Coverage &own =
                found[std::string(measure.name) + ' ' + std::to_string(measure.solution)];
            const auto add = [&](const dpadapt::evaluate::Interval &interval, double &covered,
                                 double &width) {
                covered += (interval.lower <= value && value <= interval.upper ? 1.0 : 0.0) /
                           static_cast<double>(runs);
                width += (interval.upper - interval.lower) / static_cast<double>(runs);
            };
            add(measure.value, own.covered, own.width);
            add(ordinary.measures[k].value, own.public_covered, own.public_width);
            own.error += (measure.value.estimate - value) / static_cast<double>(runs);
        }
    }
    return found;
}
