#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>

#include "cli/read/arguments.hpp"
#include "cli/read/failure.hpp"
#include "cli/read/settings.hpp"
#include "cli/run/arguments.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/fits.hpp"
#include "cli/show/evaluation.hpp"
#include "cli/show/output.hpp"
#include "schema/labels.hpp"

namespace dpadapt::cli {

namespace {

constexpr const char *kRehearseFooter =
    "A part of the public rows plays the private target, and nothing private is read:\n"
    "no budget is spent. With --source alone it is drawn at random, or are the rows\n"
    "whose column COLUMN has the value VALUE (--by COLUMN=VALUE); or, with\n"
    "private_domain=none, all rows of --target, or of the target in --data. A third\n"
    "of these rows is kept for the errors; the table tells what the others would give,\n"
    "for fewer of them and for several epsilons.\n";

constexpr double kTestShare = 1.0 / 3.0;

struct RehearseArguments {
    DataArguments data;
    std::vector<std::string> assignments;
    std::string by;
    double share = 0.3;
    std::vector<std::string> epsilons{"0.5", "1", "4", "10"};
    std::vector<std::string> sizes;
    std::uint64_t repeats = 5;
    bool json = false;
};

/** Whether each row of the source has the value in the column; rows without a label are none. */
std::vector<bool> rows_with(const RehearseArguments &arguments, const Samples &samples,
                            const std::string &column, const std::string &value) {
    const std::string &label = arguments.data.label;
    const Rows rows = read_rows(arguments.data.source, samples.schema, {column, label}, {});
    const auto read = [&](const std::string &text) {
        return schema::read_cell(text, {samples.schema.missing, false});
    };
    std::vector<std::string> texts;
    for (std::size_t i = 0; i + 1 < rows.kept.size(); i += 2)
        if (read(rows.kept[i + 1]).kind != schema::Cell::Kind::missing)
            texts.push_back(spelling(read(rows.kept[i])));
    const std::set<std::string> distinct(texts.begin(), texts.end());
    const std::vector<std::string> levels(distinct.begin(), distinct.end());
    const std::optional<std::size_t> wanted = schema::Spellings(levels, 0).find(read(value));
    std::vector<bool> taken;
    taken.reserve(texts.size());
    for (const std::string &text : texts) taken.push_back(wanted && text == levels[*wanted]);
    if (taken.size() != samples.source.y.size())
        throw Failure(kBadData, arguments.data.source + ": it changed while it was read");
    return taken;
}

/** The first rows of a sample. */
Sample first_rows(const Sample &sample, std::size_t rows) {
    const std::size_t cols = sample.x.size() / sample.y.size();
    const auto count = static_cast<std::ptrdiff_t>(rows);
    Sample first{false,
                 {sample.x.begin(), sample.x.begin() + count * static_cast<std::ptrdiff_t>(cols)},
                 {sample.y.begin(), sample.y.begin() + count}};
    if (!sample.weights.empty())
        first.weights.assign(sample.weights.begin(), sample.weights.begin() + count);
    return first;
}

/** Its errors are shown as they are, and so would bad cells be. */
void check_public(const RehearseArguments &arguments, bool has_target) {
    const OptionsHandle options = parse_options(arguments.assignments);
    const std::string word = option_text(options.get(), "private_domain");
    if (has_target && word != "none")
        throw Failure(kUsage,
                      "rehearse shows its rows' errors without noise, and the target is private: "
                      "leave --target and --data out, and a part of --source plays the target; or, "
                      "if all rows are public, add --set private_domain=none");
    if (word == "source" || word == "both")
        throw Failure(
            kUsage, "rehearse shows its rows' errors without noise, and private_domain = " + word +
                        " says that the source is private");
    if (!arguments.data.group.empty() || !arguments.data.rows.empty())
        throw Failure(kUsage, "--group and --rows are for private records, and rehearse has none");
}

/** Both parts, the target in a random order. */
Samples read_parts(RehearseArguments &arguments) {
    DataArguments &data = arguments.data;
    const bool has_both = !data.data.empty() || !data.target.empty();
    check_public(arguments, has_both);
    Settings settings(arguments.assignments, without_privacy());
    if (!data.more_sources.empty())
        throw Failure(kUsage, "rehearse has one source: leave --add-source out");
    if (has_both && !arguments.by.empty())
        throw Failure(kUsage, "--by divides the rows of --source: leave --target and --data out");
    if (has_both) {
        check_arguments(data);
        Samples samples = read_samples(data, settings);
        samples.target = shuffled(samples.target);
        return samples;
    }
    if (!data.source_map.empty())
        throw Failure(kUsage, "--source-map needs --target, whose columns it makes");
    if (data.source.empty()) throw Failure(kUsage, "--source is needed, or --data (see --help)");
    const std::size_t equals = arguments.by.find('=');
    const std::string column = arguments.by.substr(0, equals);
    if (!arguments.by.empty()) {
        if (equals == std::string::npos || equals == 0)
            throw Failure(kUsage, "--by needs COLUMN=VALUE, not \"" + arguments.by + '"');
        if (data.source == "-")
            throw Failure(kUsage, "--by reads the file twice, so it cannot be standard input");
        data.ignored.push_back(column);
    }
    check_columns(data);
    Samples samples = read_source(data, settings);
    if (arguments.by.empty()) {
        samples.target = divide(samples.source, arguments.share, 1, "--share");
    } else {
        const std::string value = arguments.by.substr(equals + 1);
        samples.target = move_rows(samples.source, rows_with(arguments, samples, column, value));
        if (samples.target.y.empty() || samples.source.y.empty())
            throw Failure(kUsage, "--by: no row, or every row, has \"" + value + "\" in column \"" +
                                      column + '"');
    }
    samples.target = shuffled(samples.target);
    return samples;
}

std::size_t whole_number(const std::string &text, std::size_t most) {
    std::size_t number = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end || number < 1 || number > most)
        throw Failure(kUsage, "--sizes needs whole numbers from 1 to " + std::to_string(most) +
                                  ", the rows left for fits, not " + text);
    return number;
}

/** How many rows play the target: those that were asked for, or all, a half and a quarter. */
std::vector<std::size_t> sizes_of(const RehearseArguments &arguments, std::size_t most) {
    std::vector<std::size_t> sizes;
    for (const std::string &text : arguments.sizes) sizes.push_back(whole_number(text, most));
    if (sizes.empty())
        for (const std::size_t part : {4U, 2U, 1U})
            if (most / part > 0) sizes.push_back(most / part);
    return sizes;
}

/** Errors by the main measure, of solutions on the rows that are kept for them. */
class Judge {
  public:
    Judge(const Sample &rows, const RehearseArguments &arguments, std::size_t features)
        : rows_(rows), arguments_(arguments), features_(features) {}

