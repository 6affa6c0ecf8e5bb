#include "engine/public_rows.hpp"

#include "base/text.hpp"
#include "engine/options.hpp"
#include "engine/survey.hpp"

namespace dpadapt::engine {

PublicRows::PublicRows(const Sample &source, const Sample &target, const Settings &settings,
                       bool private_fit)
    : all_source_(source), all_target_(target), is_private_fit_(private_fit) {
    const privacy::Domains private_domains = settings.privacy.domains;
    // mutant: survey_of_private_rows
    if ((private_domains & privacy::kSource) == 0) {
        if (private_domains != 0 && source.remote() != nullptr) survey_.emplace(survey(source));
        clean_source_ = clean(source, target, "source", settings);
        source_.emplace(whole_source());
        if (private_fit && source_->any()) drawn_source_ = draw_source(source_->rows(), settings);
    }
    // mutant: stray_cells_of_private_rows
    if ((private_domains & privacy::kTarget) == 0) {
        clean_target_ = clean(target, source, "target", settings);
        target_.emplace(whole_target());
    }
    // By the numbers of the user's rows; where all have labels methods find out for themselves.
    if (source_ && !source_->all()) check_finite(source_->features(), "source", 1);
    if (target_ && !target_->all()) check_finite(target_->features(), "target", 1);
    if (source_ && !source_->any()) throw Error(DPA_E_LABEL, "the source has no row with a label");
    if (private_domains != 0 && target_ && !target_->any())
        throw Error(DPA_E_LABEL, "the target, which is public, has no row with a label");
}

/** Rows that are elsewhere, and those that stand for more, stay as they are. */
std::optional<Sample> PublicRows::clean(const Sample &sample, const Sample &other, const char *name,
                                        const Settings &settings) {
    if (sample.remote() != nullptr || sample.population() != nullptr) return {};
    const bool all_public = settings.privacy.domains == 0 && other.remote() == nullptr;
    const StrayCells stray(sample, has_numbers(settings.loss), all_public ? &other : nullptr);
    for (std::string &sentence : stray.sentences(std::string("Public ") + name, true))
        findings_.push_back(coded("stray_cells", std::move(sentence)));
    for (const Code &code : stray.codes()) {  // the target's medians before the source's
        std::erase_if(codes_, [&](const Code &known) {
            return known.column == code.column && known.value == code.value;
        });
        codes_.push_back(code);
    }
    return stray.without(sample);
}

void PublicRows::tell_codes(Solution &solution) const {
    for (const Code &code : codes_) {
        solution.codes.column.push_back(code.column);
        solution.codes.value.push_back(code.value);
        solution.codes.median.push_back(code.median);
    }
}

void PublicRows::spread(Solution &solution) const {
    if (survey_) {  // whose rows have an order of their own
        solution.source_weights.clear();
        solution.source_rows = all_source_.rows();
    }
    if (drawn_source_)
        solution.source_weights.assign(
            drawn_source_->population()->rows(),
            solution.settings.alpha / static_cast<double>(drawn_source_->population()->rows()));
    if (source_ && !source_->all()) {
        source_->spread(solution.source_weights);
        solution.source_rows = all_source_.rows();
    }
    if (target_ && !target_->all()) {
        target_->spread(solution.target_weights);
        solution.target_rows = all_target_.rows();
    }
}

schema::Hints hints_of(const OptionValues &values) {
    std::string loss = values.text(Option::loss);
    if (loss == "perceptron") loss = values.text(Option::perceptron_output);
    schema::Hints hints;
    if (loss == "logistic") hints.labels = schema::LabelKind::signs;
    if (loss == "softmax") hints.labels = schema::LabelKind::classes;
    hints.knows_classes = values.text(Option::classes) != "auto";
    return hints;
}

namespace {

constexpr Option kOfLoss[] = {
    Option::loss,
    Option::perceptron_output,
    Option::hidden_units,
#define DPA_LOSS_NUMBER(type, name) Option::name,
#include "loss/numbers.def"
};

}  // namespace

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
            const std::size_t end = std::min(setting.find('='), setting.size() - 1);
            const Option option = find_option(setting.substr(0, end));
            if (std::ranges::count(kOfLoss, option) == 0)
                throw Error(DPA_E_FORMAT, setting + " is of no loss");
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
