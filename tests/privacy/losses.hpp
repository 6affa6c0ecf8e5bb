// The losses of private calls, listed once: replay on neighbours, partition, discrepancy, the
// paper's algorithm and noisy descent run all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "loss/choice.hpp"
#include "loss/scores.hpp"
#include "privacy/replay.hpp"

/** What a caller's function gives as loss and slopes of a record whose label is bad, in the order
 *  of the labels: after the first it fails, the second it does not write. */
inline constexpr double kBadAnswers[][2] = {{1e300, 1e300}, {0.0, 0.0},      {kNan, kNan},
                                            {kInf, kInf},   {-1e300, 1e300}, {-1e100, -1e100},
                                            {1e100, 1e100}};
inline constexpr double kBadLabels[] = {100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0};

/** With all other labels the logistic loss. */
inline std::int32_t callers_loss(const double *x, std::size_t rows, std::size_t features,
                                 const double *label, const double *theta, std::size_t parameters,
                                 double *losses, double *gradients, void * /*user*/) {
    if (rows == 1 && *label >= kBadLabels[0]) {
        const auto how = static_cast<std::size_t>(std::min(*label - kBadLabels[0], 6.0));
        if (how == 1) return 0;
        losses[0] = kBadAnswers[how][0];
        if (gradients != nullptr) std::fill_n(gradients, parameters, kBadAnswers[how][1]);
        return how == 0 ? -7 : 0;
    }
    dpadapt::loss::Logistic().evaluate({rows, features, x, label}, {theta, parameters},
                                       {losses, rows},
                                       {gradients, gradients == nullptr ? 0 : rows * parameters});
    return 0;
}

/** Every loss with what it needs to be told; a row of the library's table that has none fails. */
inline const std::vector<OptionTexts> &loss_cases() {
    static const std::vector<OptionTexts> all = {
        {{"loss", "squared"}, {"form", "general"}},
        {{"loss", "huber"}, {"huber_threshold", "1.5"}},
        {{"loss", "pinball"}, {"quantile_level", "0.9"}, {"quantile_smoothing", "0.5"}},
        {{"loss", "poisson"}, {"typical_label", "2"}},
        {{"loss", "gamma"}, {"typical_label", "2"}},
        {{"loss", "survival"}},
        {{"loss", "logistic"}},
        {{"loss", "softmax"}, {"classes", "3"}},
        {{"loss", "perceptron"}, {"hidden_units", "3"}, {"classes", "3"}},
        {{"loss", "perceptron"}, {"hidden_units", "2 2"}, {"perceptron_output", "squared"}},
        {{"loss", "custom"}},
    };
    for (const dpadapt::loss::LossSpec &row : dpadapt::loss::losses())
        check_true(std::string(row.word) + " is in the list of losses.hpp",
                   row.kind == dpadapt::loss::Kind::votes ||
                       std::any_of(all.begin(), all.end(), [&](const OptionTexts &loss) {
                           return loss.at("loss") == row.word;
                       }));
    return all;
}

/** Its word, and that of its output if it has one. */
inline std::string name_of(const OptionTexts &loss) {
    const auto output = loss.find("perceptron_output");
    return loss.at("loss") + (output == loss.end() ? "" : " of " + output->second);
}

inline bool is_linear(const OptionTexts &loss) {
    return dpadapt::loss::find_loss(loss.at("loss")).linear();
}

/** What its labels are, by the library's table. */
inline dpadapt::loss::Labels labels_of(const OptionTexts &loss) {
    const auto kind = [&](const char *option, const char *preset) {
        const auto found = loss.find(option);
        return dpadapt::loss::find_loss(found == loss.end() ? preset : found->second).kind;
    };
    return dpadapt::loss::labels(kind("loss", "squared"), kind("perceptron_output", "softmax"));
}

/** Samples that a call may protect: a baseline needs public rows. */
inline std::vector<std::string> private_domains(const OptionTexts &loss) {
    if (loss.at("loss") == "survival") return {"target", "source"};
    return {"target", "source", "both"};
}

inline bool has_numbers(const OptionTexts &loss) {
    const dpadapt::loss::Labels labels = labels_of(loss);
    return labels == dpadapt::loss::Labels::numbers || labels == dpadapt::loss::Labels::rates;
}

inline bool has_classes(const OptionTexts &loss) {
    return labels_of(loss) == dpadapt::loss::Labels::classes;
}

/** Labels that the loss accepts, from numbers; a caller's loss gets signs. */
inline Data with_labels(Data data, const OptionTexts &loss) {
    using dpadapt::loss::Labels;
    const Labels labels = labels_of(loss);
    for (double &y : data.y) {
        if (labels == Labels::rates)
            y = loss.at("loss") == "gamma" ? std::max(0.1, y + 2.0)
                                           : std::max(0.0, std::floor(y + 2.0));
        if (labels == Labels::times) y = (y < -1.0 ? -1.0 : 1.0) * std::exp(-0.3 * y);
        if (labels == Labels::classes) y = y < -2.0 ? 0.0 : y < 2.0 ? 1.0 : 2.0;
        if (labels == Labels::signs || labels == Labels::any) y = y < 0.0 ? -1.0 : 1.0;
    }
    return data;
}
