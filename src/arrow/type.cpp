#include "arrow/type.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

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

}  // namespace dpadapt::arrow
