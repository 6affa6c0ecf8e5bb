#include "capi/guard.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace dpadapt::capi {

namespace {

thread_local std::array<char, 1024> last_message{};

}  // namespace

dpa_status fail(dpa_status status, const char *function, const char *message) noexcept {
    char *to = last_message.data();
    char *const end = to + last_message.size() - 1;
    for (const char *part : {function, ": ", message}) {
        const std::size_t length =
            std::min<std::size_t>(std::strlen(part), static_cast<std::size_t>(end - to));
        // One line: a caller's text in the message may hold line breaks.
        to = std::transform(part, part + length, to,
                            [](char c) { return static_cast<unsigned char>(c) < 0x20 ? ' ' : c; });
    }
    *to = '\0';
    return status;
}

const char *last_error() noexcept { return last_message.data(); }

}  // namespace dpadapt::capi
