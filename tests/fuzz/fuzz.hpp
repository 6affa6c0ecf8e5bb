// What the fuzzers share: an input taken apart, conditions that must hold, texts and statuses.
#pragma once

#include <dpadapt/dpadapt.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

/** Called with every input; each fuzzer is one file that defines it. */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

/** Ends the process, so that libFuzzer keeps the input. */
#define REQUIRE(condition) ((condition) ? void() : fuzz::fail(#condition, __FILE__, __LINE__))

namespace fuzz {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

[[noreturn]] inline void fail(const char *condition, const char *file, int line) {
    std::fprintf(stderr, "%s:%d: does not hold: %s; last error: %s\n", file, line, condition,
                 dpa_last_error());
    std::abort();
}

/** An input that a fuzzer reads from its beginning; after its end there are zeros. */
class Input {
  public:
    Input(const std::uint8_t *data, std::size_t size) : rest_(data, size) {}

    [[nodiscard]] std::size_t size() const { return rest_.size(); }

    std::uint8_t byte() {
        if (rest_.empty()) return 0;
        const std::uint8_t first = rest_.front();
        rest_ = rest_.subspan(1);
        return first;
    }
    /** A number below count. */
    std::size_t below(std::size_t count) { return byte() % count; }

    View take(std::size_t count) {
        const View part = rest_.first(std::min(count, rest_.size()));
        rest_ = rest_.subspan(part.size());
        return part;
    }
    View rest() { return take(rest_.size()); }

    std::uint64_t word() {
        std::uint64_t value = 0;
        for (unsigned k = 0; k < 8; ++k) value |= std::uint64_t{byte()} << 8 * k;
        return value;
    }
    /** Often one that programs stumble over, else a small one or any bits. */
    double real() {
        static constexpr double kHard[] = {HUGE_VAL, -HUGE_VAL, NAN,   0.0,    -0.0,      1.0,
                                           -1.0,     2.0,       0.5,   1e-9,   1e9,       1e-150,
                                           1e150,    1e77,      1e177, -1e308, 1.7e308,   5e-324,
                                           2.3e-308, 3.0,       4.0,   1.25,   1e-3 + 1.0};
        const std::uint8_t kind = byte();
        if (kind < std::size(kHard)) return kHard[kind];
        if (kind < 32) return std::bit_cast<double>(word());
        return (static_cast<double>(kind) - 144.0) / 32.0 + static_cast<double>(byte()) / 4096.0;
    }
    /** Characters up to a zero. */
    std::string text() {
        const auto end = std::find(rest_.begin(), rest_.end(), std::uint8_t{0});
        const View part = take(static_cast<std::size_t>(end - rest_.begin()));
        (void)byte();
        return {part.begin(), part.end()};
    }

  private:
    View rest_;
};

/** Whether the headers know the status; DPA_E_INTERNAL is a defect. */
inline bool is_documented(dpa_status status) {
    return status != DPA_E_INTERNAL &&
           std::strcmp(dpa_status_string(status), "unknown status") != 0;
}

/** The text of a getter that is asked for its size first. */
template <typename Get>
std::string text_of(Get get) {
    std::size_t size = 0;
    REQUIRE(get(nullptr, 0, &size) == DPA_E_BUFFER && size > 0);
    std::string text(size, 'x');
    REQUIRE(get(text.data(), size, nullptr) == DPA_OK);
    REQUIRE(std::strlen(text.c_str()) + 1 == size);
    text.pop_back();
    return text;
}

/** The same for a getter of bytes. */
template <typename Get>
Bytes bytes_of(Get get) {
    std::size_t size = 0;
    REQUIRE(get(nullptr, 0, &size) == DPA_E_BUFFER && size > 0);
    Bytes bytes(size);
    REQUIRE(get(bytes.data(), size, nullptr) == DPA_OK);
    return bytes;
}

/** The bytes with the checksum that the library's formats end with: else nearly every input ends
 *  there. */
inline Bytes with_checksum(View bytes) {
    Bytes fixed(bytes.begin(), bytes.end());
    if (fixed.size() < 8) return fixed;
    const std::size_t end = fixed.size() - 8;
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (std::size_t k = 0; k < end; ++k) hash = (hash ^ fixed[k]) * 0x100000001b3U;
    for (unsigned k = 0; k < 8; ++k) fixed[end + k] = static_cast<std::uint8_t>(hash >> 8 * k);
    return fixed;
}

}  // namespace fuzz
