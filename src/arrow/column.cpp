#include "arrow/column.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "arrow/batch.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt::arrow {

namespace {

constexpr std::int64_t kMostBuffers = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMost = std::int64_t{1} << 40;  // of rows and offsets: 8 TB

[[noreturn]] void damaged(const std::string &name, const char *what) {
    throw Error(DPA_E_FORMAT, "the Arrow array " + in_quotes(name) + " is damaged: " + what);
}

std::int64_t buffers_of(const Type &type, const ArrowArray &array) {
    switch (type.kind) {
        case Kind::nothing:
            return 0;
        case Kind::list:
            return 1;
        case Kind::text:
        case Kind::long_text:
            return 3;
        case Kind::text_view:  // any number of buffers of texts, and one of their sizes
            return std::clamp<std::int64_t>(array.n_buffers, 3, kMostBuffers);
        default:
            return 2;
    }
}

}  // namespace

Range rows_of(const ArrowArray &array, std::int64_t buffers, std::int64_t children,
              const std::string &name) {
    if (array.release == nullptr) damaged(name, "it was released");
    if (array.length < 0 || array.offset < 0 || array.length > kMost || array.offset > kMost)
        damaged(name, "its length or its offset");
    if (array.n_buffers != buffers || (buffers > 0 && array.buffers == nullptr))
        damaged(name, "the number of its buffers");
    if (array.n_children != children || (children > 0 && array.children == nullptr))
        damaged(name, "the number of its children");
    for (std::int64_t k = 0; k < children; ++k)
        if (array.children[k] == nullptr) damaged(name, "a child is missing");
    return {static_cast<std::size_t>(array.offset), static_cast<std::size_t>(array.length)};
}

Column::Column(const Type &type, const ArrowArray &array, const Range &rows,
               const std::string &name)
    : kind_(type.kind), scale_(type.scale), width_(type.width), array_(array), rows_(rows) {
    const bool is_list = kind_ == Kind::list;
    const Range all = rows_of(array, buffers_of(type, array), is_list ? 1 : 0, name);
    if (rows.end() > all.count) damaged(name, "it is too short");
    rows_.begin += all.begin;
    if (type.levels != nullptr) {
        if (array.dictionary == nullptr) damaged(name, "it has no dictionary");
        const Range levels{
            0, static_cast<std::size_t>(std::max<std::int64_t>(0, array.dictionary->length))};
        inner_ = std::make_unique<const Column>(*type.levels, *array.dictionary, levels, name);
    }
    if (is_list) {
        if (rows_.end() > kMost / std::max<std::size_t>(width_, 1)) damaged(name, "its lists");
        inner_ =
            std::make_unique<const Column>(*type.elements, *array.children[0],
                                           Range{rows_.begin * width_, rows_.count * width_}, name);
    }
    if (kind_ == Kind::nothing || rows_.count == 0) return;
    valid_ = Validity(array, rows_);
    if (is_list) return;
    values_ = static_cast<const std::uint8_t *>(array.buffers[1]);
    if (values_ == nullptr) damaged(name, "a buffer is missing");
    if (kind_ == Kind::text_view && array.buffers[array.n_buffers - 1] == nullptr &&
        array.n_buffers > 3)
        damaged(name, "a buffer is missing");
}

void Column::read(std::size_t first, std::size_t count, double *out, std::size_t stride) const {
    if (kind_ == Kind::list)
        read_lists(first, count, out, stride);
    else
        read_numbers(first, count, out, stride);
    valid_.forget_missing(first, count, out, width_, stride);
}

void Column::read_lists(std::size_t first, std::size_t count, double *out,
                        std::size_t stride) const {
    if (stride == width_) return inner_->read(first * width_, count * width_, out, 1);
    for (std::size_t i = 0; i < count; ++i)
        inner_->read((first + i) * width_, width_, out + i * stride, 1);
}

void Column::read_numbers(std::size_t first, std::size_t count, double *out,
                          std::size_t stride) const {
    const auto as = [&]<typename T>(T /*type*/) {
        for (std::size_t i = 0; i < count; ++i)
            out[i * stride] = static_cast<double>(load<T>(values_, rows_.begin + first + i));
    };
    if (with_number(kind_, as)) return;
    if (read_decimals(first, count, out, stride)) return;
    for (std::size_t i = 0; i < count; ++i)
        out[i * stride] = kind_ == Kind::nothing                     ? kMissing
                          : is_set(values_, rows_.begin + first + i) ? 1.0
                                                                     : 0.0;
}

bool Column::read_four(const Column *columns, std::size_t first, std::size_t count, double *out,
                       std::size_t stride) {
    constexpr std::size_t kFour = 4;
    const Kind kind = columns->kind_;
    if (!std::all_of(columns, columns + kFour, [&](const Column &c) { return c.kind_ == kind; }))
        return false;
    const auto as = [&]<typename T>(T /*type*/) {
        std::array<const std::uint8_t *, kFour> from{};
        for (std::size_t k = 0; k < kFour; ++k)
            from[k] = columns[k].values_ + (columns[k].rows_.begin + first) * sizeof(T);
        for (std::size_t i = 0; i < count; ++i, out += stride) {
            // All are read before any is written, so that the writes go out together.
            const T a = load<T>(from[0], i);
            const T b = load<T>(from[1], i);
            const T c = load<T>(from[2], i);
            const T d = load<T>(from[3], i);
            out[0] = static_cast<double>(a);
            out[1] = static_cast<double>(b);
            out[2] = static_cast<double>(c);
            out[3] = static_cast<double>(d);
        }
    };
    double *const begin = out;
    if (!with_number(kind, as)) return false;
    for (std::size_t k = 0; k < kFour; ++k)
        columns[k].valid_.forget_missing(first, count, begin + k, 1, stride);
    return true;
}

const double *Column::lent() const {
    if (!valid_.none_missing()) return nullptr;
    if (kind_ == Kind::list) return inner_->lent();
    const std::uint8_t *from =
        values_ == nullptr ? nullptr : values_ + rows_.begin * sizeof(double);
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(from) % alignof(double) == 0;
    if (kind_ != Kind::double_precision || !is_aligned) return nullptr;
    return reinterpret_cast<const double *>(from);
}

}  // namespace dpadapt::arrow
