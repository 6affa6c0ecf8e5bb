#include "cli/json_member.hpp"

#include <limits>

#include "cli/statement.hpp"

namespace dpadapt::cli {

JsonMember JsonMember::at(const char *name) const {
    const std::string place = place_.empty() ? name : place_ + '/' + name;
    if (value_->is_object() && value_->contains(name)) return JsonMember(value_->at(name), place);
    throw Contradiction('"' + place + "\" is missing");
}

std::vector<JsonMember> JsonMember::items() const {
    if (!value_->is_array()) wrong("is no list");
    std::vector<JsonMember> members;
    for (std::size_t k = 0; k < value_->size(); ++k)
        members.emplace_back((*value_)[k], place_ + '/' + std::to_string(k));
    return members;
}

std::uint64_t JsonMember::whole() const {
    if (!value_->is_number_unsigned()) wrong("is no whole number");
    return value_->get<std::uint64_t>();
}

int JsonMember::small() const {
    constexpr std::uint64_t kMost = 40;
    if (whole() > kMost) wrong("is too large");
    return static_cast<int>(whole());
}

double JsonMember::number() const {
    if (!value_->is_number()) wrong("is no number");
    return value_->get<double>();
}

double JsonMember::number_or_nan() const {
    return is_null() ? std::numeric_limits<double>::quiet_NaN() : number();
}

Uint128 JsonMember::units() const {
    constexpr Uint128 kMost = ~Uint128{0} / 10;
    if (text().empty()) wrong("has no digits");
    Uint128 sum = 0;
    for (const char digit : text()) {
        if (digit < '0' || digit > '9' || sum >= kMost) wrong("is no whole number in a text");
        sum = 10 * sum + static_cast<Uint128>(digit - '0');
    }
    return sum;
}

bool JsonMember::truth() const {
    if (!value_->is_boolean()) wrong("is neither true nor false");
    return value_->get<bool>();
}

const std::string &JsonMember::text() const {
    if (!value_->is_string()) wrong("is no text");
    return value_->get_ref<const std::string &>();
}

std::size_t JsonMember::one_of(std::initializer_list<const char *> words) const {
    std::size_t place = 0;
    for (const char *word : words) {
        if (text() == word) return place;
        ++place;
    }
    wrong("is " + value_->dump(-1, ' ', true) + ", which is unknown");
}

void JsonMember::wrong(const std::string &what) const {
    throw Contradiction('"' + place_ + "\" " + what);
}

}  // namespace dpadapt::cli