    std::vector<double> errors(const std::vector<Candidate> &candidates) {
        const Settings settings(arguments_.assignments, without_privacy());
        const Json report = evaluation_report({&rows_, nullptr, features_}, nullptr,
                                              handles(candidates), names(candidates), settings);
        measure_ = main_measure(report["measures"]);
        if (measure_ == "squared_error") measure_ = "root_mean_squared_error";
        std::vector<double> list;
        for (const Json &measure : report["measures"])
            if (measure["name"] == measure_) list.push_back(measure["estimate"]);
        return list;
    }
    [[nodiscard]] const std::string &measure() const { return measure_; }

  private:
    const Sample &rows_;
    const RehearseArguments &arguments_;
    std::size_t features_;
    std::string measure_;
};

/** Mean, least and largest error of private fits with fresh noise. */
Json private_cell(const RehearseArguments &arguments, const Samples &samples,
                  const std::string &epsilon, Judge &judge) {
    std::vector<std::string> budget{"private_domain=target", "epsilon=" + epsilon};
    if (option_text(parse_options(arguments.assignments).get(), "delta") == "unset")
        budget.emplace_back("delta=1e-6");
    std::vector<Candidate> fits;
    for (std::uint64_t i = 0; i < arguments.repeats; ++i) {
        check_interrupted();
        Settings settings(arguments.assignments, budget);
        fits.push_back(adapted(samples, nullptr, settings.options()));
        settings.progress().finish();
    }
    const std::vector<double> errors = judge.errors(fits);
    double sum = 0.0;
    for (const double error : errors) sum += error;
    return {{"epsilon", std::stod(epsilon)},
            {"mean", sum / static_cast<double>(errors.size())},
            {"least", *std::min_element(errors.begin(), errors.end())},
            {"largest", *std::max_element(errors.begin(), errors.end())}};
}

/** As in a fit, where private rows may have none without it. */
bool weighs_private(const RehearseArguments &arguments) {
    return option_text(parse_options(arguments.assignments).get(), "row_weight_bound") != "none";
}

Json row_of(const RehearseArguments &arguments, Samples &samples, Judge &judge) {
    std::vector<Candidate> open;
    {
        Settings settings(arguments.assignments, without_privacy());
        for (const char *name : {"source_only", "target_only"})
            open.push_back(public_baseline(name, samples, settings.options()));
        open.push_back(adapted(samples, nullptr, settings.options()));
        settings.progress().finish();
    }
    const std::vector<double> errors = judge.errors(open);
    Json row = {{"target_rows", samples.target.y.size()}};
    for (std::size_t k = 0; k < open.size(); ++k) row[open[k].name] = errors[k];
    row["private"] = Json::array();
    if (!weighs_private(arguments)) samples.target.weights.clear();
    for (const std::string &epsilon : arguments.epsilons)
        row["private"].push_back(private_cell(arguments, samples, epsilon, judge));
    return row;
}

std::string column(const std::string &text) {
    std::array<char, 32> padded{};
    std::snprintf(padded.data(), padded.size(), " %12s", text.c_str());
    return padded.data();
}

std::string cell(const Json &value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value.get<double>());
    return column(text.data());
}

