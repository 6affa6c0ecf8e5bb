#include "schema/person.hpp"

#include <string>

#include "schema/spellings.hpp"

namespace dpadapt::schema {

std::int64_t person_of(std::string_view id) {
    const std::string key = without_capitals(spelling(read_cell(id, {{}, true})));
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return static_cast<std::int64_t>(hash);
}

}  // namespace dpadapt::schema
