#include "arrow/stream.hpp"

#include <cerrno>
#include <limits>
#include <memory>

#include "base/error.hpp"
#include "base/platform/float_state.hpp"
#include "base/text.hpp"

namespace dpadapt::arrow {

namespace {

constexpr std::int64_t kMostRows = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostEmpty = std::size_t{1} << 20U;  // a stream of these alone would not end

/** What the other side filled, unless it failed: then nothing is there. */
template <typename Structure>
Owned<Structure> got(ArrowArrayStream &stream, int (*get)(ArrowArrayStream *, Structure *)) {
    Structure filled{};
    if (call_host(get, &stream, &filled) == 0) return Owned<Structure>(filled);
    throw Error(DPA_E_CALLBACK, "the Arrow stream failed; its get_last_error may tell why");
}

/** Behind a stream of one batch. */
struct OneBatch {
    ArrowSchema schema;
    ArrowArray batch;

    ~OneBatch() {
        if (schema.release != nullptr) call_host(schema.release, &schema);
        if (batch.release != nullptr) call_host(batch.release, &batch);
    }
};

OneBatch &behind(ArrowArrayStream *stream) {
    return *static_cast<OneBatch *>(stream->private_data);
}

}  // namespace

Owned<ArrowSchema> schema_of(ArrowArrayStream &stream) {
    if (stream.release == nullptr) throw Error(DPA_E_FORMAT, "the Arrow stream was released");
    if (stream.get_schema == nullptr || stream.get_next == nullptr)
        throw Error(DPA_E_FORMAT, "the Arrow stream is damaged: it lacks a function");
    return got(stream, stream.get_schema);
}

std::vector<Owned<ArrowArray>> batches_of(ArrowArrayStream &stream) {
    std::vector<Owned<ArrowArray>> batches;
    std::int64_t rows = 0;
    std::size_t empty = 0;
    while (true) {
        Owned<ArrowArray> batch = got(stream, stream.get_next);
        if (batch->release == nullptr) return batches;
        if (batch->length < 0) throw Error(DPA_E_FORMAT, "the Arrow array is damaged: its length");
        if (batch->length > kMostRows - rows)
            throw Error(DPA_E_OVERFLOW, "an Arrow stream may have 2^31 - 1 rows at most");
        rows += batch->length;
        if (batch->length == 0 && ++empty > kMostEmpty)
            throw Error(DPA_E_FORMAT,
                        "the Arrow stream is damaged: more than 2^20 batches have no rows");
        batches.push_back(std::move(batch));
    }
}

void make_stream(ArrowSchema &schema, ArrowArray &batch, ArrowArrayStream &out) {
    auto own = std::make_unique<OneBatch>();
    own->schema = schema;
    schema.release = nullptr;
    own->batch = batch;
    batch.release = nullptr;
    out.get_schema = [](ArrowArrayStream *stream, ArrowSchema *to) {
        *to = std::exchange(behind(stream).schema, {});
        return to->release == nullptr ? EINVAL : 0;
    };
    out.get_next = [](ArrowArrayStream *stream, ArrowArray *to) {
        *to = std::exchange(behind(stream).batch, {});
        return 0;
    };
    out.get_last_error = [](ArrowArrayStream * /*stream*/) -> const char * {
        return "the schema can be asked for once";
    };
    out.release = [](ArrowArrayStream *stream) {
        delete &behind(stream);
        stream->release = nullptr;
    };
    out.private_data = own.release();
}

namespace {

/** A column of all batches, whose rows are asked for one after the other. */
class Cells {
  public:
    Cells(const Received &received, const std::vector<Range> &ranges, std::size_t place,
          const Type &type, const std::string &name)
        : type_(type) {
        for (std::size_t k = 0; k < ranges.size(); ++k) {
            const auto &batch = received.batches[k];
            const Range rows = ranges[k];
            if (rows.count == 0) continue;
            parts_.push_back({Column(type_, *batch->children[place], rows, name), rows.count,
                              Validity(*batch, rows)});
        }
    }

    schema::Cell operator()(std::size_t row) {
        while (row - before_ >= parts_[part_].rows) before_ += parts_[part_++].rows;
        const Part &part = parts_[part_];
        if (part.valid.is_missing(row - before_)) return {};
        if (type_.is_number()) {
            double value = 0.0;
            part.column.read(row - before_, 1, &value, 1);
            return schema::Cell::of(value);
        }
        const std::optional<std::string_view> text = part.column.text(row - before_);
        return text ? schema::read_cell(text->substr(0, text->find('\0')), {}) : schema::Cell();
    }

  private:
    struct Part {
        Column column;
        std::size_t rows;
        Validity valid;
    };

    const Type &type_;
    std::vector<Part> parts_;
    std::size_t part_ = 0;
    std::size_t before_ = 0;  ///< rows of the parts before this one
};

}  // namespace

schema::NamedTable table_of(ArrowArrayStream &stream) {
    Received received{schema_of(stream)};
    const std::span<const ArrowSchema *const> columns = columns_of(*received.schema);
    std::vector<Type> types;
    for (const ArrowSchema *column : columns) {
        types.push_back(type_of(*column));
        if (types.back().kind == Kind::list)
            throw Error(DPA_E_UNSUPPORTED, "column " + in_quotes(name_of(*column)) + " is a list");
    }
    received.batches = batches_of(stream);
    std::vector<Range> ranges;
    std::size_t rows = 0;
    for (const auto &batch : received.batches) {
        ranges.push_back(
            rows_of(*batch, 1, static_cast<std::int64_t>(columns.size()), "of a batch"));
        rows += ranges.back().count;
    }
    schema::NamedTable table(rows);
    for (std::size_t place = 0; place < columns.size(); ++place) {
        const std::string name = name_of(*columns[place]);
        if (table.find(name))
            throw Error(DPA_E_INVALID_ARGUMENT, "there are several columns " + in_quotes(name));
        Cells cells(received, ranges, place, types[place], name);
        if (types[place].levels != nullptr) table.hints.texts.push_back(name);
        if (types[place].kind == Kind::boolean) table.hints.booleans.push_back(name);
        table.add(name, false, [&](std::size_t row) { return cells(row); });
    }
    return table;
}

}  // namespace dpadapt::arrow
