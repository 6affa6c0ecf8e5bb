// Keys come from the operating system or not at all.
#include <array>
#include <cerrno>

#include "base/error.hpp"
#include "core/core.hpp"
#include "draws.hpp"

using namespace dpadapt::random;

namespace {

using Bytes = std::array<std::uint8_t, Key::kSize>;

ssize_t refuse(void * /*bytes*/, std::size_t /*size*/) {
    errno = ENOSYS;
    return -1;
}

ssize_t end_early(void * /*bytes*/, std::size_t /*size*/) { return 0; }

/** Interrupted every other time; otherwise at most five bytes, each holding how many were
 *  missing. */
ssize_t read_in_pieces(void *bytes, std::size_t size) {
    static bool interrupted = false;
    interrupted = !interrupted;
    if (interrupted) {
        errno = EINTR;
        return -1;
    }
    const std::size_t count = std::min<std::size_t>(size, 5);
    std::fill_n(static_cast<std::uint8_t *>(bytes), count, static_cast<std::uint8_t>(size));
    return static_cast<ssize_t>(count);
}

template <typename Action>
void check_refused(const std::string &what, const Action &action) {
    try {
        action();
        check_true(what + " passes", false);
    } catch (const dpadapt::Error &error) {
        check_true(what + ": status", error.status() == DPA_E_ENTROPY);
        check_true(what + ": " + error.what(),
                   std::string(error.what()).find("random bytes: ") != std::string::npos);
    }
}

void failure_is_an_error() {
    for (const ReadRandom read : {refuse, end_early}) {
        Bytes bytes{};
        check_refused("bytes", [&] { fill_with_entropy(bytes, read); });
        check_true("nothing is made up", bytes == Bytes{});
        check_refused("key", [&] { const Key key(read); });
    }
}

void interruptions_and_short_reads_are_continued() {
    Bytes bytes{};
    fill_with_entropy(bytes, read_in_pieces);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        check_true("piece", bytes[i] == bytes.size() - i / 5 * 5);
    const Key key(read_in_pieces);
    check_true("key", std::equal(bytes.begin(), bytes.end(), key.bytes()));
}

void every_key_is_another() {
    const Key one;
    const Key two;
    check_true("keys differ", !std::equal(one.bytes(), one.bytes() + Key::kSize, two.bytes()));
    check_true("noise differs", integers(20, normal, 8, one) != integers(20, normal, 8, two));
    std::array<std::uint8_t, 1000> many{};  // more than one getentropy gives
    fill_with_entropy(many);
    check_true("all filled", std::count(many.begin(), many.end(), 0) < 40);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(failure_is_an_error),
        core_test(interruptions_and_short_reads_are_continued),
        core_test(every_key_is_another),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
