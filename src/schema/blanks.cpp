#include "schema/blanks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace dpadapt::schema {
namespace {

using namespace std::string_view_literals;

constexpr std::array kBlanks{" "sv,      "\t"sv,     "\n"sv,     "\v"sv,     "\f"sv,     "\r"sv,
                             "\u0085"sv, "\u00A0"sv, "\u1680"sv, "\u2000"sv, "\u2001"sv, "\u2002"sv,
                             "\u2003"sv, "\u2004"sv, "\u2005"sv, "\u2006"sv, "\u2007"sv, "\u2008"sv,
                             "\u2009"sv, "\u200A"sv, "\u200B"sv, "\u2028"sv, "\u2029"sv, "\u202F"sv,
                             "\u205F"sv, "\u2060"sv, "\u3000"sv, "\uFEFF"sv};

}  // namespace

std::string_view without_blanks_around(std::string_view text) noexcept {
    const auto cut = [&](const auto &is_there, const auto &remove) {
        for (bool found = true; found && !text.empty();) {
            const auto blank = std::find_if(kBlanks.begin(), kBlanks.end(), is_there);
            found = blank != kBlanks.end();
            if (found) remove(blank->size());
        }
    };
    // Nearly all texts end here: neither a blank of ASCII nor a part of another one.
    const auto is_plain = [](char c) { return c > ' ' && static_cast<unsigned char>(c) < 0x80U; };
    if (!text.empty() && is_plain(text.front()) && is_plain(text.back())) return text;
    cut([&](std::string_view blank) { return text.starts_with(blank); },
        [&](std::size_t size) { text.remove_prefix(size); });
    cut([&](std::string_view blank) { return text.ends_with(blank); },
        [&](std::size_t size) { text.remove_suffix(size); });
    return text;
}

}  // namespace dpadapt::schema
