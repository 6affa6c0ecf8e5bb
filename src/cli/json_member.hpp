#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/int128.hpp"
#include "cli/report.hpp"

namespace dpadapt::cli {

/** A value in a report and its place there. Every function throws Contradiction, which names the
 *  place, unless the value is of that kind. The report must outlive it. */
class JsonMember {
  public:
    explicit JsonMember(const Json &value, std::string place = {})
        : value_(&value), place_(std::move(place)) {}

    [[nodiscard]] JsonMember at(const char *name) const;
    [[nodiscard]] std::vector<JsonMember> items() const;  ///< of a list
    [[nodiscard]] bool has(const char *name) const { return value_->contains(name); }
    [[nodiscard]] bool is_null() const { return value_->is_null(); }

    [[nodiscard]] std::uint64_t whole() const;
    [[nodiscard]] int small() const;  ///< a whole number of at most 40
    [[nodiscard]] double number() const;
    [[nodiscard]] double number_or_nan() const;  ///< NaN for null
    [[nodiscard]] Uint128 units() const;         ///< a text of decimal digits
    [[nodiscard]] bool truth() const;
    [[nodiscard]] const std::string &text() const;
    [[nodiscard]] const Json &value() const { return *value_; }

    /** Which of the words it is. */
    [[nodiscard]] std::size_t one_of(std::initializer_list<const char *> words) const;

    [[noreturn]] void wrong(const std::string &what) const;

  private:
    const Json *value_;
    std::string place_;
};

}  // namespace dpadapt::cli
