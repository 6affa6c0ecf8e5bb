#include "cli/report_file.hpp"

#include "cli/failure.hpp"
#include "cli/provenance.hpp"
#include "cli/signing_key.hpp"

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

}  // namespace dpadapt::cli
