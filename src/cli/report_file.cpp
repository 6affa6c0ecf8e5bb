#include "cli/report_file.hpp"

#include <limits>

#include "cli/failure.hpp"
#include "cli/provenance.hpp"
#include "cli/signing_key.hpp"
#include "cli/statement.hpp"

namespace dpadapt::cli {

namespace {

/** Where the sentences of a text end: before the first empty line, or at its end. */
std::size_t sentences_of(const std::string &text) {
    const std::size_t end = text.find("\n\n");
    return end == std::string::npos ? text.size() : end + 1;
}

/** What follows the sentences. */
std::string numbers_of(const std::string &text) {
    const std::size_t begin = sentences_of(text);
    return begin < text.size() ? text.substr(begin + 1) : "";
}

}  // namespace

void add_report_arguments(Command &command, ReportArguments &arguments) {
    const auto report =
        command.add("--report", arguments.path,
                    "Saves the privacy report: as JSON when the name ends in .json, with pictures "
                    "when it ends in .html, else as text");
    Argument(report).placeholder("FILE");
    command.add("--sign", arguments.key, "Signs that report with a key (see dpadapt key)")
        .needs(report)
        .placeholder("KEYFILE");
}

ReportFile::ReportFile(const std::string &path, const std::string &key)
    : json_(path.ends_with(".json")),
      page_(path.ends_with(".html")),
      key_(path.empty() ? std::string() : key) {
    if (!key_.empty() && !json_)
        throw Failure(kUsage,
                      "--sign needs reports in JSON, but " + path + " does not end in .json");
    if (!key_.empty()) (void)public_key_of(key_);
    if (!path.empty()) file_.emplace(path);
}

void ReportFile::reserve(std::size_t bytes) {
    if (file_) file_->reserve(bytes);
}

void ReportFile::write(const std::function<std::string(int32_t form)> &report,
                       const PageContent &content) {
    if (!file_) return;
    std::string text = report(json_ ? DPA_REPORT_JSON : DPA_REPORT_TEXT);
    const bool has_origin = content.provenance.is_object();
    if (page_) {
        text = html_page(Json::parse(report(DPA_REPORT_JSON)), content, numbers_of(text));
    } else if (json_) {
        if (has_origin) text = with_provenance(text, content.provenance);
    } else if (has_origin) {
        text.insert(sentences_of(text), '\n' + provenance_text(content.provenance));
    }
    if (!page_ && !json_) text = printable(text);
    file_->write(key_.empty() ? text : signed_report(text, key_));
}

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
