// A list that only grows: copies are cheap, and values.
#include <string>
#include <vector>

#include "base/growing.hpp"
#include "core/core.hpp"

using dpadapt::Growing;

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

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(it_keeps_what_is_added), core_test(copies_are_values),
                                core_test(copies_share_their_elements)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
