#pragma once

#include <cstdint>
#include <string_view>

namespace dpadapt::schema {

/** 64 bits that stand for the person of an id. Ids that differ in spelling alone, by blanks at
 *  their
 *  ends, capitals or the notation of a number, are one person, as are all missing ones: of two
 *  persons that are taken for one, both are protected. */
[[nodiscard]] std::int64_t person_of(std::string_view id);

}  // namespace dpadapt::schema
