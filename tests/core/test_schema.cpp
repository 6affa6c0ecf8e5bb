// The schema of a table: learnt from public rows, applied record by record.
#include <algorithm>
#include <cmath>
#include <random>

#include "core/core.hpp"
#include "schema/learn.hpp"
#include "schema/schema.hpp"

using namespace dpadapt::schema;

namespace {

using Row = std::vector<std::string>;

/** A record as features and a label. */
struct Encoded {
    std::vector<double> x;
    double y;
};

std::vector<Cell> cells_of(const Row &row, const Format &format) {
    std::vector<Cell> cells;
    for (const std::string &text : row) cells.push_back(read_cell(text, format));
    return cells;
}

LearntSchema learn_rows(const std::vector<Row> &rows, const Hints &hints = {}) {
    Table table(rows.front().size());
    for (const Row &row : rows) table.add(cells_of(row, {hints.missing, false}));
    std::vector<std::string> names;
    for (std::size_t k = 0; k + 1 < rows.front().size(); ++k)
        names.push_back(std::string(1, static_cast<char>('a' + k)));
    return learn(names, table, hints);
}

Encoded encode(const Schema &schema, const Row &row) {
    const std::vector<Cell> cells = cells_of(row, {schema.missing, false});
    static std::vector<double> features;  // as in a reader, which has one for all records
    features.resize(schema.features().size());
    std::vector<Fit> fits(schema.uses());
    schema.encode(cells, features, fits);
    return {features, schema.labels.encode(cells.back())};
}

/** Age with missing values, colour with a rare level, and a label. */
std::vector<Row> people() {
    std::vector<Row> rows;
    for (int k = 0; k < 100; ++k) {
        const char *colour = k < 50 ? "red" : k < 88 ? "Blue" : k < 95 ? "pink" : "grey";
        rows.push_back(
            {k % 5 == 0 ? "NA" : std::to_string(k * 7 % 40), colour, k % 3 == 0 ? "dead" : "live"});
    }
    return rows;
}

Schema people_schema() { return learn_rows(people(), {.labels = LabelKind::signs}).schema; }

bool same(const std::vector<double> &a, const std::vector<double> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
        return x == y || (std::isnan(x) && std::isnan(y));
    });
}

void cells_are_numbers_texts_or_missing() {
    const Format point;
    const Format comma{{"unknown"}, true};
    const auto number = [](const char *text, const Format &format) {
        const Cell cell = read_cell(text, format);
        return cell.kind == Cell::Kind::number ? cell.number : std::nan("");
    };
    check_true("plus", number(" +1.5e1\t", point) == 15.0);
    check_true("decimal comma", number("-1,5", comma) == -1.5);
    check_true("a point beside it", number("1.5", comma) == 1.5);
    for (const char *text : {"1,5", "0x10", "1e999", "inf", "+-2", "1 2", "1.234,5"})
        check_true(text, read_cell(text, point).kind == Cell::Kind::text);
    check_true("thousands", read_cell("1.234,5", comma).kind == Cell::Kind::text);
    for (const char *text : {"", "  ", "NA", "n/a", "nan", "null", ".", "?"})
        check_true(text, read_cell(text, point).kind == Cell::Kind::missing);
    check_true("a word", read_cell("unknown", comma).kind == Cell::Kind::missing);
    // As the tables of other languages have it, which keep the number alone.
    for (const char *word : {"99", "99.0", " 9.9e1", "+99", "99,0"})
        for (const char *text : {"99", "99.0", " 99.00", "+99", "99,0"}) {
            const Format own{{word}, true};
            check_true(text, read_cell(text, own).kind == Cell::Kind::missing);
            check_true(text, is_missing_word(read_cell(text, {{}, true}), own.missing));
            check_true(text, read_cell("98", own).kind == Cell::Kind::number);
        }
    check_true("no word", read_cell("unknown", point).kind == Cell::Kind::text);
}

void columns_become_features() {
    const Schema schema = people_schema();
    check_true("features", schema.features() == Row({"a", "a=(missing)", "b=Blue", "b=(other)"}));
    check_true("proper", same(encode(schema, {"3", "blue", "live"}).x, {3, 0, 1, 0}));
    const double median = schema.columns[0].median();
    check_true("missing", same(encode(schema, {"", "red", "live"}).x, {median, 1, 0, 0}));
    check_true("no number", same(encode(schema, {"x", "red", "live"}).x, {median, 1, 0, 0}));
    check_true("rare", same(encode(schema, {"3", "grey", "live"}).x, {3, 0, 0, 1}));
    check_true("unknown", same(encode(schema, {"3", "green", "live"}).x, {3, 0, 0, 0}));
}

