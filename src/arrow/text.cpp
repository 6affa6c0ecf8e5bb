#include <algorithm>

#include "arrow/column.hpp"
#include "arrow/load.hpp"

namespace dpadapt::arrow {
namespace {

std::string_view text_of(const std::uint8_t *letters, std::size_t size) {
    return {reinterpret_cast<const char *>(letters), size};
}

}  // namespace

/** Offsets that do not grow, or end behind the last one, are no text. */
template <typename Offset>
std::optional<std::string_view> Column::text_at(std::size_t row) const {
    const std::size_t place = rows_.begin + row;
    const auto begin = load<Offset>(values_, place);
    const auto end = load<Offset>(values_, place + 1);
    const auto last =
        load<Offset>(values_, static_cast<std::size_t>(array_.offset + array_.length));
    if (begin < 0 || end < begin || end > last) return {};
    if (begin == end) return std::string_view();
    const auto *letters = static_cast<const std::uint8_t *>(array_.buffers[2]);
    if (letters == nullptr) return {};
    return text_of(letters + begin, static_cast<std::size_t>(end - begin));
}

/** Short texts are in the view; of others it tells the buffer and the place, whose sizes are
 *  known. */
std::optional<std::string_view> Column::viewed_text(std::size_t row) const {
    constexpr std::size_t kWords = 4;  // of 32 bits: size, start of the text, buffer, place
    constexpr std::int32_t kShort = 12;
    const std::size_t view = (rows_.begin + row) * kWords;
    const auto size = load<std::int32_t>(values_, view);
    if (size < 0) return {};
    if (size <= kShort)
        return text_of(values_ + (view + 1) * sizeof(std::int32_t), static_cast<std::size_t>(size));
    const auto buffer = load<std::int32_t>(values_, view + 2);
    const auto place = load<std::int32_t>(values_, view + 3);
    if (buffer < 0 || place < 0 || buffer >= array_.n_buffers - 3) return {};
    const auto *letters = static_cast<const std::uint8_t *>(array_.buffers[2 + buffer]);
    const auto *sizes = static_cast<const std::uint8_t *>(array_.buffers[array_.n_buffers - 1]);
    const auto room = load<std::int64_t>(sizes, static_cast<std::size_t>(buffer));
    if (letters == nullptr || std::int64_t{place} + size > room) return {};
    return text_of(letters + place, static_cast<std::size_t>(size));
}

/** Of a level; nothing for a negative one. */
std::optional<std::size_t> Column::code(std::size_t row) const {
    std::optional<std::size_t> code;
    with_integer(kind_, [&]<typename T>(T /*type*/) {
        const T value = load<T>(values_, rows_.begin + row);
        if (value >= T{0}) code = static_cast<std::size_t>(value);
    });
    return code;
}

std::optional<std::string_view> Column::text(std::size_t row) const {
    if (valid_.is_missing(row)) return {};
    if (inner_ != nullptr) {
        const std::optional<std::size_t> level = code(row);
        if (!level || *level >= inner_->rows_.count) return {};
        return inner_->text(*level);
    }
    switch (kind_) {
        case Kind::text:
            return text_at<std::int32_t>(row);
        case Kind::long_text:
            return text_at<std::int64_t>(row);
        default:
            return viewed_text(row);
    }
}

}  // namespace dpadapt::arrow
