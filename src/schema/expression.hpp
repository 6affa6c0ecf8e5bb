#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/column.hpp"

namespace dpadapt::schema {

/** Arithmetic on the cells of one record, such as `log(income) * (sex == "male")`; its grammar
 *  stands in include/dpadapt/schema.h. */
class Expression {
  public:
    /** Numbers that steps may have on their stack. */
    static constexpr std::size_t kMostOperands = 64;

    /** Takes its operands from a stack, and leaves its result there. */
    struct Step {
        enum class Kind { constant, column, is_level, of_one, of_two, choose, pieces };
        Kind kind;
        double number = 0.0;                         ///< the constant
        std::size_t place = 0;                       ///< of a name; once bound, of the column
        std::string level{};                         ///< that the cell is compared with
        std::size_t level_place = kNoLevel;          ///< once bound
        double (*of_one)(double) = nullptr;          ///< the function
        double (*of_two)(double, double) = nullptr;  ///< the operator
        std::vector<double> pieces{};  ///< degree, then the begin and coefficients of each piece
    };

    /** Error(DPA_E_INVALID_ARGUMENT) with the place of what cannot be read. */
    [[nodiscard]] static Expression parse(std::string_view text);

    [[nodiscard]] const std::string &text() const { return text_; }
    /** The names of the columns that it reads. */
    [[nodiscard]] const std::vector<std::string> &columns() const { return names_; }
    [[nodiscard]] bool reads(const std::string &column) const;
    /** Finds its columns and levels among these; Error(DPA_E_INVALID_ARGUMENT) without one. */
    void bind(std::span<const Column> columns);
    /** The value for cells of the bound columns; NaN where it is not finite. */
    [[nodiscard]] double evaluate(std::span<const CellValue> cells) const;

  private:
    std::string text_;
    std::vector<Step> steps_;
    std::vector<std::string> names_;
};

/** A feature that is computed from columns. */
struct Computed {
    std::string name;
    Expression expression;
    double otherwise = 0.0;  ///< where it has no finite value: that of missing cells, or NaN

    /** Reads "NAME = EXPRESSION", or an expression that is its own name.
     *  Error(DPA_E_INVALID_ARGUMENT). */
    [[nodiscard]] static Computed parse(std::string_view text);
    /** As it is read back. */
    [[nodiscard]] std::string text() const;
    void bind(std::span<const Column> columns);
    /** Writes the feature; Fit::no_number if it has no finite value. */
    [[nodiscard]] Fit encode(std::span<const CellValue> cells, double *feature) const;
};

}  // namespace dpadapt::schema
