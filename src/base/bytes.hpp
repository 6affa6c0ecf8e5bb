#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace dpadapt::bytes {

/** A number under its name. */
struct NamedNumber {
    std::string name;
    double value = 0.0;
};

/** What bytes begin with, and what they are called in messages. */
struct Format {
    std::array<char, 8> magic;
    const char *name;
};

template <typename T>
concept Whole = std::integral<T> || std::is_enum_v<T>;

/** Each of the fields in turn. */
template <typename Field, typename... Members>
void each(Field &field, Members &&...members) {
    (field(members), ...);
}

/** Writes values one after another, numbers in 8 bytes, little-endian, lists after their length; a
 *  checksum ends them. */
class Writer {
  public:
    explicit Writer(const Format &format);

    template <Whole T>
    void operator()(T value) {
        number(static_cast<std::uint64_t>(value));
    }
    void operator()(double value) { number(std::bit_cast<std::uint64_t>(value)); }
    void operator()(const std::string &text);
    void operator()(const NamedNumber &number) {
        (*this)(number.name);
        (*this)(number.value);
    }
    template <typename T>
    void operator()(const std::vector<T> &values) {
        number(values.size());
        for (const T &value : values) (*this)(value);
    }

    [[nodiscard]] std::vector<std::uint8_t> finish();

  private:
    void number(std::uint64_t value);

    std::vector<std::uint8_t> bytes_;
};

/** Reads what a Writer of the same format wrote; anything else is damaged(). It takes no more
 *  memory than the bytes account for. */
class Reader {
  public:
    /** Borrows both. */
    Reader(std::span<const std::uint8_t> bytes, const Format &format);

    template <Whole T>
    void operator()(T &value) {
        const std::uint64_t wide = number();
        if (wide > largest<T>()) damaged("one of its numbers is too large");
        value = static_cast<T>(wide);
    }
    void operator()(double &value) { value = std::bit_cast<double>(number()); }
    void operator()(std::string &text);
    void operator()(NamedNumber &number) {
        (*this)(number.name);
        (*this)(number.value);
    }
    template <typename T>
    void operator()(std::vector<T> &values) {
        values.resize(length());
        for (T &value : values) (*this)(value);
    }

    /** The length of a list of items of at least that size, which all fit into the bytes that are
     *  left. */
    std::size_t length(std::size_t item = sizeof(std::uint64_t));

    [[nodiscard]] bool is_at_end() const { return position_ == bytes_.size(); }
    void expect_end() const;

    /** Throws Error(DPA_E_FORMAT) saying what is wrong with the bytes. */
    [[noreturn]] void damaged(const std::string &what) const;

  private:
    template <typename T>
    static constexpr std::uint64_t largest() {
        if constexpr (std::is_enum_v<T>) {
            return largest<std::underlying_type_t<T>>();
        } else {
            return static_cast<std::uint64_t>(std::numeric_limits<T>::max());
        }
    }

    std::uint64_t number();

    const Format &format_;
    std::span<const std::uint8_t> bytes_;
    std::size_t position_;
};

/** The last 8 bytes of what a Writer wrote: a name for its contents. */
[[nodiscard]] std::uint64_t checksum_of(std::span<const std::uint8_t> written);

}  // namespace dpadapt::bytes

namespace dpadapt {

/** 128-bit integers, for sums of squares and products that must be exact. */
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/** Whether so many integers up to that size have a sum of at most 2^62, which leaves room for
 *  noise. */
constexpr bool sum_fits(std::uint64_t count, std::int64_t most) {
    return Uint128{count} * static_cast<Uint128>(most) <= Uint128{1} << 62;
}

/** Smallest n with n * n >= value, for value <= 2^126. */
[[nodiscard]] std::uint64_t ceil_sqrt(Uint128 value);

/** Largest n with n * n <= value, for value <= 2^126. */
[[nodiscard]] std::uint64_t floor_sqrt(Uint128 value);

}  // namespace dpadapt
