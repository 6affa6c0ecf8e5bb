#include "cli/read/settings.hpp"

#include <algorithm>
#include <iostream>
#include <map>

#include "cli/system/system.hpp"

namespace dpadapt::cli {

ProgressBar::~ProgressBar() {
    if (!phase_.empty()) std::cerr << std::endl;
}

void ProgressBar::watch(dpa_options *options) {
    if (!has_terminal()) return;
    check(dpa_options_set_progress(options, report, this));
}

// A phase mostly ends before its limit; the full bar says that it is done.
void ProgressBar::finish() {
    if (phase_.empty()) return;
    draw(1.0);
    std::cerr << std::endl;
    phase_.clear();
}

int32_t ProgressBar::report(const dpa_progress *progress, void *self) noexcept {
    try {
        const auto limit = static_cast<double>(progress->limit);
        static_cast<ProgressBar *>(self)->show(
            progress->phase, static_cast<double>(progress->iteration) / std::max(limit, 1.0));
        return 0;
    } catch (const std::exception &) {
        return 1;  // memory exhausted: exceptions must not cross the library
    }
}

void ProgressBar::show(const std::string &phase, double share) {
    if (phase != phase_) {
        finish();
        std::cerr << phase
                  << "\n0%   10   20   30   40   50   60   70   80   90   100%\n"
                     "|----|----|----|----|----|----|----|----|----|----|\n";
        phase_ = phase;
        drawn_ = 0;
    }
    draw(share);
}

void ProgressBar::draw(double share) {
    constexpr int kWidth = 51;
    const int stars = static_cast<int>(kWidth * std::clamp(share, 0.0, 1.0));
    for (; drawn_ < stars; ++drawn_) std::cerr << '*';
    std::cerr << std::flush;
}

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
    auto handle = made<OptionsHandle>(dpa_options_create);
    dpa_options *options = handle.get();
    std::map<std::string, std::string> given;
    for (const std::string &assignment : assignments) {
        const std::string key = assign(options, assignment);
        const std::string value = filled_text(dpa_options_get, options, key.c_str());
        const auto [first, is_new] = given.emplace(key, value);
        if (!is_new && first->second != value)
            throw Failure(kUsage, "two values for the option " + key + ": " + first->second +
                                      " and " + value);
    }
    for (const std::string &replacement : replacements) assign(options, replacement);
    return handle;
}

std::string option_text(const std::vector<std::string> &assignments, const char *key) {
    return filled_text(dpa_options_get, parse_options(assignments).get(), key);
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

void Settings::check_read(const std::vector<std::string> &assignments,
                          const std::string &calls) const {
    const std::string privacy = is_private() ? "private " : "public ";
    const std::vector<std::string> words{"every call", calls, privacy + "calls", privacy + calls};
    for (std::size_t i = 0; dpa_option_text(i, "name") != nullptr; ++i) {
        const std::string name = dpa_option_text(i, "name");
        const std::string readers = dpa_option_text(i, "readers");
        const bool is_read = std::ranges::any_of(words, [&](const std::string &word) {
            return (", " + readers + ',').find(", " + word + ',') != std::string::npos;
        });
        for (const std::string &assignment : assignments)
            if (!is_read && assignment.starts_with(name + '='))
                throw Failure(kUsage, "the option " + name + " is for " + readers + ", not for " +
                                          privacy + calls);
    }
}

}  // namespace dpadapt::cli
