#pragma once

#include <optional>

#include "engine/problem.hpp"
#include "problem/loss_rows.hpp"
#include "problem/stray_cells.hpp"
#include "solution/solution.hpp"

namespace dpadapt::engine {

/** The samples as methods read them: of a public one the labelled rows, a private one as it is,
 *  because which of its records have a label is private.
 *  Stray cells of public rows are replaced. */
class PublicRows {
  public:
    /** Borrows the samples; a public source that is elsewhere is surveyed. Throws
     *  Error(DPA_E_LABEL) for a public source without a label, and for such a target where labels
     *  are needed of it. */
    PublicRows(const Sample &source, const Sample &target, const Settings &settings,
               bool private_fit = false);

    /** For a private fit, which reads it often, a sample may stand for many rows. */
    [[nodiscard]] const Sample &source() const {
        return drawn_source_ ? *drawn_source_ : source_ ? source_->rows() : all_source_;
    }

    /** Sentences about the cells that were replaced, and about what public rows tell of a careless
     *  call: labels and columns from which nothing can be learnt, predictions that are cut off. */
    [[nodiscard]] std::vector<std::string> findings(const Settings &settings,
                                                    const Solution &solution) const;

    /** Rows without a label included, and of one that is elsewhere what stands for it. */
    [[nodiscard]] const Sample &whole_source() const {
        return survey_ ? *survey_ : clean_source_ ? *clean_source_ : all_source_;
    }
    [[nodiscard]] const Sample &whole_target() const {
        return clean_target_ ? *clean_target_ : all_target_;
    }

    /** Where no row has a label these are all rows, whose labels say nothing. */
    [[nodiscard]] const Sample &target() const {
        return !target_ ? all_target_ : target_->any() ? target_->rows() : target_->features();
    }

    /** All rows of a target of which some have no label; else null. */
    [[nodiscard]] const Sample *target_features() const {
        return target_ && !target_->all() ? &target_->features() : nullptr;
    }

    [[nodiscard]] bool has_source_labels() const { return !source_ || source_->any(); }
    [[nodiscard]] bool has_target_labels() const { return !target_ || target_->any(); }

    /** From now on the source is these of its rows, in ascending order. */
    void keep_source(const std::vector<std::size_t> &rows) {
        source_.emplace(whole_source(), rows);
    }

    /** The solution predicts as it was fitted: without the codes of public rows. */
    void tell_codes(Solution &solution) const;

    /** Weights and sizes of labelled rows become those of the samples. */
    void spread(Solution &solution) const;

  private:
    [[nodiscard]] std::optional<Sample> clean(const Sample &sample, const Sample &other,
                                              const char *name, const Settings &settings);

    const Sample &all_source_;
    const Sample &all_target_;
    std::optional<Sample> survey_;
    std::optional<Sample> drawn_source_;
    std::optional<Sample> clean_source_;
    std::optional<Sample> clean_target_;
    std::vector<std::string> findings_;
    std::vector<Code> codes_;
    bool is_private_fit_;
    std::optional<LabelledRows> source_;
    std::optional<LabelledRows> target_;
};

}  // namespace dpadapt::engine
