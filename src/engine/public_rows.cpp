#include "engine/public_rows.hpp"

#include "base/text.hpp"
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

}  // namespace dpadapt::engine
