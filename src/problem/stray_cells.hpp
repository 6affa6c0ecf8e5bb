#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "problem/sample.hpp"

namespace dpadapt {

/** A value that is no measurement, and the median of its column, which stands for it. */
struct Code {
    std::size_t column;
    double value;
    double median;
};

/** Cells of a public sample that are no measurements, such as codes for missing values: farther
 *  from the median of their column than 20 robust deviations, and 20 times as far as any cell
 *  between, or 4 times where they are mostly one value. At most a twentieth of a column is stray.
 *  Long tails of measurements stay as they are. */
class StrayCells {
  public:
    /** Of the features, and of the labels if these are numbers. Cells that are not finite, such as
     *  a label that is not there, are none.
     *  @param beside  Another public sample, which tells of columns that hardly vary; or null. */
    StrayCells(const Sample &sample, bool labels, const Sample *beside);

    /** A copy in which a feature that is stray is the median of its column, and a row whose label
     *  is stray has none. Empty where no cell is. */
    [[nodiscard]] std::optional<Sample> without(const Sample &sample) const;

    /** Of features: the values that most of the stray cells of a column are. */
    [[nodiscard]] std::vector<Code> codes() const;

    /** A sentence for each column that has some; `name` is the sample's.
     *  @param replaced  Whether the cells are, as those of public samples. */
    [[nodiscard]] std::vector<std::string> sentences(const std::string &name, bool replaced) const;

  private:
    struct Column {
        std::size_t number;  ///< that of the labels is the number of features
        double median;
        std::vector<std::size_t> rows;
        double value;  ///< the one of them that is there most often
        std::size_t times;

        [[nodiscard]] bool has_code() const;
    };

    std::size_t features_;
    std::size_t rows_;
    std::vector<Column> columns_;
};

}  // namespace dpadapt
