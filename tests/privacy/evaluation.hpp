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

/** Residuals of that name, of which the mean square is known. */
struct Residuals {
    LabelledPopulation population;
    double square;
};

inline Residuals residuals(const std::string &name, double mean, double square,
                           std::function<double(Random &)> draw) {
    const dpadapt::loss::Choice squared{.kind = dpadapt::loss::Kind::squared};
    return {{name,
             [draw = std::move(draw)](Random &random, const double *x) {
                 return x[0] - x[1] + draw(random);
             },
             {linear(squared, {1.0, -1.0, 0.0}, mean)}},
            square};
}

inline double draw_exponential(Random &random) { return -std::log(1.0 - random.uniform()); }

inline Residuals lognormal_residuals() {
    return residuals("lognormal", std::exp(0.5), std::exp(2.0) - std::exp(1.0),
                     [](Random &random) { return std::exp(random.normal()); });
}

/** Of private squared errors over many evaluations, with a public sample alike or without. */
struct SquareCoverage {
    double covered = 0.0;
    double told = 0.0;   ///< of evaluations with a note
    double width = 0.0;  ///< median of the upper end above the truth, as a part of it
};

inline SquareCoverage cover_square(const Residuals &residuals, std::size_t rows, unsigned runs,
                                   const char *epsilon, bool with_source) {
    SquareCoverage found;
    std::vector<double> above;
    for (unsigned run = 0; run < runs; ++run) {
        const Data data = residuals.population.rows(rows, 2 * run + 1);
        const Data others = residuals.population.rows(2000, 2 * run + 2);
        const dpadapt::Sample source = others.sample();
        const dpadapt::evaluate::Measured measured = evaluate_privately(
            residuals.population, data.sample(),
            {{"epsilon", epsilon}, {"delta", "1e-5"}, {"unsafe_seed", std::to_string(run + 1)}},
            nullptr, with_source ? &source : nullptr);
        const dpadapt::evaluate::Interval &square = measured.measures.front().value;
        const bool covers = square.lower <= residuals.square && residuals.square <= square.upper;
        found.covered += (covers ? 1.0 : 0.0) / runs;
        found.told += (measured.clipping->notes.front().empty() ? 0.0 : 1.0) / runs;
        above.push_back(square.upper / residuals.square - 1.0);
    }
    std::sort(above.begin(), above.end());
    found.width = above[above.size() / 2];
    return found;
}
