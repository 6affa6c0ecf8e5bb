// What the tests of private baselines share: runs, hostile neighbours, and the handles of the C
// interface.
#pragma once

#include <dpadapt/dpadapt.h>

#include "baseline/method.hpp"
#include "privacy/replay.hpp"

inline const OptionTexts kBudget = {{"epsilon", "2"}, {"delta", "1e-3"}};

inline OptionTexts with(OptionTexts options, const std::string &name, const std::string &value) {
    options[name] = value;
    return options;
}

inline dpadapt::Settings general_settings(const OptionTexts &options) {
    dpadapt::Settings settings = settings_of(options, dpadapt::Wanted::fit);
    settings.penalty = dpadapt::PenaltyKind::linear;
    return settings;
}

inline Run run_baseline(const char *name, const dpadapt::Sample &source,
                        const dpadapt::Sample &target, const OptionTexts &options,
                        dpadapt::privacy::ReleaseTrace *trace) {
    NoControl control;
    const dpadapt::baseline::MethodSpec &method = dpadapt::baseline::find_method(name);
    const dpadapt::Settings settings = general_settings(options);
    const auto call = dpadapt::baseline::prepare_private(method, source, target, settings, control);
    dpadapt::privacy::Ledger ledger;
    call->charge(ledger);
    Run run{call->plan(), call->solve(trace)};
    check_noise(*call, trace);
    return run;
}

inline Run run_baseline(const char *name, const Data &source, const Data &target,
                        const OptionTexts &options, dpadapt::privacy::ReleaseTrace *trace) {
    return run_baseline(name, source.sample(), target.sample(), options, trace);
}

/** One record replaced by something that a careless method would let through. */
inline std::vector<Data> neighbours(const Data &data, std::size_t record) {
    std::vector<Data> all;
    for (const double value : {kNan, kInf, -kInf, 1e308, -1e308, 1e200, 5e-324, 0.0, -50.0})
        for (const double label : {data.y[record], -data.y[record], value}) {
            all.push_back(data);
            all.back().set(record, value, label);
        }
    all.push_back(data);  // at a right angle to equal features
    all.back().x[record * kFeatures] = 40.0;
    all.back().x[record * kFeatures + 1] = -40.0;
    all.back().x[record * kFeatures + 2] = 0.0;
    all.push_back(data);
    all.back().y[record] = kNan;
    return all;
}

/** Of a private baseline, which gives the records of the target no weights. */
inline bool same_baseline(const dpadapt::Solution &a, const dpadapt::Solution &b) {
    return same_result(a, b) && a.target_weights.empty();
}

struct Handles {
    dpa_problem *problem = nullptr;
    dpa_options *options = nullptr;
    dpa_solution *solution = nullptr;

    Handles(const Data &source, const Data &target, const OptionTexts &texts) {
        dpa_problem_create(&problem);
        dpa_problem_set_sample(
            problem, DPA_SOURCE,
            dpa_matrix{source.x.data(), source.y.size(), kFeatures, kFeatures, DPA_ROW_MAJOR},
            source.y.data(), source.y.size());
        dpa_problem_set_sample(
            problem, DPA_TARGET,
            dpa_matrix{target.x.data(), target.y.size(), kFeatures, kFeatures, DPA_ROW_MAJOR},
            target.y.data(), target.y.size());
        dpa_options_create(&options);
        for (const auto &[name, value] : texts)
            check_true(name, dpa_options_parse(options, name.c_str(), value.c_str()) == DPA_OK);
    }
    Handles(const Handles &) = delete;
    Handles &operator=(const Handles &) = delete;
    ~Handles() {
        dpa_solution_destroy(solution);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
    dpa_status solve(const char *method) {
        dpa_solution_destroy(solution);
        return dpa_baseline_solve(problem, method, options, &solution);
    }
};
