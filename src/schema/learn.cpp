#include "schema/learn.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt::schema {

namespace {

/** A value of the label, in the order of classes: numbers first, then texts. */
struct Value {
    bool is_text;
    double number;
    std::string key;  ///< in small letters
    std::string spelling;
    bool operator<(const Value &other) const {
        return std::tie(is_text, number, key, spelling) <
               std::tie(other.is_text, other.number, other.key, other.spelling);
    }
};

constexpr double kWorkOfLabel = 300.0;

using Values = std::map<Value, std::size_t>;  ///< with the first row of each

/** Of labels that are taken for numbers no more than it needs to tell two of them from many. */
Values find_values(const Table &table, std::size_t label, LabelKind kind) {
    Values values;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        count_work(kWorkOfLabel);
        const Cell cell = table.cell(row, label);
        if (cell.kind == Cell::Kind::missing) continue;
        const bool is_text = cell.kind == Cell::Kind::text;
        if (!is_text && kind == LabelKind::numbers && values.size() > 2) continue;
        const std::string text = spelling(cell);
        values.try_emplace(Value{is_text, is_text ? 0.0 : cell.number,
                                 is_text ? without_capitals(text) : "", text},
                           row);
    }
    return values;
}

std::string listed(const std::vector<std::string> &names) {
    std::string text;
    for (std::size_t k = 0; k < names.size() && k < 5; ++k)
        text += (k > 0 ? ", " : "") + in_quotes(names[k]);
    return text + (names.size() > 5 ? ", ..." : "");
}

/** Both names of two classes, the negative one first. */
Labels learn_signs(const Values &values, std::size_t label, const Hints &hints,
                   LearntSchema &into) {
    std::vector<std::string> names;
    for (const auto &[value, row] : values) names.push_back(value.spelling);
    const auto complain = [&](std::size_t row, const std::string &reason) {
        into.invalid.push_back({row, label, reason});
    };
    if (values.size() > 2) {
        complain(std::next(values.begin(), 2)->second,
                 "a loss of two classes, but the labels are " + listed(names));
        return Labels::numbers();
    }
    if (names.size() == 1) {  // the other class is of private records alone, perhaps
        const int sign = usual_sign(names[0]);
        if (sign == 0) complain(values.begin()->second, "the only label is " + listed(names));
        names = {sign < 0 ? names[0] : "-1", sign < 0 ? "1" : names[0]};
    }
    const bool is_turned = usual_sign(names[0]) == 1 && usual_sign(names[1]) == -1;
    const std::optional<std::size_t> positive =
        hints.positive.empty() ? std::optional<std::size_t>(is_turned ? 0 : 1)
                               : Spellings(names, names.size()).find(read_cell(hints.positive, {}));
    if (positive == std::size_t{0}) std::swap(names[0], names[1]);
    if (!positive)
        complain(0, in_quotes(hints.positive) + " is not among the labels " + listed(names));
    return Labels::named(LabelKind::signs, names);
}

Labels learn_classes(const Values &values, std::size_t label, const Hints &hints,
                     LearntSchema &into) {
    std::vector<std::string> names;
    bool are_numbers = true;
    bool are_indices = true;
    bool are_whole = true;
    for (const auto &[value, row] : values) {
        are_numbers = are_numbers && !value.is_text;
        are_indices = are_indices && value.number == static_cast<double>(names.size());
        are_whole = are_whole && value.number == std::floor(value.number);
        names.push_back(value.spelling);
    }
    if (!hints.classes.empty()) {
        std::vector<std::string> given;
        for (const std::string &name : hints.classes)
            given.push_back(spelling(read_cell(name, {})));
        if (!std::is_permutation(given.begin(), given.end(), names.begin(), names.end()))
            into.invalid.push_back(
                {0, label, "the classes given are not the labels " + listed(names)});
        return Labels::named(LabelKind::classes, given);
    }
    // 0, 1, ... need no names; a fraction, and what `classes` does not have, the loss refuses.
    if (are_numbers && (are_indices || !are_whole || hints.knows_classes))
        return Labels::numbered_classes();
    return Labels::named(LabelKind::classes, names);
}

constexpr std::size_t kMostLevels = 50;
constexpr std::size_t kMostHintedLevels = 1000;
constexpr std::size_t kFewestRowsOfALevel = 10;
constexpr std::size_t kFewestRowsOfAnId = 20;
constexpr double kWorkOfText = 300.0;

struct Counts {
    std::size_t present = 0;
    std::size_t missing = 0;
    std::vector<double> numbers;
};

Counts count(const Table &table, std::size_t column) {
    Counts counts;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        count_work(1, 1);
        if (table.is_null(row)) continue;
        const Cell cell = table.cell(row, column);
        cell.kind == Cell::Kind::missing ? ++counts.missing : ++counts.present;
        if (cell.kind == Cell::Kind::number) counts.numbers.push_back(cell.number);
    }
    return counts;
}