void useless_columns_are_named() {
    std::vector<Row> rows;
    for (int k = 0; k < 60; ++k)
        rows.push_back({std::to_string(1000 + k), "7", "text " + std::to_string(k), "NA",
                        std::to_string(k * k % 13), "1"});
    const LearntSchema learnt = learn_rows(rows);
    check_true("one is left", learnt.schema.names() == Row({"e"}));
    Row dropped;
    for (const Dropped &column : learnt.schema.dropped) dropped.push_back(column.name);
    check_true("four are named", dropped == Row({"a", "b", "c", "d"}));
    const LearntSchema kept = learn_rows(rows, {.keeps_numbers = true});
    check_true("numbers on demand", kept.schema.names() == Row({"a", "b", "e"}));
}

void public_cells_that_do_not_fit_are_complained_about() {
    std::vector<Row> rows;
    for (int k = 0; k < 30; ++k) rows.push_back({std::to_string(k % 7), std::to_string(k)});
    rows[4][0] = "89 or older";
    rows[9][1] = "many";
    const LearntSchema learnt = learn_rows(rows);
    check_true("two invalid", learnt.invalid.size() == 2);
    check_true("feature", learnt.invalid[0].row == 4 && learnt.invalid[0].column == 0);
    check_true("label", learnt.invalid[1].row == 9 && learnt.invalid[1].column == 1);
    const Hints hints{.categories = {"a"}, .missing = {"many"}};
    check_true("remedies", learn_rows(rows, hints).invalid.empty());
}

void labels_of_two_classes_have_any_coding() {
    const auto code = [](const Schema &schema, const char *text) {
        return schema.labels.encode(read_cell(text, {}));
    };
    const Schema texts = people_schema();
    check_true("texts", code(texts, "dead") == -1.0 && code(texts, " LIVE") == 1.0);
    check_true("others", std::isnan(code(texts, "0")) && std::isnan(code(texts, "alive")));
    check_true("decoded", texts.labels.decode(-1.0) == "dead");
    std::vector<Row> rows = people();
    for (const auto &[no, yes] : {std::pair("0", "1"), std::pair("-1", "1"), std::pair("no", "yes"),
                                  std::pair("N", "Y"), std::pair("FALSE", "TRUE")}) {
        for (std::size_t k = 0; k < rows.size(); ++k) rows[k][2] = k % 3 == 0 ? no : yes;
        const Schema schema = learn_rows(rows, {.labels = LabelKind::signs}).schema;
        for (const char *word : {"0", "-1", "0.0", "no", "n", "False", "f"})
            check_true(std::string(no) + word, code(schema, word) == -1.0);
        for (const char *word : {"1", "+1", "Yes", "y", "true", "T"})
            check_true(std::string(yes) + word, code(schema, word) == 1.0);
        const Hints turned{.labels = LabelKind::signs, .positive = no};
        check_true("turned", code(learn_rows(rows, turned).schema, "0") == 1.0);
        check_true("none", std::isnan(code(schema, "2")) && std::isnan(code(schema, "")));
    }
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k][2] = k % 3 == 0 ? "1" : "2";
    const Schema numbers = learn_rows(rows, {.labels = LabelKind::signs}).schema;
    check_true("1 and 2", code(numbers, "1") == -1.0 && code(numbers, "2") == 1.0);
    check_true("no usual pair", std::isnan(code(numbers, "0")));
    rows[7][2] = "3";
    check_true("three", !learn_rows(rows, {.labels = LabelKind::signs}).invalid.empty());
    const Schema three = learn_rows(rows, {.labels = LabelKind::classes}).schema;
    check_true("classes", code(three, "1") == 0.0 && code(three, "3") == 2.0);
}

/** What the public rows keep apart stays apart, also where it is rare; a cell that may mean several
 *  means none. */
void levels_are_the_texts_of_public_rows() {
    std::vector<Row> rows;
    for (int k = 0; k < 3000; ++k)
        rows.push_back({k == 7 ? "AA" : k % 2 ? "Aa" : "bb", k % 2 ? "no" : "Yes", "1"});
    const Schema schema = learn_rows(rows).schema;
    check_true("features", schema.features() == Row({"a=Aa", "a=(other)", "b=Yes"}));
    const auto of = [&](const char *a, const char *b) { return encode(schema, {a, b, "1"}).x; };
    check_true("rare", of("AA", "yes")[1] == 1.0 && of("Aa", "yes")[1] == 0.0);
    check_true("apart", of("Aa", "yes")[0] != of("bb", "yes")[0]);
    check_true("folded", same(of("BB", "yes"), of("bb", "yes")));
    const Row row{"aA", "y", "1"};
    const std::vector<Cell> ambiguous = cells_of(row, {});
    check_true("unknown", schema.columns[0].read(ambiguous[0]).fit == Fit::unknown_level);
    for (const char *word : {"1", "true", "T", "YES", "Yes", "y"})
        check_true(word, of("bb", word)[2] == 1.0);
    for (const char *word : {"0", "-1", "false", "F", "NO", "n"})
        check_true(word, of("bb", word)[2] == 0.0);
    check_true("booleans", schema.columns[1].takes_booleans());
    check_true("no booleans", !schema.columns[0].takes_booleans());
}

