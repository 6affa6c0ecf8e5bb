#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loss/callback.hpp"

namespace dpadapt::engine {

enum class OptionType { real, integer, boolean, choice, vector };

enum class Option : std::size_t {
#define DPA_OPTION(name, tier, type, preset, values, readers, doc) name,
#include "engine/options.def"
    count
};

/** One row of the table. */
struct OptionSpec {
    const char *name;
    const char *tier;
    OptionType type;
    const char *type_name;
    const char *preset;  ///< default, as text
    const char *values;
    const char *readers;  ///< kinds of calls, of which unread.cpp knows the words
    const char *doc;
};

/** Numbers separated by commas or blanks; nothing when the text is anything else. */
[[nodiscard]] std::optional<std::vector<double>> parse_numbers(std::string_view text);

[[nodiscard]] const OptionSpec &option_spec(Option option);

/** Place of the word in a list like "auto, none", which may end with an interval. */
[[nodiscard]] std::optional<std::size_t> place_in(std::string_view list, std::string_view word);

/** Row of that name; throws Error(DPA_E_OPTION_NAME). */
[[nodiscard]] Option find_option(std::string_view name);

/** A value of any type: a word, or a number with no word. */
struct OptionValue {
    std::string word;
    double number = 0.0;
    std::int64_t integer = 0;
    bool is_given = false;  ///< by whoever calls
};

/** The values of all options, each checked against its row of the table when it is set. */
class OptionValues {
  public:
    OptionValues();
    OptionValues(const OptionValues &) = default;
    OptionValues(OptionValues &&) noexcept = default;
    OptionValues &operator=(const OptionValues &) = default;
    /** Value by value: what is assigned to keeps its memory. */
    OptionValues &operator=(OptionValues &&other) noexcept;
    ~OptionValues() = default;

    /** A number of a type that has numbers. */
    void set(Option option, double number);
    void set_word(Option option, std::string_view word);
    void parse(Option option, std::string_view text);
    void copy(Option option, const OptionValues &from) { value(option) = from[option]; }

    [[nodiscard]] std::string text(Option option) const;
    [[nodiscard]] const OptionValue &operator[](Option option) const {
        return values_[static_cast<std::size_t>(option)];
    }

    [[nodiscard]] bool is_changed(Option option) const;
    /** Whether it was set, be it to the default. */
    [[nodiscard]] bool is_given(Option option) const { return (*this)[option].is_given; }

    /** "name=value" of all that are not the default, with blanks between. */
    [[nodiscard]] std::string changed() const;

    /** The caller's function for loss = custom. */
    loss::CallbackLoss custom_loss;

  private:
    OptionValue &value(Option option) { return values_[static_cast<std::size_t>(option)]; }

    std::vector<OptionValue> values_;  // of each option: 4 KiB, more than fits on a small stack
};

}  // namespace dpadapt::engine
