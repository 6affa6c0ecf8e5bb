#include "schema/learn.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "base/attention.hpp"
#include "base/text.hpp"
#include "schema/learn_column.hpp"

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
        worked(kWorkOfLabel);
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
Labels learn_signs(const Values &values, std::size_t label, const Wishes &wishes, Lesson &lesson) {
    std::vector<std::string> names;
    for (const auto &[value, row] : values) names.push_back(value.spelling);
    const auto complain = [&](std::size_t row, const std::string &reason) {
        lesson.complaints.push_back({row, label, reason});
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
        wishes.positive.empty()
            ? std::optional<std::size_t>(is_turned ? 0 : 1)
            : Spellings(names, names.size()).find(read_cell(wishes.positive, {}));
    if (positive == std::size_t{0}) std::swap(names[0], names[1]);
    if (!positive)
        complain(0, in_quotes(wishes.positive) + " is not among the labels " + listed(names));
    return Labels::named(LabelKind::signs, names);
}

Labels learn_classes(const Values &values, const Wishes &wishes) {
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
    // 0, 1, ... need no names; a fraction, and what `classes` does not have, the loss refuses.
    if (are_numbers && (are_indices || !are_whole || wishes.knows_classes))
        return Labels::numbered_classes();
    return Labels::named(LabelKind::classes, names);
}

Labels learn_numbered(const Table &table, std::size_t label, const Values &values, Lesson &lesson) {
    const bool has_texts = values.rbegin()->first.is_text;
    for (std::size_t row = 0; has_texts && row < table.rows(); ++row) {
        if (table.cell(row, label).kind == Cell::Kind::text)
            lesson.complaints.push_back({row, label, ""});
    }
    if (values.size() == 2 && !has_texts)
        lesson.schema.notes.push_back(
            "The labels have two values, " + to_text(values.begin()->first.number) + " and " +
            to_text(values.rbegin()->first.number) +
            ", and are taken for numbers: --loss logistic takes them for classes.");
    return Labels::numbers();
}

}  // namespace

std::string left_out(std::size_t rows) {
    if (rows == 0) return "";
    return std::to_string(rows) + (rows == 1 ? " public row has no label and was left out."
                                             : " public rows have no label and were left out.");
}

Lesson learn(const std::vector<std::string> &names, const Table &table, const Wishes &wishes) {
    Lesson lesson;
    lesson.schema.missing = wishes.missing;
    for (std::size_t column = 0; column < names.size(); ++column)
        learn_column(names[column], table, column, wishes, lesson);
    const std::size_t label = names.size();
    const Values values = find_values(table, label, wishes.labels);
    if (values.empty()) {
        lesson.complaints.push_back({0, label, "no row has a label"});
    } else if (wishes.labels == LabelKind::signs) {
        lesson.schema.labels = learn_signs(values, label, wishes, lesson);
    } else if (wishes.labels == LabelKind::classes) {
        lesson.schema.labels = learn_classes(values, wishes);
    } else {
        lesson.schema.labels = learn_numbered(table, label, values, lesson);
    }
    return lesson;
}

}  // namespace dpadapt::schema
