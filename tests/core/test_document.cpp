// One content, two forms: strict JSON, and lines for people.
#include <limits>

#include "base/document.hpp"
#include "core/core.hpp"

using dpadapt::Document;

namespace {

void check_same(const std::string &what, const std::string &found, const std::string &wanted) {
    check_true(what + ": " + found, found == wanted);
}

void leaves_as_json() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    const Document document = Document()
                                  .set("tenth", 0.1)
                                  .set("third", 1.0 / 3.0)
                                  .set("tiny", 5e-324)
                                  .set("nan", std::nan(""))
                                  .set("inf", -inf)
                                  .set("most", std::numeric_limits<std::uint64_t>::max())
                                  .set("least", std::numeric_limits<std::int64_t>::min())
                                  .set("yes", true)
                                  .set("unknown", nullptr)
                                  .set("word", "word");
    check_same("leaves", document.json(),
               R"({"tenth":0.1,"third":0.3333333333333333,"tiny":5e-324,"nan":null,"inf":null,)"
               R"("most":18446744073709551615,"least":-9223372036854775808,"yes":true,)"
               R"("unknown":null,"word":"word"})");
}

void strings_are_escaped() {
    const Document document = Document().set(
        "a\"b", std::string("back\\slash \"quoted\"\n\t\x01\x1f\0end", 27) + "\xc3\xa9");
    check_same("escapes", document.json(),
               R"({"a\"b":"back\\slash \"quoted\"\u000a\u0009\u0001\u001f\u0000end)"
               "\xc3\xa9\"}");
}

Document nested() {
    return Document()
        .set("first_name", "x")
        .set("inner", Document().set("a", 1).set("b", nullptr))
        .set("list", Document::list()
                         .add(Document().set("c_d", 2).set("deep", Document().set("e", 3)))
                         .add("leaf"))
        .set("empty", Document())
        .set("none", Document::list());
}

void order_and_nesting() {
    check_same("JSON", nested().json(),
               R"({"first_name":"x","inner":{"a":1,"b":null},)"
               R"("list":[{"c_d":2,"deep":{"e":3}},"leaf"],"empty":{},"none":[]})");
}

void lines_for_people() {
    check_same("text", nested().text(),
               "first name: x\n"
               "inner:\n"
               "  a: 1\n"
               "  b: -\n"
               "list:\n"
               "  - c d: 2\n"
               "    deep:\n"
               "      e: 3\n"
               "  - leaf\n"
               "empty:\n"
               "none:\n");
}

void some_members_are_for_machines() {
    const Document document =
        Document()
            .set_for_machines("units", 7)
            .set("inner", Document().set("a", 1).set_for_machines("b", Document().set("c", 2)));
    check_same("JSON", document.json(), R"({"units":7,"inner":{"a":1,"b":{"c":2}}})");
    check_same("text", document.text(), "inner:\n  a: 1\n");
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(leaves_as_json),
        core_test(strings_are_escaped),
        core_test(order_and_nesting),
        core_test(lines_for_people),
        core_test(some_members_are_for_machines),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
