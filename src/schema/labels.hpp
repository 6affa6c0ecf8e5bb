#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "schema/spellings.hpp"

namespace dpadapt::schema {

/** What a loss wants labels to be: numbers, -1 and +1, or 0, 1, ... */
enum class LabelKind { numbers, signs, classes };

/** How labels become numbers. */
class Labels {
  public:
    [[nodiscard]] static Labels numbers() { return {LabelKind::numbers, {}}; }
    /** Classes 0, 1, ... that are written as these numbers; the caller's loss knows how many. */
    [[nodiscard]] static Labels numbered_classes() { return {LabelKind::classes, {}}; }
    /** @param names  As the public file writes them: of -1 and +1, or of 0, 1, ... Where the two
     *      signs are a usual pair, like 0 and 1 or no and yes, every usual word is understood.
     *      Texts that differ are different labels, whatever they look like. */
    [[nodiscard]] static Labels named(LabelKind kind, std::vector<std::string> names);

    [[nodiscard]] LabelKind kind() const { return kind_; }
    /** Empty where labels are numbers. */
    [[nodiscard]] const std::vector<std::string> &names() const { return names_; }
    /** Those that have a code, in words. */
    [[nodiscard]] std::string known() const;

    /** Whether a column whose type is boolean can have one of them. */
    [[nodiscard]] bool take_booleans() const {
        return names_.empty() || spellings_.take_booleans();
    }

    /** NaN for what is no label. */
    [[nodiscard]] double encode(const Cell &cell) const;
    /** How the public file writes what a predictor returns. */
    [[nodiscard]] std::string decode(double label) const;

  private:
    Labels(LabelKind kind, std::vector<std::string> names);

    LabelKind kind_;
    std::vector<std::string> names_;
    Spellings spellings_;
};

}  // namespace dpadapt::schema
