#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dpadapt::cli {

/** Which columns are wanted, by name. */
struct ColumnChoice {
    std::vector<std::string> features;  // empty: every column without another use
    std::vector<std::string> ignored;
    std::string label;       // empty: none is read
    std::string domain;      // never a feature, even when it is not read
    std::string group;       // of the persons; never a feature, even when it is not read
    bool by_group = false;   // rows of the target belong to the persons that it names
    bool by_domain = false;  // rows belong to the sample that the domain column names
};

/** What a column of a file is for. */
enum class Role { kUnused, kFeature, kLabel, kDomain, kGroup };

struct Place {
    Role role = Role::kUnused;
    std::size_t feature = 0;  // position among the features
};

/** Gives every column of the file its place, and fills in choice.features when that is empty.
 *  Throws Failure(kBadData) for a wanted column that the file does not have. */
[[nodiscard]] std::vector<Place> place_columns(const std::string &path,
                                               const std::vector<std::string> &names,
                                               ColumnChoice &choice);

}  // namespace dpadapt::cli