std::string rehearsal_text(const Json &report) {
    std::string text =
        "A rehearsal on public rows: nothing private was read, nothing was spent.\n" +
        report["source_rows"].dump() + " rows play the source; " +
        report["measure"].get<std::string>() + " on " + report["test_rows"].dump() +
        " rows that no fit has seen, mean of " + report["repeats"].dump() +
        " draws of the noise\n\n";
    text += column("rows") + column("source_only") + column("target_only") + column("adapted");
    for (const Json &item : report["table"][0]["private"])
        text += column("eps " + to_text(item["epsilon"].get<double>()));
    text += '\n';
    for (const Json &row : report["table"]) {
        text += column(row["target_rows"].dump()) + cell(row["source_only"]) +
                cell(row["target_only"]) + cell(row["adapted"]);
        for (const Json &item : row["private"]) text += cell(item["mean"]);
        text += '\n';
    }
    return text +
           "\nsource_only needs no private row; target_only and adapted are without privacy.\n" +
           (report.contains("note") ? report["note"].get<std::string>() + '\n' : "");
}

void rehearse(RehearseArguments &arguments) {
    Samples parts = read_parts(arguments);
    const auto tests = static_cast<std::size_t>(
        std::ceil(kTestShare * static_cast<double>(parts.target.y.size())));
    if (tests >= parts.target.y.size())
        throw Failure(kUsage, "too few rows play the target: " + std::to_string(tests));
    std::vector<bool> taken(parts.target.y.size());
    std::fill_n(taken.rbegin(), tests, true);
    const Sample test = move_rows(parts.target, taken);
    const Sample players = parts.target;
    Judge judge(test, arguments, parts.features.size());
    Json table = Json::array();
    for (const std::size_t size : sizes_of(arguments, players.y.size())) {
        parts.target = first_rows(players, size);
        table.push_back(row_of(arguments, parts, judge));
    }
    Json report = {{"measure", judge.measure()},
                   {"source_rows", parts.source.y.size()},
                   {"test_rows", tests},
                   {"repeats", arguments.repeats},
                   {"table", table}};
    if (!arguments.data.weights.empty() && !weighs_private(arguments))
        report["note"] =
            "Private fits took the rows that play the target as alike: weights of private rows "
            "need --set row_weight_bound=W.";
    Output().write(arguments.json ? report.dump() + '\n' : printable(rehearsal_text(report)));
}

}  // namespace

void add_rehearse(Command &program) {
    const auto arguments = std::make_shared<RehearseArguments>();
    Command command = program.add_command(
        "rehearse",
        "Simulates private fits on public rows: errors by rows and epsilon, at no price");
    add_data_arguments(command, arguments->data);
    for (const char *flag : {"--rows", "--group", "--add-source"}) command.argument(flag).hidden();
    add_settings(command, arguments->assignments);
    command.add("--by", arguments->by, "The rows of --source that play the target")
        .placeholder("COLUMN=VALUE");
    command
        .add("--share", arguments->share,
             "Without --by: the share of --source that does, at random")
        .shows_default()
        .within(0.0, 0.9)
        .placeholder("SHARE");
    command.add_list("--epsilons", arguments->epsilons, "Budgets to try")
        .shows_default()
        .placeholder("A,B,C");
    command
        .add_list("--sizes", arguments->sizes,
                  "Numbers of target rows to try (default: all, a half, a quarter)")
        .placeholder("A,B,C");
    command.add("--repeats", arguments->repeats, "Draws of the noise for each cell")
        .shows_default()
        .within(1, 1000)
        .placeholder("N");
    command.add_flag("--json", arguments->json, "Prints one JSON object");
    command.footer(kRehearseFooter);
    command.runs([arguments] { rehearse(*arguments); });
}

}  // namespace dpadapt::cli
