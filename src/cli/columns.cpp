#include "cli/columns.hpp"

#include <algorithm>

#include "cli/closest.hpp"
#include "cli/failure.hpp"

namespace dpadapt::cli {
namespace {

bool contains(const std::vector<std::string> &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/** Finds columns of a file by name. */
class Header {
  public:
    Header(const std::string &path, const std::vector<std::string> &names)
        : path_(path), names_(names) {}

    [[nodiscard]] bool has(const std::string &name) const { return contains(names_, name); }

    /** @param otherwise  A remedy where no other name is near. */
    [[nodiscard]] std::size_t find(const std::string &name,
                                   const std::string &otherwise = {}) const {
        const auto found = std::find(names_.begin(), names_.end(), name);
        if (found == names_.end()) {
            const std::string close = did_you_mean(name, names_);  // headers are public
            const std::string remedy =
                names_.size() == 1
                    ? " (the header is one column; separators are comma, semicolon and tab)"
                : close.empty() ? otherwise
                                : close;
            throw Failure(kBadData, path_ + ": there is no column \"" + name + '"' + remedy);
        }
        return static_cast<std::size_t>(found - names_.begin());
    }

    [[nodiscard]] std::vector<std::string> features(const ColumnChoice &choice) const {
        std::vector<std::string> features;
        for (const std::string &name : names_) {
            const bool used = name == choice.label || name == choice.domain ||
                              (!choice.scores.empty() && name == choice.scores) ||
                              (!choice.weights.empty() && name == choice.weights) ||
                              (!choice.group.empty() && name == choice.group);
            if (!used && !contains(choice.ignored, name) && !is_mapped(choice, name))
                features.push_back(name);
        }
        if (choice.map != nullptr)
            for (const ColumnMap::Column &column : choice.map->columns)
                features.push_back(column.name);
        if (features.empty()) throw Failure(kBadData, path_ + ": no column is left as a feature");
        return features;
    }

    /** How to go on without the features that are not there. */
    [[nodiscard]] std::string without(const ColumnChoice &choice) const {
        std::string absent;
        for (const std::string &name : choice.features)
            if (!has(name)) absent += (absent.empty() ? "" : ",") + name;
        return " (the other sample has it; --ignore " + absent + " leaves out what it alone has)";
    }

  private:
    /** Read by the map and made by it are no features as they are. */
    [[nodiscard]] bool is_mapped(const ColumnChoice &choice, const std::string &name) const {
        if (choice.map == nullptr) return false;
        if (choice.map->reads(name)) return true;
        if (choice.map->find(name) == nullptr) return false;
        throw Failure(kBadData, path_ + ": the column \"" + name +
                                    "\" is there, and --source-map makes it of others");
    }

    const std::string &path_;
    const std::vector<std::string> &names_;
};

}  // namespace

std::vector<Place> place_columns(const std::string &path, const std::vector<std::string> &names,
                                 ColumnChoice &choice) {
    const Header header(path, names);
    for (const std::string &name : choice.ignored) (void)header.find(name);
    std::vector<Place> places(names.size());
    if (choice.may_lack_label && !header.has(choice.label)) choice.label.clear();
    if (!choice.scores.empty()) places[header.find(choice.scores)].role = Role::kScores;
    if (!choice.weights.empty() && !header.has(choice.weights)) choice.weights.clear();
    if (!choice.weights.empty()) places[header.find(choice.weights)].role = Role::kWeight;
    if (!choice.label.empty()) places[header.find(choice.label)].role = Role::kLabel;
    if (choice.by_group) places[header.find(choice.group)].role = Role::kGroup;
    if (choice.by_domain) places[header.find(choice.domain)].role = Role::kDomain;
    if (choice.features.empty()) choice.features = header.features(choice);
    for (std::size_t k = 0; choice.map != nullptr && k < choice.map->inputs.size(); ++k) {
        Place &place = places[header.find(choice.map->inputs[k])];
        place.is_input = true;
        place.input = k;
    }
    const std::string remedy = choice.of_other_file ? header.without(choice) : "";
    for (std::size_t feature = 0; feature < choice.features.size(); ++feature) {
        if (choice.map != nullptr && choice.map->find(choice.features[feature]) != nullptr)
            continue;
        Place &place = places[header.find(choice.features[feature], remedy)];
        place.role = Role::kFeature;
        place.feature = feature;
    }
    for (std::size_t kept = 0; kept < choice.kept.size(); ++kept) {
        Place &place = places[header.find(choice.kept[kept])];
        place.is_kept = true;
        place.kept = kept;
    }
    return places;
}

}  // namespace dpadapt::cli
