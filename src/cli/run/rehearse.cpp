#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "cli/read/failure.hpp"
#include "cli/run/assess.hpp"
#include "schema/labels.hpp"

namespace dpadapt::cli {

namespace {

constexpr double kTestShare = 1.0 / 3.0;

/** Whether each row of the source has the value in the column; rows without a label are none. */
std::vector<bool> rows_with(const AssessArguments &arguments, const Samples &samples,
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

/** Moves the last rows of a sample into another. */
Sample take_last(Sample &sample, std::size_t count) {
    std::vector<bool> taken(sample.y.size());
    std::fill_n(taken.rbegin(), count, true);
    return move_rows(sample, taken);
}

/** Refuses private rows: errors, and messages about bad cells, are shown without noise. */
void check_public(const AssessArguments &arguments, bool has_target) {
    const std::string word = option_text(arguments.assignments, "private_domain");
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

/** Rows of the source that play the target. */
Samples divided_source(const AssessArguments &arguments, const Settings &settings) {
    DataArguments data = arguments.data;
    if (!data.source_map.empty())
        throw Failure(kUsage, "--source-map needs --target, whose columns it makes");
    if (data.source.empty()) throw Failure(kUsage, "--source is needed, or --data (see --help)");
    const std::size_t equals = arguments.by.find('=');
    const std::string column = arguments.by.substr(0, equals);
    const bool is_drawn = arguments.by.empty();
    if (!is_drawn && (equals == std::string::npos || equals == 0))
        throw Failure(kUsage, "--by needs COLUMN=VALUE, not \"" + arguments.by + '"');
    if (!is_drawn && data.source == "-")
        throw Failure(kUsage, "--by reads the file twice, so it cannot be standard input");
    if (!is_drawn) data.ignored.push_back(column);
    check_columns(data);
    Samples samples = read_source(data, settings);
    if (is_drawn) {
        samples.target = divide(samples.source, arguments.share, 1, "--share");
        samples.schema.notes.emplace_back(
            "Rows drawn at random are like the others, so there is nothing to adapt to: "
            "--by COLUMN=VALUE names rows that differ.");
        return samples;
    }
    samples.schema.notes.push_back("Not used, because it divides the rows: " + column + '.');
    const std::string value = arguments.by.substr(equals + 1);
    samples.target = move_rows(samples.source, rows_with(arguments, samples, column, value));
    if (samples.target.y.empty() || samples.source.y.empty())
        throw Failure(kUsage, "--by: no row, or every row, has \"" + value + "\" in column \"" +
                                  column + '"');
    return samples;
}

/** Both parts, the target in a random order. */
Samples read_parts(const AssessArguments &arguments) {
    const DataArguments &data = arguments.data;
    const bool has_both = !data.data.empty() || !data.target.empty();
    check_public(arguments, has_both);
    const Settings settings(arguments.assignments, without_privacy());
    if (!data.more_sources.empty())
        throw Failure(kUsage, "rehearse has one source: leave --add-source out");
    if (has_both && !arguments.by.empty())
        throw Failure(kUsage, "--by divides the rows of --source: leave --target and --data out");
    if (has_both) check_arguments(data);
    Samples samples = has_both ? read_samples(data, settings) : divided_source(arguments, settings);
    samples.target = shuffled(samples.target);
    return samples;
}

/** How many rows play the target: those that were asked for, or all, a half and a quarter. */
std::vector<std::size_t> sizes_of(const AssessArguments &arguments, std::size_t most) {
    std::vector<std::size_t> sizes;
    for (const std::string &text : arguments.sizes) {
        sizes.push_back(whole_number(text, most));
        if (sizes.back() == 0)
            throw Failure(kUsage, "--sizes needs whole numbers from 1 to " + std::to_string(most) +
                                      ", the rows left for fits, not " + text);
    }
    if (sizes.empty())
        for (const std::size_t part : {4U, 2U, 1U})
            if (most / part > 0) sizes.push_back(most / part);
    return sizes;
}

/** Errors by the main measure, of solutions on the rows that are kept for them. */
struct TestErrors {
    [[nodiscard]] std::vector<double> of(const std::vector<Candidate> &candidates) {
        const Settings settings(arguments.assignments, without_privacy());
        const Json measures =
            evaluation_report({&rows, nullptr, features}, {}, candidates, settings)["measures"];
        measure = main_measure(measures);
        if (measure == "squared_error") measure = "root_mean_squared_error";
        std::vector<double> list;
        for (const Json &found : measures)
            if (found["name"] == measure) list.push_back(found["estimate"]);
        return list;
    }

    const Sample &rows;
    const AssessArguments &arguments;
    std::size_t features;
    std::string measure{};
};

/** Mean, least and largest error of private fits with fresh noise. */
Json private_cell(const AssessArguments &arguments, const Samples &samples,
                  const std::string &epsilon, TestErrors &measured) {
    std::vector<std::string> budget{"private_domain=target", "epsilon=" + epsilon};
    if (option_text(arguments.assignments, "delta") == "unset") budget.emplace_back("delta=1e-6");
    std::vector<Candidate> fits;
    for (std::uint64_t i = 0; i < arguments.repeats; ++i) {
        check_interrupted();
        Settings settings(arguments.assignments, budget);
        fits.push_back({"adapted", solve(make_problem(samples), {}, settings.options())});
        settings.progress().finish();
    }
    const std::vector<double> errors = measured.of(fits);
    double sum = 0.0;
    for (const double error : errors) sum += error;
    return {{"epsilon", std::stod(epsilon)},
            {"mean", sum / static_cast<double>(errors.size())},
            {"least", *std::min_element(errors.begin(), errors.end())},
            {"largest", *std::max_element(errors.begin(), errors.end())}};
}

/** As in a fit, where private rows may have none without it. */
bool weighs_private(const AssessArguments &arguments) {
    return option_text(arguments.assignments, "row_weight_bound") != "none";
}

std::vector<std::string> epsilons_of(const AssessArguments &arguments) {
    if (!arguments.epsilons.empty()) return arguments.epsilons;
    const std::string one = option_text(arguments.assignments, "epsilon");
    return one == "unset" ? std::vector<std::string>{"0.5", "1", "4", "10"} : std::vector{one};
}

Json row_of(const AssessArguments &arguments, Samples &samples, TestErrors &measured) {
    std::vector<Candidate> open;
    {
        Settings settings(arguments.assignments, without_privacy());
        for (const auto &[name, baseline] : {std::pair("source_only", "source_only"),
                                             {"target_only", "target_only"},
                                             {"adapted", ""}})
            open.push_back({name, solve(make_problem(samples), baseline, settings.options())});
        settings.progress().finish();
    }
    const std::vector<double> errors = measured.of(open);
    Json row = {{"target_rows", samples.target.y.size()}};
    for (std::size_t k = 0; k < open.size(); ++k) row[open[k].name] = errors[k];
    row["private"] = Json::array();
    if (!weighs_private(arguments)) samples.target.weights.clear();
    for (const std::string &epsilon : epsilons_of(arguments))
        row["private"].push_back(private_cell(arguments, samples, epsilon, measured));
    return row;
}

}  // namespace

void rehearse(const AssessArguments &arguments) {
    Samples parts = read_parts(arguments);
    const auto tests = static_cast<std::size_t>(
        std::ceil(kTestShare * static_cast<double>(parts.target.y.size())));
    if (tests >= parts.target.y.size())
        throw Failure(kUsage, "too few rows play the target: " + std::to_string(tests));
    const Sample test = take_last(parts.target, tests);
    const Sample players = parts.target;
    TestErrors measured{test, arguments, parts.features.size()};
    Json table = Json::array();
    for (const std::size_t size : sizes_of(arguments, players.y.size())) {
        parts.target = players;
        (void)take_last(parts.target, players.y.size() - size);
        table.push_back(row_of(arguments, parts, measured));
    }
    Json report = {{"sentence", ""},
                   {"measure", measured.measure},
                   {"source_rows", parts.source.y.size()},
                   {"test_rows", tests},
                   {"repeats", arguments.repeats},
                   {"table", table}};
    if (!arguments.data.weights.empty() && !weighs_private(arguments))
        report["note"] =
            "Private fits took the rows that play the target as alike: weights of private rows "
            "need --set row_weight_bound=W.";
    add_notes(parts.schema, report);
    report["sentence"] = sentence_of_rehearsal(report);
    Output().write(arguments.json ? report.dump() + '\n' : printable(rehearsal_text(report)));
}

}  // namespace dpadapt::cli