bool all_equal(const std::vector<double> &numbers) {
    return std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) ==
           numbers.end();
}

/** Whole numbers that only grow, or only fall, from row to row number the rows. */
bool is_row_number(const std::vector<double> &numbers) {
    const auto none = [&](auto compare) {
        return std::adjacent_find(numbers.begin(), numbers.end(), compare) == numbers.end();
    };
    return numbers.size() >= kFewestRowsOfAnId &&
           std::all_of(numbers.begin(), numbers.end(),
                       [](double x) { return x == std::trunc(x); }) &&
           (none(std::less_equal<>()) || none(std::greater_equal<>()));
}

double median(std::vector<double> numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

/** Each text in a column of numbers is an invalid cell. */
void complain_of_texts(const Table &table, std::size_t column, LearntSchema &into) {
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (!table.is_null(row) && table.cell(row, column).kind == Cell::Kind::text)
            into.invalid.push_back({row, column, ""});
    }
}

void learn_numbers(const std::string &name, const Table &table, std::size_t column,
                   const Counts &counts, const Hints &hints, LearntSchema &into) {
    complain_of_texts(table, column, into);
    const bool indicator = counts.missing >= common_from(counts.missing + counts.present);
    if (!hints.keeps_numbers && !indicator && all_equal(counts.numbers)) {
        into.schema.dropped.push_back({name, "one value only"});
    } else if (!hints.keeps_numbers && counts.missing == 0 && is_row_number(counts.numbers)) {
        into.schema.dropped.push_back({name, "an id: whole numbers that count the rows"});
    } else {
        into.schema.columns.push_back(Column::of_numbers(name, median(counts.numbers), indicator));
    }
}

bool is_among(const std::vector<std::string> &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_category(const std::string &name, const Counts &counts, const Hints &hints) {
    return is_among(hints.categories, name) || is_among(hints.texts, name) ||
           counts.numbers.size() < (counts.present + 1) / 2;
}

struct Level {
    std::string spelling;
    std::size_t count = 0;
};

/** By falling number of records, equal ones by name. */
std::vector<Level> find_levels(const Table &table, std::size_t column) {
    std::map<std::pair<std::string, std::string>, Level> found;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        count_work(kWorkOfText);
        const Cell cell = table.cell(row, column);
        if (cell.kind == Cell::Kind::missing) continue;
        const std::string text = spelling(cell);
        Level &level = found[{without_capitals(text), text}];
        if (level.count++ == 0) level.spelling = text;
    }
    std::vector<Level> levels;
    levels.reserve(found.size());
    for (auto &[key, level] : found) levels.push_back(std::move(level));
    std::stable_sort(levels.begin(), levels.end(),
                     [](const Level &a, const Level &b) { return a.count > b.count; });
    return levels;
}

std::string why_no_category(std::size_t levels, std::size_t rows, std::size_t most,
                            std::size_t least) {
    return "a text: " + std::to_string(levels) + " different values in " + std::to_string(rows) +
           " rows; half of the rows must be of " + std::to_string(most) +
           " levels at most, with at least " + std::to_string(least) +
           (least == 1 ? " row each" : " rows each");
}

/** The levels, common ones first; too few rows with others share no feature, unless one of them
 *  would then count as another level. */
void learn_category(const std::string &name, const Table &table, std::size_t column,
                    const Counts &counts, bool is_hinted, LearntSchema &into) {
    const std::size_t common = common_from(counts.missing + counts.present);
    const std::size_t least = is_hinted ? std::min(common, kFewestRowsOfALevel) : common;
    const std::size_t most = is_hinted ? kMostHintedLevels : kMostLevels;
    Column::Levels coding;
    coding.indicator = counts.missing >= common;
    std::size_t rest = counts.present;
    const std::vector<Level> levels = find_levels(table, column);
    std::vector<std::string> all;
    for (const Level &level : levels) {
        const bool is_kept = level.count >= least && coding.kept.size() < most;
        (is_kept ? coding.kept : coding.rare).push_back(level.spelling);
        if (is_kept) rest -= level.count;
        all.push_back(level.spelling);
    }
    if (coding.kept.empty() || rest > counts.present / 2) {
        const std::string why = why_no_category(levels.size(), counts.present, most, least);
        into.schema.dropped.push_back({name, why});
        if (is_hinted) into.unusable.push_back({name, why});
        return;
    }
    const Spellings spellings(all, coding.kept.size());
    const bool has_twins =
        std::any_of(coding.rare.begin(), coding.rare.end(), [&](const std::string &level) {
            return spellings.has_twin(level) || (spellings.is_pair() && usual_sign(level) != 0);
        });
    if (rest < std::min(least, kFewestRowsOfALevel) && !has_twins) coding.rare.clear();
    Column learnt = Column::of_category(name, std::move(coding));
    if (learnt.width() == 0) {
        into.schema.dropped.push_back({name, "one value only"});
    } else {
        into.schema.columns.push_back(std::move(learnt));
    }
}

