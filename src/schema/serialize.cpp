#include <cmath>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "schema/labelled_schema.hpp"

namespace dpadapt::schema {
namespace {

constexpr bytes::Format kFormat{{'d', 'p', 'a', 's', 'c', 'h', 'e', '1'}, "a schema"};

Column read_column(bytes::Reader &read) {
    std::string name;
    double median = 0.0;
    Column::Levels levels;
    bytes::each(read, name, median, levels.kept, levels.rare, levels.indicator);
    if (!levels.kept.empty()) return Column::of_category(std::move(name), std::move(levels));
    if (!levels.rare.empty() || std::isinf(median)) read.damaged("a column of numbers is none");
    return Column::of_numbers(std::move(name), median, levels.indicator);
}

Labels read_labels(bytes::Reader &read) {
    LabelKind kind{};
    std::vector<std::string> names;
    bytes::each(read, kind, names);
    if (kind == LabelKind::numbers && names.empty()) return Labels::numbers();
    if (kind == LabelKind::classes && names.empty()) return Labels::numbered_classes();
    if (kind == LabelKind::classes || (kind == LabelKind::signs && names.size() == 2))
        return Labels::named(kind, std::move(names));
    read.damaged("its labels are none");
}

void read_computed(bytes::Reader &read, Schema &schema) {
    for (Column &column : schema.columns) {
        bool is_hidden = false;
        read(is_hidden);
        if (is_hidden) column.hide();
    }
    for (std::size_t left = read.length(); left > 0; --left) {
        std::string text;
        read(text);
        Computed feature;
        try {
            feature = Computed::parse(text);
            feature.bind(schema.columns);
        } catch (const Error &error) {
            read.damaged(error.what());
        }
        if (feature.text() != text) read.damaged("a computed feature is none");
        schema.computed.push_back(std::move(feature));
    }
}

}  // namespace

std::vector<std::uint8_t> LabelledSchema::write() const {
    bytes::Writer write(kFormat);
    bytes::each(write, label, scores, schema.columns.size());
    for (const Column &column : schema.columns)
        bytes::each(write, column.name(), column.median(), column.levels().kept,
                    column.levels().rare, column.has_indicator());
    bytes::each(write, schema.labels.kind(), schema.labels.names(), schema.dropped.size());
    for (const Dropped &column : schema.dropped) {
        bytes::each(write, column.name, column.reason);
    }
    bytes::each(write, schema.missing, schema.notes);
    const bool has_more = !schema.computed.empty() || !loss.empty();
    if (!event.empty() || has_more) write(event);
    if (has_more) {
        for (const Column &column : schema.columns) write(column.is_hidden());
        write(schema.computed.size());
        for (const Computed &feature : schema.computed) write(feature.text());
    }
    if (!loss.empty()) write(loss);
    return write.finish();
}

LabelledSchema LabelledSchema::read(std::span<const std::uint8_t> bytes) {
    bytes::Reader read(bytes, kFormat);
    LabelledSchema found;
    bytes::each(read, found.label, found.scores);
    for (std::size_t left = read.length(); left > 0; --left)
        found.schema.columns.push_back(read_column(read));
    found.schema.labels = read_labels(read);
    found.schema.dropped.resize(read.length());
    for (Dropped &column : found.schema.dropped) {
        bytes::each(read, column.name, column.reason);
    }
    bytes::each(read, found.schema.missing, found.schema.notes);
    if (!read.is_at_end()) {
        read(found.event);
        if (read.is_at_end() && found.event.empty())
            read.damaged("its column of events has no name");
    }
    if (!read.is_at_end()) {
        read_computed(read, found.schema);
        const bool has_loss = !read.is_at_end();
        if (has_loss) read(found.loss);
        if (found.loss.empty() && (has_loss || found.schema.computed.empty()))
            read.damaged("it has no computed feature");
    }
    read.expect_end();
    if (found.schema.columns.empty() || found.schema.features().empty())
        read.damaged("it has no column");
    found.check_texts();
    return found;
}

}  // namespace dpadapt::schema
