#pragma once

#include <memory>
#include <vector>

#include "loss/callback.hpp"

namespace dpadapt::loss {

/** `votes` is no option of a fit: boosting makes it. */
enum class Kind : std::uint32_t { squared, huber, logistic, softmax, perceptron, custom, votes };

/** A loss by name and numbers: what a saved predictor keeps of it. */
struct Choice {
    Kind kind = Kind::squared;
    double threshold = 0.0;   ///< of huber
    std::size_t classes = 0;  ///< of softmax, or of a perceptron that ends in it
    std::vector<std::size_t>
        hidden;  ///< units of a perceptron's hidden layers; how many classifiers vote
    Kind output = Kind::softmax;  ///< of a perceptron: squared, logistic or softmax
    CallbackLoss callback;        ///< of custom
};

/** Whether labels are the numbers 0 .. classes - 1. */
[[nodiscard]] bool counts_classes(const Choice &choice);

/** Whether labels are classes: those numbers, or -1 and +1. */
[[nodiscard]] bool predicts_classes(const Choice &choice);

/** How many scores a row has; 0 for a caller's loss, which makes none. */
[[nodiscard]] std::size_t scores(const Choice &choice);

/** Whether the scores are linear in the features. */
[[nodiscard]] bool is_linear(Kind kind);
[[nodiscard]] inline bool is_linear(const Choice &choice) { return is_linear(choice.kind); }

/** Whether the loss of every record is convex in the parameters. */
[[nodiscard]] bool is_convex(const Choice &choice);

/** The option's word for it. */
[[nodiscard]] const char *name(Kind kind);

[[nodiscard]] std::unique_ptr<const Loss> make_loss(const Choice &choice, Reading reading);

}  // namespace dpadapt::loss
