#include "engine/options.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt::engine {
namespace {

constexpr std::array<OptionSpec, static_cast<std::size_t>(Option::count)> kTable = {{
#define DPA_OPTION(name, tier, type, preset, values, readers, doc) \
    {#name, #tier, OptionType::type, #type, preset, values, readers, doc},
#include "engine/options.def"
}};

/** Splits "auto, (0, inf)" into its words and its interval. */
struct Allowed {
    explicit Allowed(std::string_view values) {
        const std::size_t bracket = values.find_first_of("[(");
        words = values.substr(0, bracket);
        if (bracket == std::string_view::npos) return;
        const std::size_t comma = values.find(',', bracket);
        low = parse_number(values.substr(bracket + 1, comma - bracket - 1)).value();
        high = parse_number(values.substr(comma + 2, values.size() - comma - 3)).value();
        low_open = values[bracket] == '(';
        high_open = values.back() == ')';
    }
    [[nodiscard]] bool has_word(std::string_view word) const {
        return place_in(words, word).has_value();
    }
    [[nodiscard]] bool has_number(double x) const {
        return std::isfinite(x) && (low_open ? x > low : x >= low) &&
               (high_open ? x < high : x <= high);
    }

    std::string_view words;
    double low = 0.0;
    double high = 0.0;
    bool low_open = false;
    bool high_open = false;
};

[[noreturn]] void out_of_bounds(const OptionSpec &spec, const std::string &value) {
    throw Error(DPA_E_OPTION, std::string("option ") + spec.name + " must be in {" + spec.values +
                                  "}, but is " + value);
}

[[noreturn]] void wrong_type(const OptionSpec &spec, const std::string &value) {
    throw Error(DPA_E_OPTION_TYPE, std::string("option ") + spec.name + " is of type " +
                                       spec.type_name + " {" + spec.values +
                                       "}, but the value is " + value);
}

/** Between the numbers of a vector. */
bool is_separator(char c) { return c == ',' || c == ' ' || c == '\t'; }

}  // namespace

std::optional<std::vector<double>> parse_numbers(std::string_view text) {
    std::vector<double> numbers;
    for (std::size_t at = 0; at < text.size();) {
        if (is_separator(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && !is_separator(text[end])) ++end;
        const auto number = parse_number(text.substr(at, end - at));
        if (!number || !std::isfinite(*number)) return std::nullopt;
        numbers.push_back(*number);
        at = end;
    }
    if (numbers.empty()) return std::nullopt;
    return numbers;
}

std::optional<std::size_t> place_in(std::string_view list, std::string_view word) {
    std::size_t at = 0;
    for (std::size_t place = 0; at < list.size(); ++place) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        if (list.substr(at, end - at) == word) return place;
        at = end + 2;
    }
    return {};
}

const OptionSpec &option_spec(Option option) { return kTable[static_cast<std::size_t>(option)]; }

Option find_option(std::string_view name) {
    for (std::size_t i = 0; i < kTable.size(); ++i)
        if (kTable[i].name == name) return static_cast<Option>(i);
    std::vector<std::string_view> names(kTable.size());
    std::ranges::transform(kTable, names.begin(), &OptionSpec::name);
    throw Error(DPA_E_OPTION_NAME,
                "there is no option " + in_quotes(name) + did_you_mean(name, names));
}

OptionValues &OptionValues::operator=(OptionValues &&other) noexcept {
    if (this == &other) return *this;
    if (values_.size() == other.values_.size())
        std::move(other.values_.begin(), other.values_.end(), values_.begin());
    else
        values_ = std::move(other.values_);
    custom_loss = other.custom_loss;
    return *this;
}

OptionValues::OptionValues() : values_(kTable.size()) {
    for (std::size_t i = 0; i < kTable.size(); ++i) parse(static_cast<Option>(i), kTable[i].preset);
    for (OptionValue &value : values_) value.is_given = false;
}

void OptionValues::set(Option option, double number) {
    const OptionSpec &spec = option_spec(option);
    const bool real = spec.type == OptionType::real;
    const bool boolean = spec.type == OptionType::boolean;
    const bool whole = spec.type == OptionType::integer || boolean;
    if (!real && (!whole || number != std::floor(number))) wrong_type(spec, to_text(number));
    if (boolean ? number != 0.0 && number != 1.0 : !Allowed(spec.values).has_number(number))
        out_of_bounds(spec, to_text(number));
    value(option) = {{}, number, real ? 0 : static_cast<std::int64_t>(number), true};
}

void OptionValues::set_word(Option option, std::string_view word) {
    const OptionSpec &spec = option_spec(option);
    const bool listed = spec.type != OptionType::boolean && Allowed(spec.values).has_word(word);
    const bool numbers = spec.type == OptionType::vector && parse_numbers(word).has_value();
    const bool placeholder = spec.type == OptionType::vector && word == "numbers";
    if ((!listed || placeholder) && !numbers) {
        if (spec.type == OptionType::choice) out_of_bounds(spec, in_quotes(word));
        wrong_type(spec, in_quotes(word));
    }
    value(option) = {std::string(word), 0.0, 0, true};
}

void OptionValues::parse(Option option, std::string_view text) {
    const OptionSpec &spec = option_spec(option);
    const auto number = parse_number(text);
    if (spec.type == OptionType::boolean) {
        if (text == "true" || text == "1") return set(option, 1.0);
        if (text == "false" || text == "0") return set(option, 0.0);
        wrong_type(spec, in_quotes(text));
    }
    if (spec.type == OptionType::real && number) return set(option, *number);
    if (spec.type == OptionType::integer && number) {
        if (*number != std::floor(*number)) wrong_type(spec, in_quotes(text));
        if (!Allowed(spec.values).has_number(*number)) out_of_bounds(spec, in_quotes(text));
        return set(option, *number);
    }
    set_word(option, text);
}

bool OptionValues::is_changed(Option option) const {
    static const OptionValues defaults;
    return text(option) != defaults.text(option);
}

std::string OptionValues::changed() const {
    std::string list;
    for (std::size_t k = 0; k < values_.size(); ++k) {
        const auto option = static_cast<Option>(k);
        if (!is_changed(option)) continue;
        if (!list.empty()) list += ' ';
        list += option_spec(option).name;
        list += '=' + text(option);
    }
    return list;
}

std::string OptionValues::text(Option option) const {
    const OptionValue &value = (*this)[option];
    if (!value.word.empty()) return value.word;
    switch (option_spec(option).type) {
        case OptionType::integer:
            return std::to_string(value.integer);
        case OptionType::boolean:
            return value.integer != 0 ? "true" : "false";
        case OptionType::real:
        case OptionType::choice:
        case OptionType::vector:
            return to_text(value.number);
    }
    return "";
}

}  // namespace dpadapt::engine
