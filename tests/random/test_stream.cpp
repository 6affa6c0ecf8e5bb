// The bits of a stream against RFC 8439, and the layout of its nonce.
#include <sodium/crypto_stream_chacha20.h>

#include "base/error.hpp"
#include "core/core.hpp"
#include "draws.hpp"

using namespace dpadapt::random;

namespace {

constexpr auto kNoPurpose = static_cast<Purpose>(0);  // as the vectors of RFC 8439 have it

std::string hex(Stream &stream, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
        const std::uint32_t byte = stream.bits(8);
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

void vectors_of_rfc_8439() {
    const Key counting = counting_key();
    Stream section_2_3_2(counting, kNoPurpose, 0x00090000004a, 0);
    hex(section_2_3_2, 64);  // the vector is the block with counter 1
    check_true("section 2.3.2",
               hex(section_2_3_2, 32) ==
                   "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e");
    const std::array<std::uint8_t, Key::kSize> zeros{};
    const Key zero = Key::unsafe_from_bytes(zeros);
    Stream appendix(zero, kNoPurpose, 0, 0);
    check_true("appendix A.1, counter 0",
               hex(appendix, 64).substr(0, 64) ==
                   "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7");
    check_true(
        "appendix A.1, counter 1",
        hex(appendix, 32) == "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed");
}

void nonce_is_purpose_step_block() {
    const Key key = counting_key();
    Stream stream(key, static_cast<Purpose>(0x0102), 0x030405060708, 0x090a0b0c);
    const std::array<std::uint8_t, 12> nonce{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    std::array<std::uint8_t, 5000> expected{};
    crypto_stream_chacha20_ietf(expected.data(), expected.size(), nonce.data(), key.bytes());
    for (const std::uint8_t byte : expected) check_true("byte", stream.bits(8) == byte);
}

/** Pieces of every length up to 32, over many refills, are the bits that single bits are. */
void bits_come_in_order_whatever_the_pieces() {
    const Key key = counting_key();
    Stream pieces(key, Purpose::discrepancy, 3, 4);
    Stream single(key, Purpose::discrepancy, 3, 4);
    for (unsigned round = 0; round < 4000; ++round) {
        const unsigned count = 1 + round * 7 % 32;
        std::uint32_t expected = 0;
        for (unsigned i = 0; i < count; ++i) expected |= single.bits(1) << i;
        check_true("piece", pieces.bits(count) == expected);
    }
}

void too_large_a_step_is_an_error() {
    const Key key = counting_key();
    const std::uint64_t limit = std::uint64_t{1} << 48;
    Stream last(key, Purpose::discrepancy, limit - 1, 0);
    try {
        Stream next(key, Purpose::discrepancy, limit, 0);
        check_true("step 2^48 passes", false);
    } catch (const dpadapt::Error &error) {
        check_true("status", error.status() == DPA_E_INTERNAL);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(vectors_of_rfc_8439),
        core_test(nonce_is_purpose_step_block),
        core_test(bits_come_in_order_whatever_the_pieces),
        core_test(too_large_a_step_is_an_error),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
