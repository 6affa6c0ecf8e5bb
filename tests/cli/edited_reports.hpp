// Privacy reports of every kind of call, and random edits of them: each is refused, or lies in a
// member that is the signer's word.
#pragma once

#include <dpadapt/dpadapt.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "cli/read/failure.hpp"
#include "cli/run/commands.hpp"
#include "cli/show/report.hpp"
#include "core/core.hpp"
#include "fuzz/fuzz.hpp"

namespace edited {

using Random = std::mt19937_64;

inline std::size_t below(Random &random, std::size_t bound) { return random() % bound; }

/** A folder of its own, which goes away. */
class Folder {
  public:
    Folder() {
        std::string name = "edited-XXXXXX";
        check_true("folder", mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] std::string file(const std::string &name) const { return path_ + '/' + name; }

    [[nodiscard]] std::string text(const std::string &name) const {
        std::ifstream in(file(name), std::ios::binary);
        std::ostringstream out;
        out << in.rdbuf();
        return out.str();
    }

  private:
    std::string path_;
};

/** The command, in this process. */
inline void run(std::vector<std::string> arguments) {
    namespace cli = dpadapt::cli;
    arguments.insert(arguments.begin(), "dpadapt");
    std::vector<char *> pointers;
    for (std::string &argument : arguments) pointers.push_back(argument.data());
    cli::run_command_line(static_cast<int>(pointers.size()), pointers.data(), "dpadapt", "test", "",
                          [](cli::Command &program) {
                              cli::add_fit(program);
                              cli::add_baseline(program);
                              cli::add_discrepancy(program);
                              cli::add_select(program);
                              cli::add_ledger(program);
                          });
}

inline void write_rows(const std::string &path, int rows, Random &random) {
    std::ofstream out(path);
    std::normal_distribution<double> normal;
    out << "a,b,y,who\n";
    for (int i = 0; i < rows; ++i) {
        const double a = normal(random);
        const double b = normal(random);
        out << a << ',' << b << ',' << a - b + 0.1 * normal(random) << ",p" << i / 2 << '\n';
    }
}

struct Call {
    const char *name;
    std::vector<std::string> words;  ///< the command and its options
};

inline std::vector<Call> calls(const Folder &folder) {
    const std::vector<std::string> both = {
        "--set", "private_domain=both", "--set", "preprocess=none",  "--set", "radius=2",
        "--set", "label_bound=3",       "--set", "feature_radius=2", "--set", "clip_bound=1",
        "--set", "metric_ridge=1",      "--set", "kappa_1=1",        "--set", "alpha=0.5"};
    std::vector<Call> list = {
        {"fit", {"fit"}},
        {"persons", {"fit", "--group", "who"}},
        {"taken out", {"fit", "--set", "neighbours=zero_out"}},
        {"both", {"fit"}},
        {"source", {"fit", "--set", "private_domain=source"}},
        {"inference", {"fit", "--set", "inference=yes"}},
        {"paper", {"fit", "--set", "method=paper"}},
        {"seeded", {"fit", "--set", "unsafe_seed=7"}},
        {"estimate", {"fit", "--set", "alpha=0.5", "--set", "discrepancy_share=0.3"}},
        {"ledger", {"fit", "--ledger", folder.file("ledger")}},
        {"ledger again", {"fit", "--ledger", folder.file("ledger")}},
        {"persons of a ledger", {"fit", "--group", "who", "--ledger", folder.file("persons")}},
        {"discrepancy", {"discrepancy"}},
        {"ada_ssp", {"baseline", "ada_ssp"}},
        {"sampled", {"baseline", "noisy_sgd", "--set", "epochs=3", "--set", "batch_size=4"}},
        {"select",
         {"select", "--grid", "shrinkage=2,3", "--set", "selection_epsilon=1", "--set",
          "selection_bound=4", "--budget", "4,2e-4", "--validation-report",
          folder.file("rows.json")}},
    };
    list[3].words.insert(list[3].words.end(), both.begin(), both.end());
    return list;
}

/** A member of an object in a text, from the quote of its name to the end of its value. */
struct Span {
    std::string path;
    std::size_t begin = 0;
    std::size_t value = 0;
    std::size_t end = 0;
};

/** Of JSON without blanks. */
class Spans {
  public:
    explicit Spans(const std::string &text) : text_(text) { (void)value(0, ""); }
    std::vector<Span> list;

