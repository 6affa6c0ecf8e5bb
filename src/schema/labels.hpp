#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "schema/cell.hpp"

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
     *      signs are a usual pair, like 0 and 1 or no and yes, every usual word is understood. */
    [[nodiscard]] static Labels named(LabelKind kind, std::vector<std::string> names);

    [[nodiscard]] LabelKind kind() const { return kind_; }
    /** Empty where labels are numbers. */
    [[nodiscard]] const std::vector<std::string> &names() const { return names_; }
    /** Those that have a code, in words. */
    [[nodiscard]] std::string known() const;

    /** NaN for what is no label. */
    [[nodiscard]] double encode(const Cell &cell) const;
    /** How the public file writes what a predictor returns. */
    [[nodiscard]] std::string decode(double label) const;

  private:
    Labels(LabelKind kind, std::vector<std::string> names);

    LabelKind kind_;
    std::vector<std::string> names_;
    bool usual_ = false;
    std::unordered_map<std::string, double> codes_;
};

/** Whether the key is a usual word for the negative class (-1), for the positive one (1), or none
 *  (0). */
[[nodiscard]] int usual_sign(const std::string &key);

}  // namespace dpadapt::schema
