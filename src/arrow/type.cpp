// Numbers that the machine has not: decimals and halves, each as the nearest double.
#include "arrow/type.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "arrow/batch.hpp"
#include "arrow/column.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt::arrow {

namespace {

constexpr std::string_view kList = "+w:";
constexpr std::size_t kMostColumns = std::numeric_limits<std::int32_t>::max();

constexpr std::array<std::pair<std::string_view, Kind>, 16> kFormats{{{"n", Kind::nothing},
                                                                      {"b", Kind::boolean},
                                                                      {"c", Kind::int8},
                                                                      {"C", Kind::uint8},
                                                                      {"s", Kind::int16},
                                                                      {"S", Kind::uint16},
                                                                      {"i", Kind::int32},
                                                                      {"I", Kind::uint32},
                                                                      {"l", Kind::int64},
                                                                      {"L", Kind::uint64},
                                                                      {"e", Kind::half_precision},
                                                                      {"f", Kind::single_precision},
                                                                      {"g", Kind::double_precision},
                                                                      {"u", Kind::text},
                                                                      {"U", Kind::long_text},
                                                                      {"vu", Kind::text_view}}};

[[noreturn]] void damaged(const ArrowSchema &column, const char *what) {
    throw Error(DPA_E_FORMAT, "the Arrow schema of column " + in_quotes(name_of(column)) +
                                  " is damaged: " + what);
}

[[noreturn]] void unsupported(const ArrowSchema &column, const std::string &what) {
    throw Error(DPA_E_UNSUPPORTED, "column " + in_quotes(name_of(column)) +
                                       " has the Arrow format " + in_quotes(column.format) + what);
}

std::optional<std::size_t> list_width(std::string_view format) {
    std::int32_t width = 0;
    const char *end = format.data() + format.size();
    const auto result = std::from_chars(format.data() + kList.size(), end, width);
    if (result.ec != std::errc{} || result.ptr != end || width < 0) return {};
    return static_cast<std::size_t>(width);
}

/** What the formats that begin so are, and how they become numbers. */
struct Unread {
    std::string_view begin;
    const char *what;
};
constexpr const char *kMakeNumbers = "; make it a number, such as days since 1970-01-01";
constexpr std::array<Unread, 13> kUnread{{{"td", "a date"},
                                          {"tt", "a time of day"},
                                          {"ts", "a timestamp"},
                                          {"tD", "a duration"},
                                          {"ti", "an interval"},
                                          {"d:", "a decimal of more than 128 bits"},
                                          {"z", "bytes"},
                                          {"Z", "bytes"},
                                          {"vz", "bytes"},
                                          {"w:", "bytes"},
                                          {"+s", "a struct"},
                                          {"+m", "a map"},
                                          {"+", "nested"}}};

[[noreturn]] void refuse_format(const ArrowSchema &column) {
    const std::string_view format = column.format;
    for (const auto &[begin, what] : kUnread)
        if (format.starts_with(begin))
            unsupported(column, ", " + std::string(what) + ", which is not read" +
                                    (begin.starts_with('t') ? kMakeNumbers : ""));
    unsupported(column, ", which is not read");
}

/** "d:precision,scale" with its bits behind, unless these are 128; nothing for other widths. */
std::optional<Type> decimal_type(const ArrowSchema &column) {
    const std::string_view format = column.format;
    std::array<int, 3> numbers{0, 0, 128};
    std::size_t count = 0;
    const char *at = format.data() + std::string_view("d:").size();
    const char *const end = format.data() + format.size();
    for (; count < numbers.size(); ++at) {
        const auto result = std::from_chars(at, end, numbers[count]);
        if (result.ec != std::errc{}) break;
        ++count;
        at = result.ptr;
        if (at == end || *at != ',') break;
    }
    constexpr int kMostScale = 1000;
    if (count < 2 || at != end || numbers[1] > kMostScale || numbers[1] < -kMostScale)
        damaged(column, "the digits of its decimals are no numbers");
    const Kind kind = numbers[2] == 32   ? Kind::decimal32
                      : numbers[2] == 64 ? Kind::decimal64
                                         : Kind::decimal128;
    if (kind == Kind::decimal128 && numbers[2] != 128) return {};
    return Type{kind, numbers[1], 1, {}, {}};
}

/** Without its dictionary. */
Type plain_type(const ArrowSchema &column) {
    if (column.format == nullptr) damaged(column, "it has no format");
    const std::string_view format = column.format;
    const bool is_list = format.starts_with(kList);
    for (const auto &[text, kind] : kFormats) {
        if (format != text) continue;
        if (column.n_children != 0) damaged(column, "it has children");
        return {kind, 0, 1, {}, {}};
    }
    if (format.starts_with("d:")) {
        if (column.n_children != 0) damaged(column, "it has children");
        if (std::optional<Type> type = decimal_type(column)) return *std::move(type);
    }
    if (!is_list) refuse_format(column);
    const std::optional<std::size_t> width = list_width(format);
    if (!width) damaged(column, "the size of its lists is no number");
    if (column.n_children != 1 || column.children == nullptr || column.children[0] == nullptr)
        damaged(column, "its lists have no elements");
    const ArrowSchema &elements = *column.children[0];
    if (elements.release == nullptr) damaged(column, "its elements were released");
    if (elements.dictionary != nullptr ||
        (elements.format != nullptr && std::string_view(elements.format).starts_with("+")))
        unsupported(column, " of nested elements, which is not read");
    Type inner = plain_type(elements);
    if (!inner.is_number()) unsupported(column, " of elements that are no numbers");
    return {Kind::list, 0, *width, std::make_shared<const Type>(std::move(inner)), {}};
}

std::string_view text_of(const std::uint8_t *letters, std::size_t size) {
    return {reinterpret_cast<const char *>(letters), size};
}

}  // namespace

