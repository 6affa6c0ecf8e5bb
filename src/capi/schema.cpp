#include "schema/schema.hpp"

#include <dpadapt/schema.h>

#include <limits>

#include "base/text.hpp"
#include "capi/guard.hpp"
#include "capi/matrix.hpp"
#include "engine/settings.hpp"
#include "solution/model_file.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

constexpr std::size_t kMostRows = std::numeric_limits<std::int32_t>::max();

schema::NamedTable &table_of(const dpa_table *table) { return *value_of(table, "table"); }

const schema::LabelledSchema &schema_of(const dpa_schema *handle) {
    return *value_of(handle, "schema");
}

/** The table, if a column of that name and length can be added. */
schema::NamedTable &open_table(dpa_table *table, const char *name, std::size_t rows) {
    schema::NamedTable &own = table_of(table);
    if (own.find(&required(name, "name")))
        throw Error(DPA_E_INVALID_ARGUMENT, "the table has a column " + in_quotes(name));
    check_size("rows", own.rows(), rows);
    return own;
}

schema::Cell cell_of(const char *text) {
    return text == nullptr ? schema::Cell() : schema::read_cell(text, {});
}

std::string text_of(const schema::Schema &schema, std::string_view name, std::size_t index) {
    if (name == "labels") return schema.labels.known();
    if (name == "feature") {
        const std::vector<std::string> names = schema.features();
        if (index < names.size()) return names[index];
        throw Error(DPA_E_INVALID_ARGUMENT, "index must be below " + std::to_string(names.size()) +
                                                ", but is " + std::to_string(index));
    }
    std::string text;
    if (name == "unused") {
        for (const auto &[column, reason] : schema.dropped)
            text += printable(column + ": " + reason, "\t") + '\n';
        return text;
    }
    if (name != "description")
        throw Error(DPA_E_OPTION_NAME, "a schema has no text " + in_quotes(name));
    for (const auto &[column, use] : schema::describe(schema))
        text += printable(column + ": " + use, "\t") + '\n';
    for (const std::string &note : schema.notes) text += printable(note, "\t") + '\n';
    return text;
}

}  // namespace

dpa_status dpa_table_create(size_t rows, dpa_table **out) {
    return guard("dpa_table_create", out, [&] {
        if (rows == 0) throw Error(DPA_E_EMPTY, "rows must be at least 1, but is 0");
        if (rows > kMostRows)
            throw Error(DPA_E_OVERFLOW, "rows must be below 2^31, but is " + std::to_string(rows));
        return std::make_unique<schema::NamedTable>(rows);
    });
}

dpa_status dpa_table_add_numbers(dpa_table *table, const char *name, const double *values,
                                 size_t rows) {
    return guard("dpa_table_add_numbers", [&] {
        schema::NamedTable &own = open_table(table, name, rows);
        required(values, "values");
        own.add(name, false, [&](std::size_t row) { return schema::Cell::of(values[row]); });
    });
}

dpa_status dpa_table_add_texts(dpa_table *table, const char *name, const char *const *values,
                               size_t rows) {
    return guard("dpa_table_add_texts", [&] {
        schema::NamedTable &own = open_table(table, name, rows);
        required(values, "values");
        own.add(name, false, [&](std::size_t row) { return cell_of(values[row]); });
    });
}

dpa_status dpa_table_add_levels(dpa_table *table, const char *name, const int32_t *codes,
                                size_t rows, const char *const *levels, size_t level_count) {
    return guard("dpa_table_add_levels", [&] {
        schema::NamedTable &own = open_table(table, name, rows);
        required(codes, "codes");
        required(levels, "levels");
        if (level_count > kMostRows)
            throw Error(DPA_E_OVERFLOW,
                        "level_count must be below 2^31, but is " + std::to_string(level_count));
        for (std::size_t k = 0; k < level_count; ++k) required(levels[k], "every level");
        own.add(name, true, [&](std::size_t row) {
            const std::int32_t code = codes[row];
            const bool is_one = code >= 0 && static_cast<std::size_t>(code) < level_count;
            return is_one ? cell_of(levels[code]) : schema::Cell();
        });
    });
}

