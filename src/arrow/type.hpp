#pragma once

#include <dpadapt/arrow.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace dpadapt::arrow {

enum class Kind {
    nothing,
    boolean,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    half_precision,
    single_precision,
    double_precision,
    decimal32,
    decimal64,
    decimal128,
    text,
    long_text,
    text_view,
    list
};

/** What the values of a column are, as its schema says. */
struct Type {
    Kind kind = Kind::nothing;
    int scale = 0;                         ///< of a decimal: digits behind the point
    std::size_t width = 1;                 ///< elements of a fixed-size list, numbers of others
    std::shared_ptr<const Type> elements;  ///< of a list
    std::shared_ptr<const Type> levels;    ///< texts of a dictionary, whose codes have this kind

    [[nodiscard]] bool is_text() const { return kind >= Kind::text && kind <= Kind::text_view; }
    [[nodiscard]] bool is_number() const { return kind < Kind::text && levels == nullptr; }
};

/** The name of a column; empty where it has none. */
[[nodiscard]] std::string name_of(const ArrowSchema &column);

/** Throws Error(DPA_E_FORMAT) for a damaged schema, Error(DPA_E_UNSUPPORTED) for other types. */
[[nodiscard]] Type type_of(const ArrowSchema &column);

/** The columns of a schema of record batches; Error(DPA_E_FORMAT) for anything else. */
[[nodiscard]] std::span<const ArrowSchema *const> columns_of(const ArrowSchema &schema);

}  // namespace dpadapt::arrow
