#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/cell.hpp"

namespace dpadapt::schema {

/** How Spellings finds a text, for people. */
inline constexpr std::string_view kHowTextsMatch =
    "a level or label is what the public rows write; else the only one that differs from it in "
    "capitals (A to Z) alone; else, of no and yes, one of their usual words; else unknown";

/** The texts that public rows keep apart, and which of them a cell means: the one that is written
 *  so; else the only one that differs in capitals alone; else, where two mean no and yes, the one
 *  that a usual word for them means. */
class Spellings {
  public:
    Spellings() = default;
    /** @param texts   All different.
     *  @param common  The first so many of them decide whether usual words are understood. */
    Spellings(const std::vector<std::string> &texts, std::size_t common);

    /** The place of the text that the cell means; nothing if it means none, or several. */
    [[nodiscard]] std::optional<std::size_t> find(const Cell &cell) const;
    /** Whether two of them mean no and yes, and usual words are understood. */
    [[nodiscard]] bool is_pair() const { return yes_.has_value(); }
    /** Whether another text differs from it in capitals alone. */
    [[nodiscard]] bool has_twin(const std::string &text) const;
    /** Whether a truth, 0 or 1, can be one of them. */
    [[nodiscard]] bool take_booleans() const { return find(Cell::of(0.0)) || find(Cell::of(1.0)); }

  private:
    std::unordered_map<std::string, std::size_t> exact_;
    std::unordered_map<std::string, std::optional<std::size_t>> folded_;  ///< nothing: of several
    std::optional<std::size_t> no_;
    std::optional<std::size_t> yes_;
};

/** In small letters. */
[[nodiscard]] std::string without_capitals(std::string text);

/** Whether a text is a usual word for the negative class (-1), for the positive one (1), or none
 *  (0). */
[[nodiscard]] int usual_sign(const std::string &text);

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
