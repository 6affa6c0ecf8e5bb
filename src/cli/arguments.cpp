#include "cli/arguments.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "cli/columns.hpp"
#include "cli/failure.hpp"

namespace dpadapt::cli {

void add_data_arguments(Command &command, DataArguments &arguments) {
    auto source = command.add("--source", arguments.source, "Source sample");
    auto target = command.add("--target", arguments.target, "Target sample");
    auto data = command.add("--data", arguments.data, "Both samples in one file");
    for (Argument *file : {&source, &target, &data}) file->placeholder("FILE.csv");
    source.excludes(data);
    command
        .add_repeated("--add-source", arguments.more_sources,
                      "Another source, with the columns of the first one; may be repeated. A fit "
                      "without privacy takes those that help")
        .placeholder("FILE.csv");
    target.excludes(data);
    command.add("--label", arguments.label, "Column of the labels")
        .required()
        .placeholder("COLUMN");
    command
        .add("--scores", arguments.scores,
             "Column with the scores of a model that exists already, in the units of the labels: "
             "the fit corrects them, and predictions are the corrected scores")
        .placeholder("COLUMN");
    command
        .add("--weight", arguments.weights,
             "Column with the weights of rows: one of weight 2 counts like two. A file without it "
             "has rows that count alike, and those of private rows are read with "
             "--set row_weight_bound=W only, which they are clipped to")
        .placeholder("COLUMN");
    command
        .add("--domain", arguments.domain,
             "Column with the words source and target, or SOURCE and TARGET, for --data; never a "
             "feature")
        .shows_default()
        .placeholder("COLUMN[=SOURCE,TARGET]");
    command
        .add_list("--features", arguments.features,
                  "Columns to use as features, in this order (default: all others)")
        .placeholder("A,B,C");
    command.add_list("--ignore", arguments.ignored, "Columns to leave out; \"A, B\" is one name")
        .placeholder("A,B,C");
    command
        .add("--source-map", arguments.source_map,
             "How the target's columns are made of the source's: a row for each such column with "
             "its name, a column for each of the source that is read, and (constant); factors are "
             "public, blanks are 0")
        .placeholder("FILE.csv");
    command
        .add_repeated("--own", arguments.own,
                      "Column of numbers that the target has and the source lacks, with a value "
                      "that is typical of it, which source rows and missing cells get; may be "
                      "repeated")
        .placeholder("COLUMN=VALUE");
    command
        .add("--group", arguments.group,
             "Column of the persons to whom the target's rows belong: persons are protected, "
             "not records; the first or the last column of the file")
        .placeholder("COLUMN");
    command
        .add_list("--categories", arguments.categories,
                  "Columns of numbers that are categories (columns of texts are)")
        .placeholder("A,B,C");
    command
        .add_repeated("--missing", arguments.missing,
                      "A word for a missing value, beside blanks, NA and the like; may be repeated")
        .placeholder("WORD");
    command
        .add("--positive", arguments.positive,
             "Label of the class that probabilities and coefficients are about, of two")
        .placeholder("VALUE");
    command
        .add_list("--rows", arguments.rows,
                  "Number of private records, whatever the file holds: missing ones are null, "
                  "surplus ones are left out; two numbers, source and target, when both are "
                  "private")
        .placeholder("N");
}

void add_settings(Command &command, std::vector<std::string> &assignments) {
    command
        .add_repeated("--set", assignments,
                      "Sets an option; may be repeated (see: dpadapt options)")
        .placeholder("KEY=VALUE");
    for (const auto &[flag, value, meaning] :
         {std::array{"--epsilon", "NUMBER", "Same as --set epsilon=NUMBER: the privacy budget"},
          std::array{"--delta", "NUMBER", "Same as --set delta=NUMBER, below 1 in the rows"},
          std::array{"--loss", "NAME", "Same as --set loss=NAME: logistic for two classes"},
          std::array{"--alpha", "NUMBER", "Same as --set alpha=NUMBER: share of the source"}})
        command.add_assignment(flag, assignments, meaning).placeholder(value);
}

Domain domain_of(const DataArguments &arguments) {
    const std::string &text = arguments.domain;
    const auto refuse = [&] {
        throw Failure(kUsage, "--domain needs COLUMN or COLUMN=SOURCE,TARGET with two words, not " +
                                  text + " (a name with = stands between double quotes)");
    };
    // As in lists, a quote within a quoted name is two.
    std::string column;
    std::size_t end = 0;
    if (text.starts_with('"')) {
        for (end = 1; end < text.size(); ++end) {
            if (text[end] == '"' && text.compare(end, 2, "\"\"") != 0) break;
            if (text[end] == '"') ++end;
            column += text[end];
        }
        if (end++ >= text.size()) refuse();
    } else {
        end = std::min(text.find('='), text.size());
        column = text.substr(0, end);
    }
    if (end == text.size()) return {column, "source", "target"};
    const std::size_t comma = text.find(',', end);
    Domain domain{column, text.substr(end + 1, comma - end - 1),
                  comma == std::string::npos ? "" : text.substr(comma + 1)};
    if (text[end] != '=' || domain.column.empty() || domain.source.empty() ||
        domain.target.empty() || domain.source == domain.target ||
        domain.target.find(',') != std::string::npos)
        refuse();
    return domain;
}

std::vector<NamedFile> input_files(const DataArguments &arguments, const std::string &ledger,
                                   const std::string &key) {
    std::vector<NamedFile> files{
        {"--source", arguments.source}, {"--source-map", arguments.source_map},
        {"--target", arguments.target}, {"--data", arguments.data},
        {"--ledger", ledger},           {"--sign", key}};
    for (const std::string &path : arguments.more_sources) files.push_back({"--add-source", path});
    return files;
}

void check_arguments(const DataArguments &arguments) {
    if (arguments.data.empty() && (arguments.source.empty() || arguments.target.empty())) {
        throw Failure(kUsage, "--source and --target are needed, or --data (see --help)");
    }
    if (arguments.source_map == "-") throw Failure(kUsage, "--source-map cannot be standard input");
    if (arguments.source == "-" && arguments.target == "-")
        throw Failure(kUsage, "--source and --target cannot both be standard input");
    check_columns(arguments);
}

void check_columns(const DataArguments &arguments) {
    if (arguments.label.empty()) throw Failure(kUsage, "--label is needed (see --help)");
    std::vector<std::string> uses = arguments.features;
    uses.insert(uses.end(), arguments.ignored.begin(), arguments.ignored.end());
    for (const std::string &own : arguments.own) uses.push_back(own.substr(0, own.rfind('=')));
    uses.push_back(arguments.label);
    if (!arguments.scores.empty()) uses.push_back(arguments.scores);
    if (!arguments.weights.empty()) uses.push_back(arguments.weights);
    if (!arguments.group.empty()) uses.push_back(arguments.group);
    if (!arguments.group.empty() && !arguments.rows.empty()) {
        throw Failure(kUsage,
                      "--rows fixes the number of records, but with --group only that of "
                      "the persons is public");
    }
    if (!arguments.data.empty()) uses.push_back(domain_of(arguments).column);
    const std::string twice = repeated_name(uses);
    if (twice.empty()) return;
    throw Failure(kUsage, "column \"" + twice + "\" is given twice, or for two uses");
}

namespace {

std::string_view trim(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string quoted(std::string_view cell) {
    constexpr std::size_t kLongest = 40;
    const bool cut = cell.size() > kLongest;
    return '"' + std::string(cell.substr(0, kLongest)) + (cut ? "...\"" : "\"");
}

}  // namespace

std::string why_no_number(std::string_view text) {
    const std::string_view number = trim(text);
    double value = 0.0;
    const char *end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, value);
    if (number.empty()) return "there is no value";
    if (error == std::errc::result_out_of_range && stop == end)
        return quoted(text) + " is beyond the range of double precision";
    const bool is_infinite = error == std::errc{} && stop == end && !std::isfinite(value);
    return quoted(text) + (is_infinite ? " is not a finite number" : " is not a number");
}

// As in base/text.cpp, which is not there for users of the public headers.
std::string to_text(double value) {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

}  // namespace dpadapt::cli
