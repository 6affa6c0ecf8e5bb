// Uniform numbers whose digits are drawn as comparisons need them.
#include "core/core.hpp"
#include "draws.hpp"
#include "random/stream.hpp"

using namespace dpadapt::random;

namespace {

/** About 4000 of the pairs agree in their first byte and 15 in the second one too. */
void order_is_that_of_the_digits() {
    const Key key = counting_key();
    Stream stream(key, Purpose::selector, 0, 0);
    for (int i = 0; i < 1000000; ++i) {
        Uniform a(stream);
        Uniform b(stream);
        const bool less = Uniform::less(a, b, stream);
        check_true("antisymmetric", Uniform::less(b, a, stream) != less);
        const std::uint64_t digits_of_a = a.leading(40, stream);
        const std::uint64_t digits_of_b = b.leading(40, stream);
        check_true("order", digits_of_a == digits_of_b || (digits_of_a < digits_of_b) == less);
        check_true("first bit", a.at_least_half() == (digits_of_a >> 39 == 1));
        check_true("range", digits_of_a >> 40 == 0);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(order_is_that_of_the_digits),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