dpa_status dpa_table_hint(dpa_table *table, const char *what, const char *value) {
    return guard("dpa_table_hint", [&] {
        schema::Hints &hints = table_of(table).hints;
        const std::string kind = &required(what, "what");
        const std::string text = &required(value, "value");
        constexpr std::pair<const char *, std::vector<std::string> schema::Hints::*> kLists[] = {
            {"ignore", &schema::Hints::ignored}, {"category", &schema::Hints::categories},
            {"text", &schema::Hints::texts},     {"boolean", &schema::Hints::booleans},
            {"class", &schema::Hints::classes},  {"missing", &schema::Hints::missing}};
        for (const auto &[word, list] : kLists)
            if (kind == word) return (hints.*list).push_back(text);
        if (kind == "compute") return hints.computed.push_back(schema::Computed::parse(text));
        if (kind != "positive")
            throw Error(DPA_E_INVALID_ARGUMENT,
                        "what must be ignore, category, text, boolean, missing, positive, class or "
                        "compute, but is " +
                            in_quotes(kind));
        hints.positive = text;
    });
}

dpa_status dpa_table_row_count(const dpa_table *table, size_t *count) {
    return guard("dpa_table_row_count", [&] { required(count, "count") = table_of(table).rows(); });
}

void dpa_table_destroy(dpa_table *table) { destroy(table); }

dpa_status dpa_schema_learn(const dpa_table *table, const char *label, const dpa_options *options,
                            dpa_schema **out) {
    return guard("dpa_schema_learn", out, [&] {
        const Caller caller(options);
        const schema::NamedTable &rows = table_of(table);
        pause_call();
        auto learnt = std::make_unique<schema::LabelledSchema>(schema::learn_named(
            rows, &required(label, "label"), engine::hints_of(caller.values())));
        learnt->loss = engine::loss_options(caller.values());
        return learnt;
    });
}

void dpa_schema_destroy(dpa_schema *schema) { destroy(schema); }

dpa_status dpa_schema_feature_count(const dpa_schema *schema, size_t *count) {
    return guard("dpa_schema_feature_count",
                 [&] { required(count, "count") = schema_of(schema).schema.features().size(); });
}

dpa_status dpa_schema_text(const dpa_schema *schema, const char *name, size_t index, char *out,
                           size_t out_len, size_t *needed) {
    return guard("dpa_schema_text", [&] {
        const schema::Schema &own = schema_of(schema).schema;
        fill_text(text_of(own, &required(name, "name"), index), out, out_len, needed);
    });
}

dpa_status dpa_schema_label_text(const dpa_schema *schema, double label, char *out, size_t out_len,
                                 size_t *needed) {
    return guard("dpa_schema_label_text", [&] {
        fill_text(schema_of(schema).schema.labels.decode(label), out, out_len, needed);
    });
}

dpa_status dpa_schema_set_loss(const dpa_schema *schema, dpa_options *options) {
    return guard("dpa_schema_set_loss",
                 [&] { engine::set_loss_for(schema_of(schema), value_of(options, "options")); });
}

dpa_status dpa_schema_apply(const dpa_schema *schema, const dpa_table *table, double *x,
                            size_t x_len, double *y, size_t y_len) {
    return guard("dpa_schema_apply", [&] {
        const schema::LabelledSchema &own = schema_of(schema);
        const schema::NamedTable &rows = table_of(table);
        check_size("x_len", rows.rows() * own.schema.features().size(), x_len);
        check_size("y_len", y == nullptr ? 0 : rows.rows(), y_len);
        required(x, "x");
        own.apply(rows, {x, x_len}, {y, y_len});
    });
}

dpa_status dpa_schema_serialize(const dpa_schema *schema, uint8_t *out, size_t out_len,
                                size_t *needed) {
    return guard("dpa_schema_serialize", [&] {
        const std::vector<std::uint8_t> bytes = schema_of(schema).write();
        fill_buffer(bytes.data(), bytes.size(), out, out_len, needed);
    });
}

dpa_status dpa_schema_deserialize(const uint8_t *data, size_t data_len, dpa_schema **out) {
    return guard("dpa_schema_deserialize", out, [&] {
        const std::span<const std::uint8_t> saved(&required(data, "data"), data_len);
        if (!is_model_file(saved)) {
            auto own =
                std::make_unique<schema::LabelledSchema>(schema::LabelledSchema::read(saved));
            (void)engine::options_of(*own);
            return own;
        }
        Model model = read_model(saved);
        model.schema.loss = engine::loss_options(model.solution.loss);
        return std::make_unique<schema::LabelledSchema>(std::move(model.schema));
    });
}

dpa_status dpa_schema_model(const dpa_schema *schema, const dpa_solution *solution, int32_t weights,
                            char *out, size_t out_len, size_t *needed) {
    return guard("dpa_schema_model", [&] {
        const Model model{schema_of(schema), saved_part(value_of(solution, "solution"), weights)};
        fill_text(write_model(model), out, out_len, needed);
    });
}
