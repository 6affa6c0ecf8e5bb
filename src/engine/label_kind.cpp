#include "engine/label_kind.hpp"

namespace dpadapt::engine {

schema::Wishes wishes_of(const OptionValues &values) {
    std::string loss = values.text(Option::loss);
    if (loss == "perceptron") loss = values.text(Option::perceptron_output);
    schema::Wishes wishes;
    if (loss == "logistic") wishes.labels = schema::LabelKind::signs;
    if (loss == "softmax") wishes.labels = schema::LabelKind::classes;
    wishes.knows_classes = values.text(Option::classes) != "auto";
    return wishes;
}

void set_loss_for(const schema::Labels &labels, OptionValues &values) {
    using schema::LabelKind;
    if (labels.kind() == LabelKind::numbers || wishes_of(values).labels != LabelKind::numbers ||
        values.text(Option::loss) == "custom")
        return;
    const auto classes = static_cast<std::int64_t>(labels.names().size());
    if (labels.kind() == LabelKind::classes && classes > 0)
        values.set_integer(Option::classes, classes);  // may refuse, so it comes first
    values.set_word(Option::loss, labels.kind() == LabelKind::signs ? "logistic" : "softmax");
}

}  // namespace dpadapt::engine
