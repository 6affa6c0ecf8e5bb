#include "cli/settings.hpp"

#include <map>

#include "cli/chunks.hpp"
#include "cli/failure.hpp"

namespace dpadapt::cli {
namespace {

/** Returns the key. */
std::string assign(dpa_options *options, const std::string &assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Failure(kUsage, "--set needs key=value, not \"" + assignment + '"');
    std::string key = assignment.substr(0, equals);
    check(dpa_options_parse(options, key.c_str(), assignment.c_str() + equals + 1));
    return key;
}

}  // namespace

OptionsHandle parse_options(const std::vector<std::string> &assignments,
                            const std::vector<std::string> &replacements) {
    dpa_options *options = nullptr;
    check(dpa_options_create(&options));
    OptionsHandle handle(options);
    std::map<std::string, std::string> given;
    for (const std::string &assignment : assignments) {
        const std::string key = assign(options, assignment);
        const std::string value = option_text(options, key.c_str());
        const auto [first, is_new] = given.emplace(key, value);
        if (!is_new && first->second != value)
            throw Failure(kUsage, "two values for the option " + key + ": " + first->second +
                                      " and " + value);
    }
    for (const std::string &replacement : replacements) assign(options, replacement);
    return handle;
}

std::string option_text(const dpa_options *options, const char *key) {
    return filled_text([&](char *out, std::size_t size, std::size_t *needed) {
        return dpa_options_get(options, key, out, size, needed);
    });
}

Settings::Settings(const std::vector<std::string> &assignments,
                   const std::vector<std::string> &replacements)
    : options_(parse_options(assignments, replacements)) {
    check(dpa_options_set_cancel(options_.get(), interrupt_.token()));
    progress_.watch(options_.get());
}

bool Settings::is_private(const std::string &domain) const {
    const std::string word = get("private_domain");
    return word == domain || word == "both";
}

}  // namespace dpadapt::cli
