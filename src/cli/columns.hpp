#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/column_map.hpp"

namespace dpadapt::cli {

/** Which columns are wanted, by name. */
struct ColumnChoice {
    std::vector<std::string> features;  // empty: every column without another use
    std::vector<std::string> ignored;
    std::string label;            // empty: none is read
    std::string scores;           // of a given model, taken from the labels; empty: there are none
    std::string weights{};        // of rows; a file may lack it; never a feature
    bool weighs_private = false;  // private rows have them too, which row_weight_bound clips
    std::string domain;           // never a feature, even when it is not read
    std::string source_word = "source";  // what it says of the rows of each
    std::string target_word = "target";
    std::string group;               // of the persons; never a feature, even when it is not read
    std::vector<std::string> kept;   // whose texts are kept
    const ColumnMap *map = nullptr;  // of the source's rows; features are those that it makes
    bool by_domain = false;          // rows belong to the sample that the domain column names
    bool may_lack_label = false;     // a file without its column has rows without labels
    bool of_other_file = false;      // features are all that the other sample has
    bool by_group = false;           // private target rows belong to the persons that it names
};

/** What a column of a file is for. */
enum class Role { kUnused, kFeature, kLabel, kScores, kWeight, kDomain, kGroup };

struct Place {
    Role role = Role::kUnused;
    std::size_t feature = 0;  // position among the features
    bool is_kept = false;     // besides
    std::size_t kept = 0;     // position among the kept ones
    bool is_input = false;    // of the map, besides
    std::size_t input = 0;    // position among its inputs
};

/** Gives every column of the file its place, and fills in choice.features when that is empty; a
 *  label that the file may lack, and does, is no longer chosen, nor are weights.
 *  Throws Failure(kBadData) for a wanted column that the file does not have. */
[[nodiscard]] std::vector<Place> place_columns(const std::string &path,
                                               const std::vector<std::string> &names,
                                               ColumnChoice &choice);

}  // namespace dpadapt::cli
