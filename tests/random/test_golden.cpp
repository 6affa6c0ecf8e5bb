// The same integers from the same key on every platform.
#include "core/core.hpp"
#include "draws.hpp"

using namespace dpadapt::random;

namespace {

void check_golden(const std::string &name, Draw draw, unsigned bits, Purpose purpose,
                  std::uint64_t checksum, const std::vector<std::int64_t> &first) {
    const Key key = counting_key();
    const std::vector<std::int64_t> drawn = integers(1000, draw, bits, key, purpose, 7);
    check_true(name + ": first numbers", std::equal(first.begin(), first.end(), drawn.begin()));
    std::uint64_t sum = 0;
    for (const std::int64_t number : drawn)
        sum = sum * 6364136223846793005U + static_cast<std::uint64_t>(number);
    check_true(name + ": checksum", sum == checksum);
}

void golden_streams() {
#define GOLDEN(draw, bits, purpose, checksum, ...) \
    check_golden(#draw " " #bits, draw, bits, Purpose::purpose, checksum, {__VA_ARGS__});
#include "golden.def"
#undef GOLDEN
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(golden_streams)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
