#include "arrow/stream.hpp"

#include <cerrno>
#include <limits>
#include <memory>

#include "base/error.hpp"
#include "base/platform/float_state.hpp"

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

}  // namespace dpadapt::arrow
