#include "cli/csv_header.hpp"

#include <set>
#include <string_view>

#include "cli/failure.hpp"
#include "schema/utf8.hpp"

namespace dpadapt::cli {
namespace {

constexpr const char *kIndex =
    "; if it counts the rows, write the file without it (in R write.csv(..., row.names = FALSE), "
    "in pandas to_csv(..., index=False)), or name it and leave it out by --ignore NAME";
constexpr const char *kNameless = "; is there a separator too many?";

}  // namespace

std::string place_in_file(const std::string &path, std::size_t line, std::size_t column,
                          const std::string &name) {
    const std::string text =
        path + ": line " + std::to_string(line) + ", column " + std::to_string(column + 1);
    return name.empty() ? text : text + " (" + name + ')';
}

void check_names(const std::string &path, std::size_t line, const std::vector<std::string> &names,
                 bool is_private) {
    for (std::size_t column = 0; column < names.size(); ++column) {
        const std::string place = place_in_file(path, line, column);
        if (names[column].empty())
            throw Failure(kBadData,
                          place + ": the column has no name" + (column == 0 ? kIndex : kNameless));
        if (!is_utf8(names[column]))
            throw Failure(kBadData,
                          place +
                              ": the name is not UTF-8 text (iconv -f LATIN1 -t UTF-8, or -f "
                              "UTF-16, makes such files)");
    }
    const std::string twice = repeated_name(names);
    if (twice.empty()) return;
    throw Failure(kBadData, path + ": line " + std::to_string(line) +
                                (is_private ? " names two columns alike; is it a header?"
                                            : " names two columns \"" + twice + '"'));
}

std::string repeated_name(const std::vector<std::string> &names) {
    std::set<std::string_view> seen;
    for (const std::string &name : names) {
        if (!seen.insert(name).second) return name;
    }
    return {};
}

}  // namespace dpadapt::cli
