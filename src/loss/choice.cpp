#include "loss/choice.hpp"

#include "base/error.hpp"
#include "loss/huber.hpp"
#include "loss/logistic.hpp"
#include "loss/perceptron.hpp"
#include "loss/softmax.hpp"
#include "loss/squared.hpp"
#include "loss/votes.hpp"

namespace dpadapt::loss {
namespace {

/** The loss that turns scores into numbers: of the choice itself, or of a perceptron's last
 *  layer. */
Kind score_kind(const Choice &choice) {
    return choice.kind == Kind::perceptron ? choice.output : choice.kind;
}

std::unique_ptr<const ScoreLoss> make_score_loss(const Choice &choice) {
    switch (score_kind(choice)) {
        case Kind::squared:
            return std::make_unique<Squared>();
        case Kind::huber:
            return std::make_unique<Huber>(choice.threshold);
        case Kind::logistic:
            return std::make_unique<Logistic>();
        case Kind::softmax:
            return std::make_unique<Softmax>(choice.classes);
        default:
            throw Error(DPA_E_INTERNAL, "this loss has no scores");
    }
}

}  // namespace

bool counts_classes(const Choice &choice) { return score_kind(choice) == Kind::softmax; }

bool predicts_classes(const Choice &choice) {
    const Kind kind = score_kind(choice);
    return kind == Kind::softmax || kind == Kind::logistic || kind == Kind::votes;
}

std::size_t scores(const Choice &choice) {
    if (choice.kind == Kind::custom) return 0;
    return counts_classes(choice) ? choice.classes : 1;
}

bool is_linear(Kind kind) { return kind < Kind::perceptron; }

bool is_convex(const Choice &choice) { return is_linear(choice); }

const char *name(Kind kind) {
    constexpr const char *kNames[] = {"squared",    "huber",  "logistic", "softmax",
                                      "perceptron", "custom", "votes"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::unique_ptr<const Loss> make_loss(const Choice &choice, Reading reading) {
    if (choice.kind == Kind::custom) return std::make_unique<Callback>(choice.callback, reading);
    if (choice.kind == Kind::votes) return std::make_unique<Votes>(choice.hidden.front());
    if (choice.kind == Kind::perceptron)
        return std::make_unique<Perceptron>(choice.hidden, make_score_loss(choice));
    return make_score_loss(choice);
}

}  // namespace dpadapt::loss
