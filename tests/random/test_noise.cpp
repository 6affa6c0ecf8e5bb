// Noise of many coordinates: which thread draws it does not matter, what it is for does.
#include "core/core.hpp"
#include "draws.hpp"

using namespace dpadapt::random;

namespace {

constexpr std::size_t kBlock = 256;
constexpr std::size_t kSize = 20 * kBlock + 17;

void every_number_of_threads_gives_the_same_noise() {
    const Key key = counting_key();
    for (const Draw draw : {normal, laplace}) {
        const auto one = integers(kSize, draw, 32, key);
        for (const std::size_t threads : {2U, 3U, 7U, 100U})
            check_true("threads",
                       integers(kSize, draw, 32, key, Purpose::gaussian_w, 0, threads) == one);
    }
}

void every_block_can_be_drawn_alone() {
    const Key key = counting_key();
    const auto all = integers(kSize, normal, 32, key, Purpose::gaussian_u, 5);
    for (std::size_t j = all.size() / kBlock + 1; j-- > 0;) {
        Stream stream(key, Purpose::gaussian_u, 5, static_cast<std::uint32_t>(j));
        for (std::size_t i = j * kBlock; i < std::min(all.size(), (j + 1) * kBlock); ++i)
            check_true("coordinate", normal(stream, 32) == all[i]);
    }
}

void fewer_coordinates_are_a_prefix() {
    const Key key = counting_key();
    const auto all = integers(kSize, normal, 32, key);
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, kBlock - 1, kBlock, kBlock + 1}) {
        const auto some = integers(size, normal, 32, key, Purpose::gaussian_w, 0, 2);
        check_true("prefix", std::equal(some.begin(), some.end(), all.begin()));
    }
}

void key_purpose_step_and_block_each_give_other_noise() {
    const Key key = counting_key();
    const Key other = counting_key(1);
    std::vector<std::vector<std::int64_t>> samples;
    for (const std::uint64_t step : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 47})
        for (const Purpose purpose :
             {Purpose::discrepancy, Purpose::gaussian_w, Purpose::gaussian_u, Purpose::selector})
            for (const Key *chosen : {&key, &other}) {
                const auto drawn = integers(2 * kBlock, normal, 8, *chosen, purpose, step);
                samples.emplace_back(drawn.begin(), drawn.begin() + kBlock);
                samples.emplace_back(drawn.begin() + kBlock, drawn.end());
            }
    std::sort(samples.begin(), samples.end());
    check_true("no two are equal",
               std::adjacent_find(samples.begin(), samples.end()) == samples.end());
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(every_number_of_threads_gives_the_same_noise),
        core_test(every_block_can_be_drawn_alone),
        core_test(fewer_coordinates_are_a_prefix),
        core_test(key_purpose_step_and_block_each_give_other_noise),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
