#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "schema/labels.hpp"

namespace dpadapt::schema {

/** What a cell was for its column. */
enum class Fit { proper, missing, no_number, unknown_level };

/** A cell as its column reads it. */
struct CellValue {
    Fit fit;
    double number;      ///< of numbers; the median where it is missing or none
    std::size_t level;  ///< of a category, its place among kept, then rare ones; else kNoLevel
};
inline constexpr std::size_t kNoLevel = static_cast<std::size_t>(-1);

/** How a column of a table becomes features. A category has one for each level but the first, its
 *  reference, which is zeros like a value that is not known. */
class Column {
  public:
    /** A column of numbers.
     *  @param median     stands for what is missing or no number; NaN where nothing may
     *  @param indicator  whether a feature says that the value is missing */
    [[nodiscard]] static Column of_numbers(std::string name, double median, bool indicator);

    struct Levels {
        std::vector<std::string> kept;  ///< spellings; the first is the reference
        std::vector<std::string> rare;  ///< spellings of those that share a feature
        bool indicator = false;         ///< a feature says that the value is missing
    };
    [[nodiscard]] static Column of_category(std::string name, Levels levels);

    [[nodiscard]] const std::string &name() const { return name_; }
    [[nodiscard]] bool is_category() const { return !levels_.kept.empty(); }
    [[nodiscard]] double median() const { return median_; }
    [[nodiscard]] const Levels &levels() const { return levels_; }
    [[nodiscard]] bool has_indicator() const { return levels_.indicator; }

    /** Whether a column whose type is boolean can have a value of this one. */
    [[nodiscard]] bool takes_booleans() const {
        return !is_category() || spellings_.take_booleans();
    }

    /** Leaves no feature of its own: computed ones alone read it. */
    void hide() { width_ = 0; }
    [[nodiscard]] bool is_hidden() const { return width_ == 0; }

    /** Number of features. */
    [[nodiscard]] std::size_t width() const { return width_; }
    void add_features(std::vector<std::string> &names) const;
    [[nodiscard]] CellValue read(const Cell &cell) const;
    /** Writes the features of a cell, whatever it holds. */
    void encode(const CellValue &cell, double *features) const;

  private:
    Column(std::string name, double median, Levels levels);

    std::string name_;
    double median_;
    Levels levels_;
    std::size_t width_;
    Spellings spellings_;  ///< of kept levels, then rare ones
};

}  // namespace dpadapt::schema
