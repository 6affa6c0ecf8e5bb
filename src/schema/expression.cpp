#include "schema/expression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt::schema {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/** A polynomial of the distance from the begin of the piece; the first piece has no begin. */
double piecewise(const std::vector<double> &pieces, double x) {
    if (std::isnan(x)) return kNone;
    const std::size_t each = static_cast<std::size_t>(pieces.front()) + 2;
    std::size_t begin = 1;
    while (begin + each < pieces.size() && x >= pieces[begin + each]) begin += each;
    double value = 0.0;
    for (std::size_t k = each - 1; k > 0; --k)
        value = value * (x - pieces[begin]) + pieces[begin + k];
    return value;
}

}  // namespace

bool Expression::reads(const std::string &column) const {
    return std::ranges::find(names_, column) != names_.end();
}

void Expression::bind(std::span<const Column> columns) {
    const auto complain = [&](const std::string &what) {
        throw Error(DPA_E_INVALID_ARGUMENT, in_quotes(text_) + ": " + what);
    };
    for (Step &step : steps_) {
        const bool is_level = step.kind == Step::Kind::is_level;
        if (step.kind != Step::Kind::column && !is_level) continue;
        const std::string &name = names_[step.place];
        const auto found = std::ranges::find(columns, name, &Column::name);
        if (found == columns.end()) complain("no column is called " + in_quotes(name));
        step.place = static_cast<std::size_t>(found - columns.begin());
        if (is_level != found->is_category())
            complain("column " + in_quotes(name) +
                     (is_level ? " is of numbers, not of texts"
                               : " is a category, which is compared as in " + name + " == \"" +
                                     found->levels().kept.front() + '"'));
        if (!is_level) continue;
        step.level_place = found->read(read_cell(step.level, {})).level;
        if (step.level_place == kNoLevel)
            complain("column " + in_quotes(name) + " has no level " + in_quotes(step.level));
    }
}

double Expression::evaluate(std::span<const CellValue> cells) const {
    std::array<double, kMostOperands + 1> stack{};
    std::size_t top = 0;  // where the last operand stands
    for (const Step &step : steps_) {
        switch (step.kind) {
            case Step::Kind::constant:
                stack[++top] = step.number;
                break;
            case Step::Kind::column:
                stack[++top] = cells[step.place].number;
                break;
            case Step::Kind::is_level:
                stack[++top] = cells[step.place].level == step.level_place ? 1.0 : 0.0;
                break;
            case Step::Kind::of_one:
                stack[top] = step.of_one(stack[top]);
                break;
            case Step::Kind::of_two:
                --top;
                stack[top] = step.of_two(stack[top], stack[top + 1]);
                break;
            case Step::Kind::choose:
                top -= 2;
                if (!std::isnan(stack[top])) stack[top] = stack[top + (stack[top] != 0.0 ? 1 : 2)];
                break;
            case Step::Kind::pieces:
                stack[top] = piecewise(step.pieces, stack[top]);
        }
    }
    return std::isfinite(stack[top]) ? stack[top] : kNone;
}

std::string Computed::text() const {
    if (name == expression.text()) return name;
    std::string quoted = "`";
    for (const char c : name) quoted += c == '`' ? "``" : std::string(1, c);
    return quoted + "` = " + expression.text();
}

void Computed::bind(std::span<const Column> columns) {
    expression.bind(columns);
    std::vector<CellValue> missing;
    for (const Column &column : columns) missing.push_back(column.read({}));
    otherwise = expression.evaluate(missing);
}

Fit Computed::encode(std::span<const CellValue> cells, double *feature) const {
    const double value = expression.evaluate(cells);
    *feature = std::isnan(value) ? otherwise : value;
    return std::isnan(value) ? Fit::no_number : Fit::proper;
}

}  // namespace dpadapt::schema
