#include "cli/show/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace dpadapt::cli {

std::string in_digits(const Json &value, int digits) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer()) return value.dump();
    if (!value.is_number()) return "-";
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.*g", digits, value.get<double>());
    return text.data();
}

std::string shown(const Json &value) {
    constexpr int kDigits = 8;
    const bool is_infinite = value.is_number_float() && !std::isfinite(value.get<double>());
    return is_infinite ? "-" : in_digits(value, kDigits);
}

std::string table(const Lines &lines) {
    std::vector<std::size_t> width;
    for (const auto &line : lines) {
        width.resize(std::max(width.size(), line.size()));
        for (std::size_t k = 0; k < line.size(); ++k) width[k] = std::max(width[k], line[k].size());
    }
    std::string text;
    for (const auto &line : lines) {
        std::string row;
        for (std::size_t k = 0; k < line.size(); ++k)
            row += "  " + line[k] + std::string(width[k] - line[k].size(), ' ');
        text += row.substr(0, row.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

}  // namespace dpadapt::cli
