#include "engine/public_rows.hpp"

#include "engine/elsewhere.hpp"
#include "engine/options.hpp"

namespace dpadapt::engine {

PublicRows::PublicRows(const Sample &source, const Sample &target, privacy::Domains private_domains)
    : all_source_(source), all_target_(target) {
    // mutant: survey_of_private_rows
    if ((private_domains & privacy::kSource) == 0) {
        if (private_domains != 0 && source.remote() != nullptr) survey_.emplace(survey(source));
        source_.emplace(whole_source());
    }
    if ((private_domains & privacy::kTarget) == 0) target_.emplace(target);
    // By the numbers of the user's rows; where all have labels methods find out for themselves.
    if (source_ && !source_->all()) check_finite(source_->features(), "source", 1);
    if (target_ && !target_->all()) check_finite(target_->features(), "target", 1);
    if (source_ && !source_->any()) throw Error(DPA_E_LABEL, "the source has no row with a label");
    if (private_domains != 0 && target_ && !target_->any())
        throw Error(DPA_E_LABEL, "the target, which is public, has no row with a label");
}

void PublicRows::spread(Solution &solution) const {
    if (survey_) {  // whose rows have an order of their own
        solution.source_weights.clear();
        solution.source_rows = all_source_.rows();
    }
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

void set_loss_for(const schema::Labels &labels, OptionValues &values) {
    using schema::LabelKind;
    if (labels.kind() == LabelKind::numbers || hints_of(values).labels != LabelKind::numbers ||
        values.text(Option::loss) == "custom")
        return;
    const auto classes = static_cast<std::int64_t>(labels.names().size());
    if (labels.kind() == LabelKind::classes && classes > 0)
        values.set_integer(Option::classes, classes);  // may refuse, so it comes first
    values.set_word(Option::loss, labels.kind() == LabelKind::signs ? "logistic" : "softmax");
}

}  // namespace dpadapt::engine
