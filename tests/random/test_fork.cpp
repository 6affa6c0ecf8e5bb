// A forked child never draws the noise of its parent.
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "base/error.hpp"
#include "core/core.hpp"
#include "draws.hpp"

using namespace dpadapt::random;

namespace {

constexpr std::size_t kSize = 20;
using Noise = std::array<std::int64_t, kSize>;

/** What a child draws or, in the last place, the status of the error that kept it from drawing. */
Noise in_child(const std::function<void(Noise &)> &draw) {
    Noise noise{};
    int ends[2] = {};
    check_true("pipe", pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        try {
            draw(noise);
        } catch (const dpadapt::Error &error) {
            noise.back() = error.status();
        }
        const ssize_t written = write(ends[1], noise.data(), sizeof noise);
        _exit(written == sizeof noise ? 0 : 1);
    }
    close(ends[1]);
    int status = 1;
    check_true("child", waitpid(child, &status, 0) == child && status == 0);
    check_true("read", read(ends[0], noise.data(), sizeof noise) == sizeof noise);
    close(ends[0]);
    return noise;
}

void check_refused(const std::string &what, const Noise &noise) {
    Noise refused{};
    refused.back() = DPA_E_ENTROPY;
    check_true(what, noise == refused);
}

void children_differ_from_their_parent_and_each_other() {
    const auto draw = [](Noise &noise) {
        const Key key;
        fill_with_noise(noise, normal, 8, key, Purpose::gaussian_w, 0);
    };
    Noise before{};
    draw(before);
    const Noise one = in_child(draw);
    const Noise two = in_child(draw);
    Noise after{};
    draw(after);
    std::array<Noise, 4> all{before, one, two, after};
    std::sort(all.begin(), all.end());
    check_true("all differ", std::adjacent_find(all.begin(), all.end()) == all.end());
}

void a_key_of_the_parent_is_refused() {
    const Key fresh;
    const Key known = counting_key();
    for (const Key *key : {&fresh, &known}) {
        check_refused("key", in_child([&](Noise &noise) {
                          fill_with_noise(noise, normal, 8, *key, Purpose::gaussian_w, 0);
                      }));
        check_refused("bytes", in_child([&](Noise &noise) { noise.front() = *key->bytes() + 1; }));
    }
}

void bits_that_the_parent_has_buffered_are_refused() {
    const Key key = counting_key();
    for (const Draw draw : {normal, laplace}) {
        Stream stream(key, Purpose::gaussian_w, 0, 0);
        static_cast<void>(draw(stream, 8));
        check_refused("stream", in_child([&](Noise &noise) { noise.front() = draw(stream, 8); }));
    }
}

/** As a program does that draws in the child before it forks again. */
void a_key_of_the_child_is_refused_in_the_grandchild() {
    const Noise noise = in_child([](Noise &result) {
        const Key key;
        result = in_child([&](Noise &grandchild) { grandchild.front() = *key.bytes() + 1; });
    });
    check_refused("grandchild", noise);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(children_differ_from_their_parent_and_each_other),
        core_test(a_key_of_the_parent_is_refused),
        core_test(bits_that_the_parent_has_buffered_are_refused),
        core_test(a_key_of_the_child_is_refused_in_the_grandchild),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
