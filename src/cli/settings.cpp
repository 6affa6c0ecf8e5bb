#include "cli/settings.hpp"

#include <array>

#include "cli/failure.hpp"

namespace dpadapt::cli {

OptionsHandle parse_options(const std::vector<std::string> &assignments) {
    dpa_options *options = nullptr;
    check(dpa_options_create(&options));
    OptionsHandle handle(options);
    for (const std::string &assignment : assignments) {
        const std::size_t equals = assignment.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw Failure(kUsage, "--set needs key=value, not \"" + assignment + '"');
        }
        const std::string key = assignment.substr(0, equals);
        check(dpa_options_parse(options, key.c_str(), assignment.c_str() + equals + 1));
    }
    return handle;
}

std::string option_text(const dpa_options *options, const char *key) {
    std::array<char, 4096> value{};
    check(dpa_options_get(options, key, value.data(), value.size(), nullptr));
    return value.data();
}

Settings::Settings(const std::vector<std::string> &assignments)
    : options_(parse_options(assignments)) {
    check(dpa_options_set_cancel(options_.get(), interrupt_.token()));
    progress_.watch(options_.get());
}

bool Settings::is_private(const std::string &domain) const {
    const std::string word = get("private_domain");
    return word == domain || word == "both";
}

}  // namespace dpadapt::cli