  private:
    [[nodiscard]] std::size_t quoted(std::size_t at) const {
        for (++at; text_[at] != '"'; ++at)
            if (text_[at] == '\\') ++at;
        return at + 1;
    }

    std::size_t value(std::size_t at, const std::string &path) {
        if (text_[at] == '"') return quoted(at);
        if (text_[at] != '{' && text_[at] != '[') return text_.find_first_of(",]}", at);
        const bool object = text_[at] == '{';
        if (text_[at + 1] == '}' || text_[at + 1] == ']') return at + 2;
        do {
            Span span{path, at + 1, at + 1, 0};
            if (object) {
                span.value = quoted(span.begin) + 1;
                span.path += '/' + text_.substr(span.begin + 1, span.value - span.begin - 3);
            }
            span.end = at = value(span.value, span.path);
            if (object) list.push_back(span);
        } while (text_[at] == ',');
        return at + 1;
    }

    const std::string &text_;
};

/** The signer's words; those of a call and of its ledger stand in the statement as well. */
inline bool is_free(const std::string &path) { return path == "/provenance"; }

/** One report, with the places in it that are free. */
struct Report {
    std::string name;
    std::string text;
    std::vector<Span> members;
};

inline Report report_of(std::string name, std::string text) {
    Report report{std::move(name), std::move(text), {}};
    while (report.text.ends_with('\n')) report.text.pop_back();
    report.members = Spans(report.text).list;
    return report;
}

/** Whether verify would accept it. */
inline bool accepted(std::string text) {
    try {
        if (text.ends_with('\n')) text.pop_back();
        (void)dpadapt::cli::checked_report(text, "report");
        return true;
    } catch (const dpadapt::cli::Failure &failure) {
        check_true("bad data", failure.code() == dpadapt::cli::kBadData);
        return false;
    }
}

struct Edit {
    std::string text;
    std::size_t begin = 0;  ///< what of the old text it has changed
    std::size_t end = 0;
};

inline char letter(Random &random) {
    static const std::string kLikely = "0123456789\"{}[]:,.-+eE \\ntf\n";
    return below(random, 2) == 0 ? kLikely[below(random, kLikely.size())]
                                 : static_cast<char>(below(random, 256));
}

inline Edit edit_byte(const std::string &text, Random &random) {
    const std::size_t at = below(random, text.size());
    Edit edit{text, at, at + 1};
    switch (below(random, 4)) {
        case 0:
            edit.text[at] = static_cast<char>(edit.text[at] ^ (1 << below(random, 8)));
            break;
        case 1:
            edit.text.erase(at, 1);
            break;
        case 2:
            edit.text.insert(at, 1, letter(random));
            break;
        default:
            edit.text[at] = letter(random);
    }
    return edit;
}

inline Edit edit_member(const Report &report, Random &random) {
    const Span &span = report.members[below(random, report.members.size())];
    const std::string member = report.text.substr(span.begin, span.end - span.begin);
    Edit edit{report.text, span.begin, span.end};
    switch (below(random, 5)) {
        case 0: {  // dropped, with one of its commas
            const bool last = report.text[span.end] != ',';
            const bool first = report.text[span.begin - 1] != ',';
            edit.text.erase(span.begin - (last && !first ? 1 : 0),
                            member.size() + (last && first ? 0 : 1));
            break;
        }
        case 1:
            edit.text.insert(span.begin, member + ',');
            break;
        case 2:
            edit.text.insert(span.value - 2, 1, 'x');
            break;
        case 3:
            edit.text.insert(span.end, ",\"note\":\"nobody can learn anything\"");
            break;
        default:
            edit.text.replace(span.value, span.end - span.value, "null");
    }
    return edit;
}

/** Of one byte in the facts that the report is computed from, with the right checksum. */
inline Edit edit_statement(const Report &report, Random &random) {
    for (const Span &span : report.members) {
        if (span.path != "/statement") continue;
        const std::size_t begin = span.value + 1;
        const std::size_t size = span.end - 1 - begin;
        auto bytes = *dpadapt::from_base64(std::string_view(report.text).substr(begin, size));
        bytes[below(random, bytes.size())] ^= static_cast<std::uint8_t>(1 << below(random, 8));
        Edit edit{report.text, begin, begin + size};
        edit.text.replace(begin, size, dpadapt::base64(fuzz::with_checksum(bytes)));
        return edit;
    }
    return {report.text};
}

inline Edit any_edit(const Report &report, Random &random) {
    switch (below(random, 8)) {
        case 0:
            return edit_statement(report, random);
        case 1:
        case 2:
            return edit_member(report, random);
        default:
            return edit_byte(report.text, random);
    }
}

/** Whether an edit is of nothing but a free member; one may be left out. */
inline bool is_free(const Report &report, const Edit &edit) {
    for (const Span &span : report.members) {
        const std::size_t begin = span.path == "/provenance" ? span.begin : span.value;
        if (is_free(span.path) && begin <= edit.begin && edit.end <= span.end) return true;
    }
    return false;
}

/** Also members within free ones may be edited, and an end of the file without its newline. */
inline void no_edit_passes(const Report &report, int count, Random &random) {
    check_true(report.name + " verifies", accepted(report.text));
    check_true(report.name + " verifies with a newline", accepted(report.text + '\n'));
    check_true(report.name + " has one newline", !accepted(report.text + "\n\n"));
    for (int k = 0; k < count; ++k) {
        const Edit edit = any_edit(report, random);
        if (edit.text == report.text || edit.text == report.text + '\n') continue;
        if (!accepted(edit.text)) continue;
        if (!is_free(report, edit))
            check_true(report.name + ": passes: " +
                           edit.text.substr(edit.begin > 40 ? edit.begin - 40 : 0, 80) +
                           " instead of " + report.text.substr(edit.begin, 40),
                       false);
    }
}

/** Of each call. */
inline std::vector<Report> reports(const Folder &folder, Random &random) {
    write_rows(folder.file("source"), 60, random);
    write_rows(folder.file("target"), 30, random);
    run({"ledger", "init", folder.file("ledger"), "--set", "epsilon=4", "--set", "delta=1e-3"});
    run({"ledger", "init", folder.file("persons"), "--set", "epsilon=4", "--set", "delta=1e-3",
         "--unit", "person", "--open"});
    std::vector<Report> list;
    const auto add = [&](const std::string &name, const std::string &file) {
        list.push_back(report_of(name, folder.text(file)));
    };
    for (const Call &call : calls(folder)) {
        std::vector<std::string> words = call.words;
        const std::string name = call.name;
        for (const std::string &word :
             {std::string("--source"), folder.file("source"), std::string("--target"),
              folder.file("target"), std::string("--label"), std::string("y"), std::string("--set"),
              std::string("epsilon=2"), std::string("--set"), std::string("delta=1e-4"),
              std::string("--report"), folder.file("report.json")})
            words.push_back(word);
        if (!name.starts_with("persons")) words.insert(words.end(), {"--ignore", "who"});
        run(words);
        add(name, "report.json");
        if (name == "select") add("rows of select", "rows.json");
    }
    return list;
}

/** So many edits of all reports together. */
inline void edits(int count, std::uint64_t seed) {
    Random random(seed);
    const Folder folder;
    const std::vector<Report> list = reports(folder, random);
    check_true("kinds", list.size() >= 8);
    for (const Report &report : list)
        no_edit_passes(report, count / static_cast<int>(list.size()) + 1, random);
}

}  // namespace edited
