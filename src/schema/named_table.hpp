#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schema/cell.hpp"
#include "schema/learn.hpp"

namespace dpadapt::schema {

/** A table that is given column by column, each with a name; its texts are kept once a column. */
class NamedTable {
  public:
    explicit NamedTable(std::size_t rows) : rows_(rows) {}

    /** Texts and numbers of `cell(row)`; the name must be new. */
    void add(std::string name, bool is_category, const std::function<Cell(std::size_t)> &cell);

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t columns() const { return columns_.size(); }
    [[nodiscard]] const std::string &name(std::size_t column) const {
        return columns_[column].name;
    }
    /** Whether it is one even if its levels look like numbers. */
    [[nodiscard]] bool is_category(std::size_t column) const {
        return columns_[column].is_category;
    }
    [[nodiscard]] std::optional<std::size_t> find(const std::string &name) const;
    /** Its text belongs to the table. */
    [[nodiscard]] Cell cell(std::size_t row, std::size_t column) const;

    Hints hints;  ///< of who learns from it

  private:
    struct Column {
        std::string name;
        bool is_category;
        std::vector<double> numbers;      ///< NaN for what is none
        std::vector<std::int32_t> texts;  ///< places in words, or -1
        std::vector<std::string> words;
    };

    std::size_t rows_;
    std::vector<Column> columns_;
};

}  // namespace dpadapt::schema
