#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "loss/score_loss.hpp"

namespace dpadapt::loss {

/** The losses, by the numbers that stand for them in saved solutions: a number keeps its meaning
 *  for ever. */
enum class Kind : std::uint32_t {
    squared = 0,
    huber = 1,
    logistic = 2,
    softmax = 3,
    perceptron = 4,
    custom = 5,
    votes = 6,
    pinball = 7,
    poisson = 8,
    gamma = 9,
    survival = 10
};

/** What labels are: numbers, rates of at least or above 0, times that have a sign, -1 and +1, the
 *  classes 0, 1, ..., what the loss of a perceptron's scores takes, or whatever a caller's loss
 *  makes of them. */
enum class Labels { numbers, rates, times, signs, classes, of_output, any };

enum class Number : unsigned {
#define DPA_LOSS_NUMBER(type, name) name,
#include "loss/numbers.def"
};

struct Choice;
enum class Reading;

/** A row of the table of losses: all that the rest of the library asks of a kind of loss. */
struct LossSpec {
    Kind kind;
    const char *word;  ///< of the option `loss`
    Labels labels;
    bool convex = true;    ///< the loss of every record, in the parameters
    unsigned numbers = 0;  ///< which it has: bits, by Number
    bool (*possible)(const Choice &choice) = [](const Choice & /*choice*/) { return true; };
    /// makes a loss of linear scores; null: the scores are not linear
    std::unique_ptr<const ScoreLoss> (*of_scores)(const Choice &choice) = nullptr;
    /// makes any other
    std::unique_ptr<const Loss> (*other)(const Choice &choice, Reading reading) = nullptr;

    [[nodiscard]] bool linear() const { return of_scores != nullptr; }
};

[[nodiscard]] std::span<const LossSpec> losses();

/** What "auto" stands for, in robust standard deviations of the public residuals; 0: not in units
 *  of the labels. */
[[nodiscard]] double residual_scales(Number number);

/** Whether it is learnt from public labels in their units. */
[[nodiscard]] inline bool in_units_of_labels(Number number) {
    return residual_scales(number) > 0.0 || number == Number::typical_label;
}

/** Row of that kind. */
[[nodiscard]] const LossSpec &spec(Kind kind);

/** Row of the option's word; throws Error(DPA_E_OPTION). */
[[nodiscard]] const LossSpec &find_loss(std::string_view word);

/** Row of the number in a saved solution; null if there is none. */
[[nodiscard]] const LossSpec *find_saved_loss(std::uint64_t id);

}  // namespace dpadapt::loss
