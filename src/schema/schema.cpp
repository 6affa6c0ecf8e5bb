#include "schema/schema.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpadapt::schema {

Schema Schema::plain(const std::vector<std::string> &names) {
    Schema schema;
    for (const std::string &name : names) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        schema.columns.push_back(Column::of_numbers(name, none, false));
    }
    return schema;
}

std::vector<std::string> Schema::names() const {
    std::vector<std::string> names;
    for (const Column &column : columns) names.push_back(column.name());
    return names;
}

std::vector<std::string> Schema::features() const {
    std::vector<std::string> features;
    for (const Column &column : columns) column.add_features(features);
    return features;
}

bool Schema::is_plain() const {
    return std::none_of(columns.begin(), columns.end(), [](const Column &column) {
        return column.is_category() || column.has_indicator();
    });
}

void Schema::encode(std::span<const Cell> cells, std::span<double> features,
                    std::span<Fit> fits) const {
    double *to = features.data();
    for (std::size_t k = 0; k < columns.size(); ++k) {
        fits[k] = columns[k].encode(cells[k], to);
        to += columns[k].width();
    }
}

}  // namespace dpadapt::schema
