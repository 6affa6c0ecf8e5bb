// Options chosen by an input: names of the table, and values that it allows, nearly, or not at all.
#pragma once

#include "fuzz/fuzz.hpp"

namespace fuzz {

/** How many options the table has. */
inline std::size_t option_count() {
    std::size_t count = 0;
    while (dpa_option_text(count, "name") != nullptr) ++count;
    return count;
}

/** How many baselines there are. */
inline std::size_t baseline_count() {
    std::size_t count = 0;
    while (dpa_baseline_text(count, "name") != nullptr) ++count;
    return count;
}

class Options {
  public:
    Options() { REQUIRE(dpa_options_create(&options_) == DPA_OK); }
    Options(const Options &) = delete;
    Options &operator=(const Options &) = delete;
    ~Options() { dpa_options_destroy(options_); }

    [[nodiscard]] dpa_options *get() const { return options_; }

    void set(const char *name, const char *text) {
        REQUIRE(dpa_options_parse(options_, name, text) == DPA_OK);
    }

    /** A few pairs of the input; those that are refused change nothing. */
    void choose(Input &input) {
        for (std::size_t left = input.below(8); left > 0; --left) {
            const char *name = dpa_option_text(input.below(option_count()), "name");
            (void)dpa_options_parse(options_, name, value(input, name).c_str());
        }
    }

    [[nodiscard]] std::string text(const char *name) const {
        return text_of([&](char *out, std::size_t size, std::size_t *needed) {
            return dpa_options_get(options_, name, out, size, needed);
        });
    }

    /** Bounds the work that an input can ask for: numbers beyond that become it. */
    void limit_work() {
        limit("iterations", 30.0);
        limit("epochs", 3.0);
        limit("rounds", 3.0);
        limit("classes", 5.0);
        limit("threads", 2.0);
        if (text("hidden_units").size() > 3) set("hidden_units", "3,2");
        if (text("iterations") == "auto") set("iterations", "30");
    }

  private:
    void limit(const char *name, double most) {
        if (std::atof(text(name).c_str()) > most)
            set(name, std::to_string(static_cast<int>(most)).c_str());
    }

    /** One of the words that the table lists, or a number. */
    static std::string value(Input &input, const char *name) {
        const std::size_t kind = input.byte();
        if (kind >= 128) {
            const std::string words = dpa_option_text(name_index(name), "values");
            std::vector<std::string> all = split(words);
            return all[kind % all.size()];
        }
        char number[64];
        if (kind >= 64)
            std::snprintf(number, sizeof number, "%d", static_cast<int>(kind) - 64);
        else
            std::snprintf(number, sizeof number, "%.17g", input.real());
        return number;
    }
    static std::size_t name_index(const char *name) {
        std::size_t index = 0;
        while (std::strcmp(dpa_option_text(index, "name"), name) != 0) ++index;
        return index;
    }
    static std::vector<std::string> split(const std::string &words) {
        std::vector<std::string> all;
        for (std::size_t begin = 0; begin <= words.size();) {
            const std::size_t end = std::min(words.find(", ", begin), words.size());
            all.push_back(words.substr(begin, end - begin));
            begin = end + 2;
        }
        return all;
    }

    dpa_options *options_ = nullptr;
};

}  // namespace fuzz
