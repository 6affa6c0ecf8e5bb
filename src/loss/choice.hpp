#pragma once

#include <memory>
#include <vector>

#include "loss/callback.hpp"
#include "loss/survival.hpp"
#include "loss/table.hpp"

namespace dpadapt::loss {

constexpr std::size_t kMostClasses = 1000;
constexpr std::size_t kMostUnits = 1000;  ///< of a hidden layer; of classifiers that vote

/** A loss by name and numbers: what a saved predictor keeps of it. */
struct Choice {
    Kind kind = Kind::squared;
#define DPA_LOSS_NUMBER(type, name) type name = 0;  // unless the loss has it
#include "loss/numbers.def"
    std::vector<std::size_t>
        hidden;  ///< units of a perceptron's hidden layers; how many classifiers vote
    Kind output = Kind::softmax;  ///< of a perceptron: a loss of linear scores
    double unit = 1.0;  ///< of a perceptron's scores, or the rate of the score 0; 1 when described
    CumulativeHazard baseline;  ///< of survival
    CallbackLoss callback;      ///< of custom
};

/** What labels are, for a perceptron by the loss of its scores. */
[[nodiscard]] Labels labels(Kind kind, Kind output);

/** Whether labels are numbers that may be clamped, and predictions too. */
[[nodiscard]] bool has_numbers(Kind kind, Kind output);

/** Whether labels are the numbers 0 .. classes - 1. */
[[nodiscard]] bool counts_classes(const Choice &choice);

/** Whether labels are classes: those numbers, or -1 and +1. */
[[nodiscard]] bool predicts_classes(const Choice &choice);

/** Whether errors are minus log likelihoods: of classes, and of times. */
[[nodiscard]] bool has_likelihood(const Choice &choice);

/** Whether the loss, or that of a perceptron's scores, has that number. */
[[nodiscard]] bool has(const Choice &choice, Number number);

/** How many scores a row has; 0 for a caller's loss, which makes none. */
[[nodiscard]] std::size_t scores(const Choice &choice);

/** How many of a perceptron's weights make its scores of the last hidden layer; of others 0. */
[[nodiscard]] std::size_t last_layer(const Choice &choice);

/** Whether the scores are linear in the features. */
[[nodiscard]] inline bool is_linear(Kind kind) { return spec(kind).linear(); }
[[nodiscard]] inline bool is_linear(const Choice &choice) { return is_linear(choice.kind); }

/** Whether scores are logarithms of rates. */
[[nodiscard]] inline bool has_log_link(Kind kind) {
    return kind == Kind::poisson || kind == Kind::gamma;
}

/** Whether the curvature of the loss at a score depends on the label. */
[[nodiscard]] bool curvature_depends_on_label(const Choice &choice);

/** Whether the loss of every record is convex in the parameters. */
[[nodiscard]] inline bool is_convex(const Choice &choice) { return spec(choice.kind).convex; }

/** Whether its numbers are possible, so that make_loss succeeds (a caller's loss needs its function
 *  besides). */
[[nodiscard]] bool is_possible(const Choice &choice);

/** The option's word for it. */
[[nodiscard]] inline const char *name(Kind kind) { return spec(kind).word; }

[[nodiscard]] std::unique_ptr<const Loss> make_loss(const Choice &choice, Reading reading);

}  // namespace dpadapt::loss
