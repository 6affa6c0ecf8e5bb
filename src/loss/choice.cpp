#include "loss/choice.hpp"

namespace dpadapt::loss {

namespace {

/** The loss that turns scores into numbers: of the choice itself, or of a perceptron's last
 *  layer. */
const LossSpec &score_spec(Kind kind, Kind output) {
    return spec(spec(kind).labels == Labels::of_output ? output : kind);
}

/** Only these two have layers, or a number of voters. */
bool has_hidden(Kind kind) { return kind == Kind::perceptron || kind == Kind::votes; }

}  // namespace

Labels labels(Kind kind, Kind output) { return score_spec(kind, output).labels; }

bool counts_classes(const Choice &choice) {
    return labels(choice.kind, choice.output) == Labels::classes;
}

bool has_numbers(Kind kind, Kind output) {
    const Labels meaning = labels(kind, output);
    return meaning == Labels::numbers || meaning == Labels::rates;
}

bool predicts_classes(const Choice &choice) {
    const Labels meaning = labels(choice.kind, choice.output);
    return meaning == Labels::classes || meaning == Labels::signs;
}

bool has_likelihood(const Choice &choice) {
    return predicts_classes(choice) || choice.kind == Kind::survival;
}

bool has(const Choice &choice, Number number) {
    const unsigned numbers = score_spec(choice.kind, choice.output).numbers;
    return ((numbers >> static_cast<unsigned>(number)) & 1U) != 0;
}

std::size_t scores(const Choice &choice) {
    if (choice.kind == Kind::custom) return 0;
    return counts_classes(choice) ? choice.classes : 1;
}

std::size_t last_layer(const Choice &choice) {
    return choice.kind == Kind::perceptron ? (choice.hidden.back() + 1) * scores(choice) : 0;
}

bool curvature_depends_on_label(const Choice &choice) {
    return choice.kind != Kind::squared && choice.kind != Kind::logistic &&
           choice.kind != Kind::softmax && choice.kind != Kind::poisson;
}

bool is_possible(const Choice &choice) {
    for (const Kind kind : {choice.kind, choice.output})
        if (find_saved_loss(static_cast<std::uint64_t>(kind)) == nullptr) return false;
    for (const std::size_t count : choice.hidden)
        if (count < 1 || count > kMostUnits) return false;
    return choice.hidden.empty() != has_hidden(choice.kind) && spec(choice.kind).possible(choice);
}

std::unique_ptr<const Loss> make_loss(const Choice &choice, Reading reading) {
    const LossSpec &row = spec(choice.kind);
    if (row.linear()) return row.of_scores(choice);
    return row.other(choice, reading);
}

}  // namespace dpadapt::loss
