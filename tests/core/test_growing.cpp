// A list that only grows: copies are cheap, and values.
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "base/growing.hpp"
#include "core/core.hpp"

using dpadapt::Growing;

namespace {

int until_failure = -1;  ///< allocations; negative: none fails

/** Counts those that live. */
struct Counted {
    static inline int live = 0;
    Counted() { ++live; }
    Counted(const Counted & /*other*/) { ++live; }
    Counted &operator=(const Counted & /*other*/) = default;
    ~Counted() { --live; }
};

}  // namespace

void *operator new(std::size_t size) {
    if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
    if (void *found = std::malloc(size)) return found;
    throw std::bad_alloc();
}
void *operator new[](std::size_t size) { return operator new(size); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace {

std::vector<std::string> all_of(const Growing<std::string> &list) {
    return {list.begin(), list.end()};
}

void it_keeps_what_is_added() {
    Growing<std::string> list;
    std::vector<std::string> expected;
    check_true("empty", list.empty() && list.begin() == list.end());
    for (int i = 0; i < 1000; ++i) {
        list.add(std::to_string(i));
        expected.push_back(std::to_string(i));
        check_true("size", list.size() == expected.size() && list.back() == expected.back());
    }
    check_true("all of it", all_of(list) == expected && list[517] == "517");
}

void copies_are_values() {
    Growing<std::string> list;
    for (int i = 0; i < 100; ++i) list.add("common");
    Growing<std::string> copy = list;
    list.add("list");
    check_true("a copy sees nothing later", copy.size() == 100);
    copy.add("copy");
    Growing<std::string> third = list;
    third.add("third");
    list.add("list again");
    check_true("each has its own", list[100] == "list" && copy[100] == "copy" &&
                                       third[100] == "list" && third[101] == "third" &&
                                       list[101] == "list again");
    check_true("and the common part", list[99] == "common" && copy[99] == "common");
}

/** Elements stay where they are, so that a copy of many costs no more than one of few. */
void copies_share_their_elements() {
    Growing<std::string> list;
    for (int i = 0; i < 10000; ++i) list.add("x");
    const Growing<std::string> copy = list;
    list.reserve_more(10000);
    for (int i = 0; i < 10000; ++i) list.add("y");
    check_true("shared", &copy[0] == &list[0] && &copy[9999] == &list[9999]);
}

/** Whichever allocation fails, each element is destroyed once. */
void elements_are_destroyed_once() {
    int failures_seen = 0;
    for (int nth = 0; nth < 40; ++nth) {
        {
            Growing<Counted> list;
            list.add({});
            until_failure = nth;
            try {
                list.reserve_more(1000);
            } catch (const std::bad_alloc &) {
                ++failures_seen;
            }
            until_failure = -1;
        }
        check_true("after failure " + std::to_string(nth), Counted::live == 0);
        Counted::live = 0;
    }
    check_true("some fail", failures_seen > 5);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(it_keeps_what_is_added), core_test(copies_are_values),
                                core_test(copies_share_their_elements),
                                core_test(elements_are_destroyed_once)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
