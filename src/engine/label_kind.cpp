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

}  // namespace dpadapt::engine