/** Its coding, or the reason why it is dropped. */
void learn_column(const std::string &name, const Table &table, std::size_t column,
                  const Hints &hints, LearntSchema &into) {
    const Counts counts = count(table, column);
    if (counts.present == 0) {
        into.schema.dropped.push_back({name, "no value"});
    } else if (is_category(name, counts, hints)) {
        learn_category(name, table, column, counts, is_among(hints.categories, name), into);
    } else {
        learn_numbers(name, table, column, counts, hints, into);
    }
}

/** Of a column that computed features alone read: all its levels. */
void learn_hidden(const std::string &name, const Table &table, std::size_t column,
                  const Hints &hints, LearntSchema &into) {
    const Counts counts = count(table, column);
    if (is_category(name, counts, hints)) {
        Column::Levels coding;
        for (const Level &level : find_levels(table, column)) coding.kept.push_back(level.spelling);
        if (coding.kept.size() > kMostHintedLevels)
            throw Error(DPA_E_INVALID_ARGUMENT, "column " + in_quotes(name) + " has more than " +
                                                    std::to_string(kMostHintedLevels) +
                                                    " levels, and is computed with");
        into.schema.columns.push_back(Column::of_category(name, std::move(coding)));
    } else if (counts.present > 0) {
        complain_of_texts(table, column, into);
        into.schema.columns.push_back(Column::of_numbers(name, median(counts.numbers), false));
    } else {
        return;
    }
    into.schema.columns.back().hide();
}

/** Where a public record has no finite value.
 *  @param places  Of the schema's columns in the table. */
void check_computed(const Table &table, const std::vector<std::size_t> &places,
                    LearntSchema &into) {
    const Schema &schema = into.schema;
    if (schema.computed.empty()) return;
    std::vector<CellValue> cells(places.size());
    for (std::size_t row = 0; row < table.rows(); ++row) {
        count_work(kWorkOfText);
        if (table.is_null(row)) continue;
        for (std::size_t k = 0; k < places.size(); ++k)
            cells[k] = schema.columns[k].read(table.cell(row, places[k]));
        for (const Computed &feature : schema.computed) {
            double value = 0.0;
            if (feature.encode(cells, &value) == Fit::proper) continue;
            std::size_t k = 0;
            while (!feature.expression.reads(schema.columns[k].name())) ++k;
            into.invalid.push_back(
                {row, places[k], in_quotes(feature.name) + " has no finite value", true});
        }
    }
}

}  // namespace

std::string left_out(std::size_t rows) {
    if (rows == 0) return "";
    return std::to_string(rows) + (rows == 1 ? " public row has no label and was left out."
                                             : " public rows have no label and were left out.");
}

std::size_t common_from(std::size_t rows) {
    return std::max<std::size_t>({1, rows / 100, std::min<std::size_t>(10, rows / 4)});
}

void add_computed(const Hints &hints, Schema &schema) {
    for (Computed feature : hints.computed) {
        feature.bind(schema.columns);
        const std::vector<std::string> before = schema.features();
        if (is_among(before, feature.name))
            throw Error(DPA_E_INVALID_ARGUMENT,
                        "two features are called " + in_quotes(feature.name));
        schema.computed.push_back(std::move(feature));
    }
}

bool Hints::ignores(const std::string &column) const { return is_among(ignored, column); }

bool Hints::computes_from(const std::string &column) const {
    return std::ranges::any_of(
        computed, [&](const Computed &feature) { return feature.expression.reads(column); });
}

LearntSchema learn(const std::vector<std::string> &names, const Table &table, const Hints &hints) {
    LearntSchema into;
    into.schema.missing = hints.missing;
    std::vector<std::size_t> places;  // of the schema's columns
    for (std::size_t column = 0; column < names.size(); ++column) {
        const std::size_t before = into.schema.columns.size();
        if (!hints.ignores(names[column])) learn_column(names[column], table, column, hints, into);
        const bool is_new = into.schema.columns.size() > before;
        if (!is_new && hints.computes_from(names[column]))
            learn_hidden(names[column], table, column, hints, into);
        if (into.schema.columns.size() > before) places.push_back(column);
    }
    add_computed(hints, into.schema);
    check_computed(table, places, into);
    const std::size_t label = names.size();
    const Values values = find_values(table, label, hints.labels);
    if (values.empty()) {
        into.invalid.push_back({0, label, "no row has a label"});
    } else if (hints.labels == LabelKind::signs) {
        into.schema.labels = learn_signs(values, label, hints, into);
    } else if (hints.labels == LabelKind::classes) {
        into.schema.labels = learn_classes(values, label, hints, into);
    } else if (values.rbegin()->first.is_text) {
        complain_of_texts(table, label, into);
    }
    if (!hints.positive.empty() && hints.labels != LabelKind::signs)
        into.schema.notes.push_back("positive = " + hints.positive +
                                    " changes nothing: it is for labels of two classes.");
    return into;
}

}  // namespace dpadapt::schema
