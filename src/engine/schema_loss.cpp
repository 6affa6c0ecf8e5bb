#include <algorithm>

#include "base/error.hpp"
#include "engine/settings.hpp"
#include "loss/table.hpp"

namespace dpadapt::engine {

schema::Hints hints_of(const OptionValues &values) {
    std::string loss = values.text(Option::loss);
    if (loss == "perceptron") loss = values.text(Option::perceptron_output);
    schema::Hints hints;
    if (loss == "logistic") hints.labels = schema::LabelKind::signs;
    if (loss == "softmax") hints.labels = schema::LabelKind::classes;
    hints.knows_classes = values.text(Option::classes) != "auto";
    return hints;
}

constexpr Option kOfLoss[] = {
    Option::loss,
    Option::perceptron_output,
    Option::hidden_units,
#define DPA_LOSS_NUMBER(type, name) Option::name,
#include "loss/numbers.def"
};

std::vector<std::string> loss_options(const OptionValues &values) {
    std::vector<std::string> list;
    const std::string loss = values.text(Option::loss);
    if (loss == "custom" || loss == "logistic" || loss == "softmax") return list;  // labels tell
    for (const Option option : kOfLoss)
        if (values.is_changed(option))
            list.push_back(option_spec(option).name + ('=' + values.text(option)));
    return list;
}

std::vector<std::string> loss_options(const loss::Choice &loss) {
    OptionValues values;
    if (loss.kind == loss::Kind::votes || loss.kind == loss::Kind::perceptron) return {};
    values.set_word(Option::loss, loss::name(loss.kind));
    if (loss.kind == loss::Kind::pinball) values.set(Option::quantile_level, loss.quantile_level);
    return loss_options(values);
}

OptionValues options_of(const schema::LabelledSchema &schema) {
    OptionValues values;
    try {
        for (const std::string &setting : schema.loss) {
            const std::size_t end = setting.find('=');
            const Option option = find_option(setting.substr(0, end));
            if (std::ranges::count(kOfLoss, option) == 0 || end == setting.npos)
                throw Error(DPA_E_FORMAT, setting + " describes no loss");
            values.parse(option, setting.substr(end + 1));
        }
    } catch (const Error &error) {
        throw Error(DPA_E_FORMAT, std::string("data must be a schema, but ") + error.what());
    }
    return values;
}

void set_loss_for(const schema::LabelledSchema &schema, OptionValues &values) {
    using schema::LabelKind;
    const OptionValues own = options_of(schema);
    if (!values.is_given(Option::loss) || values.text(Option::loss) == own.text(Option::loss))
        for (const Option option : kOfLoss)
            if (own.is_given(option) && !values.is_given(option)) values.copy(option, own);
    const schema::Labels &labels = schema.schema.labels;
    if (labels.kind() == LabelKind::numbers || hints_of(values).labels != LabelKind::numbers ||
        values.text(Option::loss) == "custom")
        return;
    const auto classes = static_cast<double>(labels.names().size());
    if (labels.kind() == LabelKind::classes && classes > 0)
        values.set(Option::classes, classes);  // may refuse, so it comes first
    values.set_word(Option::loss, labels.kind() == LabelKind::signs ? "logistic" : "softmax");
}

}  // namespace dpadapt::engine
