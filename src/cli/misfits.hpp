#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dpadapt::cli {

/** Public cells that do not fit into their columns: how many, and the first ten of them. */
struct Misfits {
    struct Cell {
        std::size_t line;
        std::string column;  // its name; empty for the label
        std::string reason;
    };

    std::size_t count = 0;
    std::vector<Cell> first;

    void add(std::size_t line, const std::string &column, const std::string &reason) {
        constexpr std::size_t kMostKept = 10;
        if (count++ < kMostKept) first.push_back({line, column, reason});
    }
};

}  // namespace dpadapt::cli
