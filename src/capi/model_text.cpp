#include "capi/model_text.hpp"

#include <sodium.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "schema/labelled_schema.hpp"
#include "solution/solution.hpp"

namespace dpadapt::capi {
namespace {

constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL;
constexpr std::string_view kBlanks = " \t\r\n";

/** Goes through a JSON text from string to string. It checks no grammar: what is found is read as
 *  bytes with a checksum. */
class Strings {
  public:
    explicit Strings(std::string_view text) : text_(text) {}

    /** Moves behind the next string; false at the end. */
    bool next() {
        for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            if (text_[at_] == '{' || text_[at_] == '[') ++depth_;
            if (text_[at_] == '}' || text_[at_] == ']') --depth_;
        }
        const std::size_t begin = at_ + 1;
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
            if (text_[at_] == '\\') ++at_;
        if (at_ >= text_.size()) return false;
        found_ = text_.substr(begin, at_++ - begin);
        return true;
    }
    [[nodiscard]] std::string_view found() const { return found_; }
    /** Whether it is the name of a member of the outermost object, with a string behind it. */
    [[nodiscard]] bool names_a_string() const {
        if (depth_ != 1) return false;
        const std::size_t colon = text_.find_first_not_of(kBlanks, at_);
        if (colon == std::string_view::npos || text_[colon] != ':') return false;
        const std::size_t value = text_.find_first_not_of(kBlanks, colon + 1);
        return value != std::string_view::npos && text_[value] == '"';
    }

  private:
    std::string_view text_;
    std::string_view found_;
    std::size_t at_ = 0;
    std::int64_t depth_ = 0;
};

std::string_view as_text(std::span<const std::uint8_t> data) {
    return {reinterpret_cast<const char *>(data.data()), data.size()};
}

}  // namespace

bool is_model_text(std::span<const std::uint8_t> data) {
    const std::string_view text = as_text(data);
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first != std::string_view::npos && text[first] == '{';
}

std::string_view string_member(std::string_view json, std::string_view name) {
    Strings strings(json);
    while (strings.next())
        if (strings.found() == name && strings.names_a_string() && strings.next())
            return strings.found();
    return {};
}

std::vector<std::uint8_t> member_bytes(std::span<const std::uint8_t> data, std::string_view name) {
    const std::string_view text = string_member(as_text(data), name);
    std::vector<std::uint8_t> bytes(text.size());
    std::size_t size = 0;
    if (text.empty() || sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(),
                                          nullptr, &size, nullptr, kBase64) != 0)
        throw Error(DPA_E_FORMAT, "data must be a model file whose member " +
                                      in_quotes(std::string(name)) + " holds base64, but is none");
    bytes.resize(size);
    return bytes;
}

void check_features(std::span<const std::uint8_t> data) {
    if (!is_model_text(data)) return;
    for (const std::string_view name : {kSchemaMember, kSolutionMember})
        if (string_member(as_text(data), name).empty()) return;
    const auto own = schema::LabelledSchema::read(member_bytes(data, kSchemaMember));
    const std::size_t wanted = own.schema.features().size();
    const std::size_t found = deserialize(member_bytes(data, kSolutionMember)).features();
    if (found != wanted)
        throw Error(DPA_E_FORMAT, "the schema of the model file has " + std::to_string(wanted) +
                                      " features, but its predictor has " + std::to_string(found));
}

std::string base64(std::span<const std::uint8_t> bytes) {
    std::string text(sodium_base64_encoded_len(bytes.size(), kBase64), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kBase64);
    text.pop_back();  // the final zero
    return text;
}

}  // namespace dpadapt::capi