/** Classes that are given keep their order; all of them must be given. */
void classes_have_the_order_that_is_given() {
    std::vector<Row> rows;
    for (int k = 0; k < 60; ++k)
        rows.push_back({std::to_string(k * k % 17), k % 3 == 0 ? "low" : k % 3 == 1 ? "10" : "9"});
    const auto learnt = [&](const Row &classes) {
        return learn_rows(rows, {.labels = LabelKind::classes, .classes = classes});
    };
    check_true("chosen", learnt({}).schema.labels.names() == Row({"9", "10", "low"}));
    const Row given{"low", "10.0", "9"};
    check_true("given", learnt(given).schema.labels.names() == Row({"low", "10", "9"}));
    check_true("code", encode(learnt(given).schema, {"3", "010"}).y == 1.0);
    for (const Row &other : {Row{"low", "9"}, Row{"low", "9", "9"}, Row{"low", "9", "10", "11"}})
        check_true("others", !learnt(other).invalid.empty());
}

/** A rare level of ten rows is another than the commonest one, also if it is alone. */
void ten_rows_of_a_rare_level_are_told_apart() {
    for (const int rare : {9, 10}) {
        std::vector<Row> rows;
        for (int k = 0; k < 5000; ++k)
            rows.push_back({k < rare ? "w" : k % 3 ? "m" : "s", k % 2 ? "x" : "y", "1"});
        const Schema schema = learn_rows(rows).schema;
        const std::vector<double> commonest = encode(schema, {"m", "x", "1"}).x;
        check_true(std::to_string(rare) + " rows",
                   same(encode(schema, {"w", "x", "1"}).x, commonest) == (rare < 10));
    }
}

void classes_are_the_distinct_public_labels() {
    const auto names = [](std::vector<std::string> words, const Hints &hints) {
        std::vector<Row> rows;
        for (int k = 0; k < 60; ++k)
            rows.push_back(
                {std::to_string(k % 7), words[static_cast<std::size_t>(k) % words.size()]});
        return learn_rows(rows, hints).schema.labels.names();
    };
    const Hints classes{.labels = LabelKind::classes};
    check_true("codes", names({"10", "20", "30"}, classes) == Row({"10", "20", "30"}));
    check_true("from 0", names({"0", "50", "99"}, classes) == Row({"0", "50", "99"}));
    check_true("indices", names({"0", "1", "2"}, classes).empty());
    check_true("capitals", names({"m", "M", "x"}, classes) == Row({"M", "m", "x"}));
    check_true("signs", names({"m", "M"}, {.labels = LabelKind::signs}) == Row({"M", "m"}));
    check_true("positive",
               names({"m", "M"}, {.labels = LabelKind::signs, .positive = "M"}) == Row({"m", "M"}));
    const Hints numbered{.labels = LabelKind::classes, .knows_classes = true};
    check_true("numbered", names({"0", "50", "99"}, numbered).empty());
}

void ids_that_differ_in_spelling_are_one_person() {
    const auto one = [](std::vector<const char *> ids) {
        for (const char *id : ids) check_true(id, person_of(id) == person_of(ids[0]));
    };
    one({"P001", "p001", " P001", "p001\t"});
    one({"1", "1.0", "01", " +1", "1e0", "1,0"});
    one({"", "NA", "null", "  "});
    check_true("others", person_of("P001") != person_of("P01"));
    check_true("numbers", person_of("1") != person_of("11"));
}

/** Neighbours: a record is replaced by any other. No other record moves by a bit. */
void a_record_is_encoded_by_itself() {
    const Schema schema = people_schema();
    const std::vector<Row> rows = people();
    std::mt19937 random(3);
    const std::string letters = "01.,-eEna \t\"\xff;redBlu";
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<Row> neighbour = rows;
        const std::size_t changed = random() % rows.size();
        for (std::string &cell : neighbour[changed]) {
            cell.clear();
            for (auto k = random() % 9; k > 0; --k) cell += letters[random() % letters.size()];
        }
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const Encoded before = encode(schema, rows[k]);
            const Encoded after = encode(schema, neighbour[k]);
            if (k != changed) check_true("same", same(before.x, after.x) && before.y == after.y);
            for (const double x : after.x) check_true("finite", std::isfinite(x));
        }
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(cells_are_numbers_texts_or_missing),
        core_test(columns_become_features),
        core_test(useless_columns_are_named),
        core_test(public_cells_that_do_not_fit_are_complained_about),
        core_test(labels_of_two_classes_have_any_coding),
        core_test(levels_are_the_texts_of_public_rows),
        core_test(ten_rows_of_a_rare_level_are_told_apart),
        core_test(classes_are_the_distinct_public_labels),
        core_test(ids_that_differ_in_spelling_are_one_person),
        core_test(a_record_is_encoded_by_itself),
        core_test(classes_have_the_order_that_is_given),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
