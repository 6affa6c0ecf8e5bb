// Features that are computed from columns: what expressions mean, and what is refused.
#include <cmath>
#include <random>

#include "core/core.hpp"
#include "schema/expression.hpp"
#include "schema/labelled_schema.hpp"
#include "schema/learn.hpp"

using namespace dpadapt::schema;

namespace {

/** x and y are numbers, sex has two levels; `a b` is a number with an odd name. */
std::vector<Column> columns() {
    return {Column::of_numbers("x", 3.0, false), Column::of_numbers("y", kNan, false),
            Column::of_category("sex", {{"female", "male", "un\"known"}, {}, false}),
            Column::of_numbers("a b", 1.0, false)};
}

double value(const std::string &text, double x, double y = 2.0, const char *sex = "male") {
    Expression expression = Expression::parse(text);
    const std::vector<Column> known = columns();
    expression.bind(known);
    const std::vector<CellValue> cells{known[0].read(Cell::of(x)), known[1].read(Cell::of(y)),
                                       known[2].read(read_cell(sex, {})),
                                       known[3].read(Cell::of(4.0))};
    return expression.evaluate(cells);
}

void expressions_have_the_usual_meaning() {
    const auto is = [](const std::string &text, double expected) {
        const double found = value(text, 5.0);
        check_true(text + " is " + std::to_string(found),
                   found == expected || (std::isnan(found) && std::isnan(expected)));
    };
    is("x", 5.0);
    is("x + y * 3", 11.0);
    is("(x + y) * 3", 21.0);
    is("x - y - 1", 2.0);
    is("x / y / 2", 1.25);
    is("-x^2", -25.0);
    is("x^-1", 0.2);
    is("y^y^3", 256.0);
    is("- - x", 5.0);
    is("+x", 5.0);
    is("2.5e1 * y", 50.0);
    is(".5*x", 2.5);
    is("`a b` + 1", 5.0);
    is("x > y", 1.0);
    is("x <= y", 0.0);
    is("x == 5 & y != 3", 1.0);
    is("!x == 5", 0.0);
    is("!(x == 5) | y >= 2", 1.0);
    is("sex == \"male\"", 1.0);
    is("sex == \"MALE\"", 1.0);
    is("sex != \"male\"", 0.0);
    is("(sex == \"un\"\"known\") * x", 0.0);
    is("min(x, y) + max(x, y)", 7.0);
    is("ifelse(x > 4, y, 1 / 0)", 2.0);
    is("ifelse(x > 9, y, 1 / 0)", kNan);
    is("exp(log(y))", std::exp(std::log(2.0)));
    is("sqrt(abs(-x * 5)) + floor(y / 4) + ceiling(y / 4)", 6.0);
    is("log(-x)", kNan);
    is("1e308 * 10 * x", kNan);
    is("x > 1 | log(-x) > 0", 1.0);
    is("x < 1 & log(-x) > 0", 0.0);
    is("pieces(x, 0, 0, 1, 2, 7, 5, 9)", 9.0);
    is("pieces(x, 2, 4, 1, 10, 100)", 111.0);
    is("pieces(x, 1, 1, 0, 1, 3, 50, -1)", 48.0);
    is("pieces(-x, 1, 1, 0, 1, 3, 50, -1)", -6.0);
}

void a_missing_cell_is_the_median_or_no_value() {
    const std::vector<Column> known = columns();
    Computed feature = Computed::parse("log(x) + (sex == \"male\")");
    feature.bind(known);
    std::vector<CellValue> cells;
    for (const Column &column : known) cells.push_back(column.read({}));
    double found = 0.0;
    check_true("fits", feature.encode(cells, &found) == Fit::proper);
    check_true("of medians and no level", found == std::log(3.0));
    cells[0] = known[0].read(Cell::of(-1.0));
    check_true("does not fit", feature.encode(cells, &found) == Fit::no_number);
    check_true("as if missing", found == std::log(3.0));
    Computed none = Computed::parse("y * 2");
    none.bind(known);
    check_true("no median", none.encode(cells, &found) == Fit::no_number && std::isnan(found));
    for (const char *text : {"y > 1", "y & x", "y | 0 * x", "!y", "ifelse(y, 1, x)", "min(x, y)",
                             "max(y, x)", "pieces(y, 0, 0, 1)"})
        check_true(text, std::isnan(value(text, 5.0, kNan)));
}

void what_is_no_expression_is_refused() {
    std::string deep(120, '(');
    std::string wide = "x";
    for (int k = 0; k < 6000; ++k) wide += " + x";
    std::string stacked;
    for (int k = 0; k < 45; ++k) stacked += "x | x & x == x + x * (";
    for (const std::string &text : {std::string(),
                                    std::string("x +"),
                                    std::string("x y"),
                                    std::string("(x"),
                                    std::string("x)"),
                                    std::string("3"),
                                    std::string("foo(x)"),
                                    std::string("log()"),
                                    std::string("log(x, 2)"),
                                    std::string("min(x)"),
                                    std::string("sex"),
                                    std::string("sex + 1"),
                                    std::string("sex == 1"),
                                    std::string("sex == \"other\""),
                                    std::string("x == \"5\""),
                                    std::string("\"male\" == sex"),
                                    std::string("(sex) + 0 == \"male\""),
                                    std::string("sex < \"male\""),
                                    std::string("sex == \"male\" + 1"),
                                    std::string("sex == \"male\" == x"),
                                    std::string("z"),
                                    std::string("`x"),
                                    std::string("sex == \"male"),
                                    std::string("x = 3"),
                                    std::string("1e999 * x"),
                                    std::string("x @ 3"),
                                    std::string("pieces(x)"),
                                    std::string("pieces(x, 1, 0, 1)"),
                                    std::string("pieces(x, 1.5, 0, 1, 2)"),
                                    std::string("pieces(x, 0, 1, 2, 1, 3)"),
                                    std::string("pieces(x, 99, 1)"),
                                    deep + "x" + std::string(120, ')'),
                                    wide + wide,
                                    stacked + "x" + std::string(45, ')')})
        check_true("refused: " + text.substr(0, 40),
                   status_of([&] { (void)value(text, 5.0); }) == DPA_E_INVALID_ARGUMENT);
}

/** Every text of the grammar's letters is read or refused; what is read has one text. */
void random_texts_are_read_or_refused() {
    std::mt19937_64 random(1);
    static const char *const kParts[] = {
        "x", "y",   "sex", "`a b`", "\"male\"", "(",      ")", "+", "-", "*",
        "/", "^",   "==",  "!=",    "<",        ">=",     "&", "|", "!", ",",
        "2", "0.5", "min", "log",   "1e",       "pieces", "=", " ", ".", "ifelse"};
    std::size_t read = 0;
    for (int k = 0; k < 200000; ++k) {
        std::string text;
        for (std::size_t left = 1 + random() % 8; left > 0; --left)
            text += kParts[random() % std::size(kParts)];
        const dpa_status status = status_of([&] {
            const Computed feature = Computed::parse(text);
            (void)value(feature.expression.text(), 5.0);
            check_true(text, Computed::parse(feature.text()).text() == feature.text());
            ++read;
        });
        check_true(text, status == DPA_OK || status == DPA_E_INVALID_ARGUMENT);
    }
    check_true("some are read", read > 1000);
}

/** Both columns are read for the computed features alone; constant and rare cells are kept. */
void computed_features_are_learnt_and_kept() {
    NamedTable table(40);
    table.add("age", false,
              [](std::size_t row) { return Cell::of(20.0 + static_cast<double>(row)); });
    table.add("ward", false, [](std::size_t row) { return read_cell(row == 7 ? "B" : "A", {}); });
    table.add("label", false,
              [](std::size_t row) { return Cell::of(static_cast<double>(row % 5)); });
    const auto learnt = [&](std::vector<std::string> ignored, std::vector<std::string> computed) {
        NamedTable own = table;
        own.hints.ignored = std::move(ignored);
        for (const std::string &text : computed)
            own.hints.computed.push_back(Computed::parse(text));
        return learn_named(own, "label", {});
    };
    const LabelledSchema schema = learnt({"age", "ward"}, {"log(age)", "`in = B` = ward == \"B\""});
    check_true("features",
               schema.schema.features() == std::vector<std::string>{"log(age)", "in = B"});
    const LabelledSchema again = LabelledSchema::read(schema.write());
    check_true("bytes", again.write() == schema.write());
    std::vector<double> x(80);
    again.apply(table, x, {});
    check_true("values", x[0] == std::log(20.0) && x[1] == 0.0 && x[15] == 1.0);
    const LabelledSchema beside = learnt({}, {"age^2"});
    check_true("beside", beside.schema.features().back() == "age^2");
    const auto refused = [&](const std::vector<std::string> &computed) {
        return status_of([&] { (void)learnt({}, computed); });
    };
    check_true("of the label", refused({"label * 2"}) == DPA_E_INVALID_ARGUMENT);
    check_true("one name", refused({"age^2", "age^2"}) == DPA_E_INVALID_ARGUMENT);
    check_true("no value", refused({"log(age - 30)"}) == DPA_E_NONFINITE);
    check_true("no column", refused({"height"}) == DPA_E_INVALID_ARGUMENT);
    std::vector<std::uint8_t> damaged = schema.write();
    std::mt19937_64 random(2);
    for (int k = 0; k < 3000; ++k) {
        std::vector<std::uint8_t> bytes = damaged;
        bytes[random() % bytes.size()] ^= static_cast<std::uint8_t>(1U << (random() % 8));
        const dpa_status status = status_of([&] {
            check_true("what is read is written", LabelledSchema::read(bytes).write() == bytes);
        });
        check_true("damage", status == DPA_OK || status == DPA_E_FORMAT);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(expressions_have_the_usual_meaning),
                                core_test(a_missing_cell_is_the_median_or_no_value),
                                core_test(what_is_no_expression_is_refused),
                                core_test(random_texts_are_read_or_refused),
                                core_test(computed_features_are_learnt_and_kept)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
