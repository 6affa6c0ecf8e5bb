#include "schema/labelled_schema.hpp"

#include <algorithm>
#include <utility>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "schema/cell.hpp"

namespace dpadapt::schema {
namespace {

/** The first cell that a column cannot use.
 *  @param numbers  of the rows, as the caller counts them */
void refuse(const std::vector<InvalidCell> &invalid, const std::vector<std::string> &names,
            const std::string &label, const Table &table, const std::vector<std::size_t> &numbers) {
    if (invalid.empty()) return;
    const auto &[row, column, reason, is_computed] =
        *std::ranges::min_element(invalid, {}, &InvalidCell::row);
    const bool is_label = column == names.size();
    const std::string why = !reason.empty()
                                ? reason
                                : in_quotes(table.cell(row, column).text) + " is no number" +
                                      (is_label ? "; loss = logistic or softmax take classes" : "");
    throw Error(is_label ? DPA_E_LABEL : DPA_E_NONFINITE,
                "row " + std::to_string(numbers[row]) + ", column " +
                    in_quotes(is_label ? label : names[column]) + ": " + why);
}

}  // namespace

std::size_t place_of(const NamedTable &table, const std::string &name) {
    if (const auto place = table.find(name)) return *place;
    throw Error(DPA_E_INVALID_ARGUMENT, "no column of the table is called " + in_quotes(name));
}

void LabelledSchema::apply(const NamedTable &table, std::span<double> x,
                           std::span<double> y) const {
    if (!scores.empty())
        throw Error(DPA_E_UNSUPPORTED,
                    "the model corrects scores that column " + in_quotes(scores) + " holds");
    std::vector<std::size_t> places;
    for (const Column &column : schema.columns) places.push_back(place_of(table, column.name()));
    check_booleans(table, !y.empty());
    const auto found = y.empty() ? std::size_t{0} : table.find(label);
    if (!found)
        throw Error(DPA_E_INVALID_ARGUMENT,
                    "no column of the table is called " + in_quotes(label) +
                        ", the label: rows without labels need it, with missing cells alone");
    const std::size_t label_place = *found;
    const std::size_t width = x.size() / table.rows();
    std::vector<Cell> cells(places.size());
    std::vector<Fit> fits(schema.uses());
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto cell_at = [&](std::size_t place) {
            const Cell cell = table.cell(row, place);
            return is_missing_word(cell, schema.missing) ? Cell() : cell;
        };
        for (std::size_t k = 0; k < places.size(); ++k) cells[k] = cell_at(places[k]);
        schema.encode(cells, x.subspan(row * width, width), fits);
        if (!y.empty()) y[row] = schema.labels.encode(cell_at(label_place));
    }
}

void LabelledSchema::check_booleans(const NamedTable &table, bool of_label) const {
    const auto check = [&](const std::string &name, bool takes, const std::string &known) {
        const std::vector<std::string> &names = table.hints.booleans;
        if (takes || std::find(names.begin(), names.end(), name) == names.end()) return;
        throw Error(DPA_E_INVALID_ARGUMENT, "column " + in_quotes(name) +
                                                " is of booleans, none of which can be " + known +
                                                ": give the texts that the public rows have");
    };
    for (const Column &column : schema.columns)
        if (column.is_category())
            check(column.name(), column.takes_booleans(),
                  "a level such as " + in_quotes(column.levels().kept.front()));
    if (of_label) check(label, schema.labels.take_booleans(), schema.labels.known());
}

void LabelledSchema::check_texts() const {
    const auto check = [](const std::vector<std::string> &texts, const std::string &what) {
        if (!std::all_of(texts.begin(), texts.end(), is_utf8))
            throw Error(DPA_E_FORMAT, what + " must be UTF-8, but is other bytes");
    };
    check(schema.names(), "each column's name");
    for (const Computed &feature : schema.computed)
        check({feature.text()}, "each computed feature");
    for (const Column &column : schema.columns) {
        check(column.levels().kept, "each level of column " + in_quotes(column.name()));
        check(column.levels().rare, "each level of column " + in_quotes(column.name()));
    }
    check({label}, "the name of the column of labels");
    check({scores}, "the name of the column of scores");
    check({event}, "the name of the column of events");
    check(schema.labels.names(), "each label of column " + in_quotes(label));
    check(schema.missing, "each word for a missing value");
    check(schema.notes, "each note");
    for (const Dropped &column : schema.dropped)
        check({column.name, column.reason}, "each column's name");
}

LabelledSchema learn_named(const NamedTable &table, const std::string &label, const Hints &asked) {
    const std::size_t label_place = place_of(table, label);
    Hints hints = table.hints;
    hints.labels = asked.labels;
    hints.knows_classes = asked.knows_classes;
    for (const auto *named : {&hints.ignored, &hints.categories, &hints.texts})
        for (const std::string &name : *named) {
            if (place_of(table, name) == label_place)
                throw Error(DPA_E_INVALID_ARGUMENT, "column " + in_quotes(name) + " is the label");
        }
    if (hints.computes_from(label))
        throw Error(DPA_E_INVALID_ARGUMENT,
                    "a feature is computed from the label, " + in_quotes(label));
    std::vector<std::string> names;
    std::vector<std::size_t> places;
    for (std::size_t column = 0; column < table.columns(); ++column) {
        const bool is_needed =
            !hints.ignores(table.name(column)) || hints.computes_from(table.name(column));
        if (column == label_place || !is_needed) continue;
        names.push_back(table.name(column));
        places.push_back(column);
        if (table.is_category(column)) hints.categories.push_back(table.name(column));
    }
    places.push_back(label_place);
    Table rows(places.size());
    std::vector<Cell> cells(places.size());
    std::vector<std::size_t> numbers;
    constexpr std::size_t kCopy = 100;  // work for a cell
    for (std::size_t row = 0; row < table.rows(); ++row) {
        count_work(1, places.size() * kCopy);
        for (std::size_t k = 0; k < places.size(); ++k) {
            cells[k] = table.cell(row, places[k]);
            if (is_missing_word(cells[k], hints.missing)) cells[k] = {};
        }
        if (cells.back().kind == Cell::Kind::missing) continue;
        rows.add(cells);
        numbers.push_back(row);
    }
    if (numbers.empty()) throw Error(DPA_E_EMPTY, "no row of the table has a label");
    LearntSchema found = learn(names, rows, hints);
    refuse(found.invalid, names, label, rows, numbers);
    for (const Dropped &column : found.unusable)
        throw Error(DPA_E_INVALID_ARGUMENT,
                    "column " + in_quotes(column.name) + " is no category: " + column.reason);
    if (found.schema.features().empty())
        throw Error(DPA_E_EMPTY, "no column of the table is left as a feature");
    const std::string note = left_out(table.rows() - numbers.size());
    if (!note.empty()) found.schema.notes.push_back(note);
    LabelledSchema learnt{std::move(found.schema), label};
    learnt.check_texts();
    return learnt;
}

}  // namespace dpadapt::schema
