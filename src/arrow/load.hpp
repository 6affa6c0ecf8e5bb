#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arrow/type.hpp"

namespace dpadapt::arrow {

/** Number i of a buffer, which need not be aligned. */
template <typename T>
[[nodiscard]] T load(const std::uint8_t *from, std::size_t i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    return value;
}

/** see(T{}) for the integers of that kind; whether they are some. */
template <typename See>
bool with_integer(Kind kind, const See &see) {
    switch (kind) {
        case Kind::int8:
            return see(std::int8_t{}), true;
        case Kind::uint8:
            return see(std::uint8_t{}), true;
        case Kind::int16:
            return see(std::int16_t{}), true;
        case Kind::uint16:
            return see(std::uint16_t{}), true;
        case Kind::int32:
            return see(std::int32_t{}), true;
        case Kind::uint32:
            return see(std::uint32_t{}), true;
        case Kind::int64:
            return see(std::int64_t{}), true;
        case Kind::uint64:
            return see(std::uint64_t{}), true;
        default:
            return false;
    }
}

/** The same for all numbers of the machine but single bits. */
template <typename See>
bool with_number(Kind kind, const See &see) {
    if (kind == Kind::single_precision) return see(float{}), true;
    if (kind == Kind::double_precision) return see(double{}), true;
    return with_integer(kind, see);
}

}  // namespace dpadapt::arrow
