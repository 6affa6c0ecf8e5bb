#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpadapt {

/** A value of a JSON text that has no other inside, such as "releases/0/steps" and "3". */
struct JsonLeaf {
    std::string path;
    std::string value;  ///< as it is written; of an empty object or list its brackets
};

/** All of them in order. Throws Error(DPA_E_FORMAT) for what is not JSON (RFC 8259), for an object
 *  that has a name twice, and for one that is nested too deeply. */
[[nodiscard]] std::vector<JsonLeaf> json_leaves(std::string_view text);

/** The string at that path without its quotes; Error(DPA_E_FORMAT) if it is missing, is none, or
 *  has escapes. */
[[nodiscard]] std::string string_at(const std::vector<JsonLeaf> &leaves, std::string_view path);

/** Throws Error(DPA_E_FORMAT), which names the first member that is missing, unknown, somewhere
 *  else, or another value. Texts that differ in blanks, or in how a number
 *  is written, are the same. */
void check_same(const std::vector<JsonLeaf> &found, const std::vector<JsonLeaf> &wanted);

}  // namespace dpadapt
