// What nobody sees at the ends of a text is no part of it; within it, everything counts.
#include "core/core.hpp"
#include "schema/cell.hpp"

namespace {

using dpadapt::schema::Cell;
using dpadapt::schema::read_cell;

const std::vector<std::string> kBlanks = {" ",      "\t",     "\n",     "\v",     "\f",
                                          "\r",     "\u0085", "\u00A0", "\u1680", "\u2000",
                                          "\u2005", "\u200A", "\u200B", "\u2028", "\u2029",
                                          "\u202F", "\u205F", "\u2060", "\u3000", "\uFEFF"};

void blanks_at_the_ends_are_dropped() {
    for (const std::string &one : kBlanks) {
        for (const std::string &blank : {one, one + one, " " + one + "\t"}) {
            const std::string level = blank + "ward A" + blank;
            const std::string number = blank + "-1.5e1" + blank;
            check_true("level", read_cell(level, {}).text == "ward A");
            check_close("number", read_cell(number, {}).number, -15.0, 0.0);
            check_true("blank", read_cell(blank, {}).kind == Cell::Kind::missing);
            check_true("NA", read_cell(blank + "NA" + blank, {}).kind == Cell::Kind::missing);
        }
        const std::string within = "ward" + one + "A";
        check_true("within", read_cell(within, {}).text == within);
    }
}

void letters_that_look_alike_stay_apart() {
    const std::vector<std::string> texts = {"Z\u00FCrich",
                                            "Zu\u0308rich",  // NFC and NFD
                                            "\uFF21",
                                            "A",  // full width
                                            "\u0391",
                                            "a b",  // Greek Alpha
                                            "a  b",
                                            "x\u200D",  // joiners are letters
                                            "x"};
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            check_true("apart", read_cell(texts[i], {}).text != read_cell(texts[j], {}).text);
}

void bytes_that_are_no_text_are_kept() {
    for (const std::string &text : {std::string("\xFCrich"), std::string("\xA0"),
                                    std::string("\xE3\x80"), std::string("\xC2")}) {
        const Cell cell = read_cell(text, {});
        check_true("text", cell.kind == Cell::Kind::text && cell.text == text);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(blanks_at_the_ends_are_dropped),
                                core_test(letters_that_look_alike_stay_apart),
                                core_test(bytes_that_are_no_text_are_kept)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
