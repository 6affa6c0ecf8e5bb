#include "cli/report_file.hpp"

#include "cli/failure.hpp"
#include "cli/signing_key.hpp"

namespace dpadapt::cli {

void add_report_arguments(Command &command, ReportArguments &arguments) {
    const auto report =
        command.add("--report", arguments.path,
                    "Saves the privacy report, as JSON when the name ends in .json");
    Argument(report).placeholder("FILE");
    command.add("--sign", arguments.key, "Signs that report with a key (see dpadapt key)")
        .needs(report)
        .placeholder("KEYFILE");
}

ReportFile::ReportFile(const std::string &path, const std::string &key)
    : json_(path.ends_with(".json")), key_(path.empty() ? std::string() : key) {
    if (!key_.empty() && !json_)
        throw Failure(kUsage,
                      "--sign needs reports in JSON, but " + path + " does not end in .json");
    if (!key_.empty()) (void)public_key_of(key_);
    if (!path.empty()) file_.emplace(path);
}

void ReportFile::write(const std::function<std::string(int32_t form)> &report) {
    if (!file_) return;
    const std::string text = report(json_ ? DPA_REPORT_JSON : DPA_REPORT_TEXT);
    file_->write(key_.empty() ? text : signed_report(text, key_));
}

}  // namespace dpadapt::cli