std::string name_of(const ArrowSchema &column) {
    return column.name == nullptr ? std::string() : column.name;
}

Type type_of(const ArrowSchema &column) {
    Type type = plain_type(column);
    if (column.dictionary == nullptr) return type;
    if (type.kind < Kind::int8 || type.kind > Kind::uint64)
        damaged(column, "codes of a dictionary are integers");
    if (column.dictionary->release == nullptr) damaged(column, "its dictionary was released");
    if (column.dictionary->dictionary != nullptr)
        unsupported(column, " of a dictionary within a dictionary");
    Type levels = plain_type(*column.dictionary);
    if (!levels.is_text()) unsupported(column, " of a dictionary that has no texts");
    type.levels = std::make_shared<const Type>(std::move(levels));
    return type;
}

std::span<const ArrowSchema *const> columns_of(const ArrowSchema &schema) {
    if (schema.release == nullptr) throw Error(DPA_E_FORMAT, "the Arrow schema was released");
    if (schema.format == nullptr || std::string_view(schema.format) != "+s")
        throw Error(DPA_E_FORMAT, "an Arrow schema of record batches has the format \"+s\"");
    const std::int64_t count = schema.n_children;
    if (count < 0 || static_cast<std::uint64_t>(count) > kMostColumns ||
        (count > 0 && schema.children == nullptr))
        throw Error(DPA_E_FORMAT, "the Arrow schema is damaged: it lacks its columns");
    const std::span<const ArrowSchema *const> columns(schema.children,
                                                      static_cast<std::size_t>(count));
    for (const ArrowSchema *column : columns)
        if (column == nullptr || column->release == nullptr)
            throw Error(DPA_E_FORMAT, "the Arrow schema is damaged: it lacks a column");
    return columns;
}

namespace {

constexpr std::array<double, 23> kTens{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/** value * 10^-scale, rounded once. */
double decimal(Int128 value, int scale) {
    constexpr Int128 kExact = Int128{1} << 53U;
    if (value >= -kExact && value <= kExact && scale >= 0 && scale < int{kTens.size()})
        return static_cast<double>(value) / kTens[static_cast<std::size_t>(scale)];
    std::array<char, 64> text{};  // 39 digits, the sign, and the exponent
    char *const exponent = text.data() + 44;
    *exponent = 'e';
    const char *const end = std::to_chars(exponent + 1, text.data() + text.size(), -scale).ptr;
    char *at = exponent;
    auto rest = static_cast<Uint128>(value);
    if (value < 0) rest = -rest;
    do *--at = static_cast<char>('0' + static_cast<int>(rest % 10));
    while ((rest /= 10) > 0);
    if (value < 0) *--at = '-';
    return parse_number(std::string_view(at, static_cast<std::size_t>(end - at)))
        .value_or(std::numeric_limits<double>::quiet_NaN());
}

/** A number of 16 bits: sign, 5 of the exponent, 10 of the fraction. */
double half(std::uint16_t bits) {
    constexpr unsigned kInfinite = 31;
    const unsigned exponent = (bits >> 10U) & kInfinite;
    const unsigned fraction = bits & 0x3FFU;
    double number = 0.0;
    if (exponent == kInfinite)
        number = fraction == 0 ? std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::quiet_NaN();
    else if (exponent == 0)
        number = std::ldexp(fraction, -24);
    else
        number = std::ldexp(fraction + 0x400U, static_cast<int>(exponent) - 25);
    return (bits & 0x8000U) != 0 ? -number : number;
}

}  // namespace

bool Column::read_decimals(std::size_t first, std::size_t count, double *out,
                           std::size_t stride) const {
    const auto each = [&](const auto &number) {
        for (std::size_t i = 0; i < count; ++i) out[i * stride] = number(rows_.begin + first + i);
        return true;
    };
    switch (kind_) {
        case Kind::half_precision:
            return each([&](std::size_t at) { return half(load<std::uint16_t>(values_, at)); });
        case Kind::decimal32:
            return each(
                [&](std::size_t at) { return decimal(load<std::int32_t>(values_, at), scale_); });
        case Kind::decimal64:
            return each(
                [&](std::size_t at) { return decimal(load<std::int64_t>(values_, at), scale_); });
        case Kind::decimal128:
            return each([&](std::size_t at) { return decimal(load<Int128>(values_, at), scale_); });
        default:
            return false;
    }
}

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

/** A short text is stored in its view; the view of another has buffer number and offset, which are
 *  checked against the buffers' sizes. */
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
