#pragma once

#include <string>
#include <vector>

namespace dpadapt::cli {

/** A place in a file for a message; the column's name is shown where there is one. */
[[nodiscard]] std::string place_in_file(const std::string &path, std::size_t line,
                                        std::size_t column, const std::string &name = {});

/** Throws Failure(kBadData) unless the names are UTF-8, not empty, and all different.
 *  @param is_private  Whether they may be cells of a record, where the header was forgotten. */
void check_names(const std::string &path, std::size_t line, const std::vector<std::string> &names,
                 bool is_private = false);

/** The first name that occurs twice; empty when all are different. */
[[nodiscard]] std::string repeated_name(const std::vector<std::string> &names);

/** What is wrong with lines of the early Macintosh. */
constexpr const char *kLoneCr = "has a CR; lines must end by LF or CRLF";

}  // namespace dpadapt::cli
