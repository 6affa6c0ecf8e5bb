#include "schema/utf8.hpp"

#include <cstddef>

namespace dpadapt {
namespace {

/** Bytes of the letter that this one begins; 0 if it begins none. */
std::size_t length_of(unsigned first) noexcept {
    if (first == 0U) return 0;
    if (first < 0x80U) return 1;
    if (first < 0xC2U || first > 0xF4U) return 0;
    return first < 0xE0U ? 2 : first < 0xF0U ? 3 : 4;
}

/** Neither longer than needed, nor half of a pair, nor beyond the last letter. */
bool may_follow(unsigned first, unsigned second) noexcept {
    const unsigned least = first == 0xE0U ? 0xA0U : first == 0xF0U ? 0x90U : 0x80U;
    const unsigned most = first == 0xEDU ? 0x9FU : first == 0xF4U ? 0x8FU : 0xBFU;
    return second >= least && second <= most;
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = length_of(byte(at));
        if (length == 0 || length > text.size() - at) return false;
        if (length > 1 && !may_follow(byte(at), byte(at + 1))) return false;
        for (std::size_t k = 2; k < length; ++k)
            if ((byte(at + k) & 0xC0U) != 0x80U) return false;
        at += length;
    }
    return true;
}

}  // namespace dpadapt
