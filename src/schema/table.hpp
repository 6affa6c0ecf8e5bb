#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "schema/cell.hpp"

namespace dpadapt::schema {

/** Rows of cells, column by column; each text of a column is kept once. */
class Table {
  public:
    explicit Table(std::size_t columns) : columns_(columns) {}
    Table(Table &&) = default;
    Table &operator=(Table &&) = default;
    ~Table() = default;

    /** Appends a row of a cell for each column. */
    void add(std::span<const Cell> cells);
    /** Appends a row that is no record. */
    void add_null();

    [[nodiscard]] std::size_t rows() const { return is_null_.size(); }
    [[nodiscard]] std::size_t columns() const { return columns_.size(); }
    [[nodiscard]] bool is_null(std::size_t row) const { return is_null_[row]; }
    /** Its text belongs to the table. */
    [[nodiscard]] Cell cell(std::size_t row, std::size_t column) const;

  private:
    struct Column {
        std::vector<double> numbers;  ///< NaN for what is none
        std::vector<std::int32_t>
            texts;  ///< places in words, or -1; empty as long as none is there
        std::vector<const std::string *> words;
        std::unordered_map<std::string, std::int32_t> places;
    };

    void add(Column &column, const Cell &cell) const;

    std::vector<Column> columns_;
    std::vector<bool> is_null_;
};

}  // namespace dpadapt::schema
