#include <memory>
#include <optional>
#include <utility>

#include "cli/read/arguments.hpp"
#include "cli/read/failure.hpp"
#include "cli/read/large_rows.hpp"
#include "cli/read/model_file.hpp"
#include "cli/read/samples.hpp"
#include "cli/read/settings.hpp"
#include "cli/run/arguments.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/fits.hpp"
#include "cli/show/evaluation.hpp"
#include "cli/show/output.hpp"
#include "cli/show/privacy_report.hpp"
#include "cli/show/provenance.hpp"
#include "cli/show/report.hpp"
#include "cli/show/report_file.hpp"

namespace dpadapt::cli {

namespace {

struct FitArguments {
    DataArguments data;
    std::vector<std::string> assignments;
    std::string ledger;
    std::string output;
    ReportArguments report;
    bool json = false;
    bool weights = false;
    double holdout = 0.0;
    std::string memory;  // for rows; empty: as much as they need
    bool keeps_weights = false;
};

/** @param large  Null where the samples have all rows. */
SolutionHandle solve(const Samples &samples, LargeSamples *large, const LedgerHandle &ledger,
                     Settings &settings) {
    const ProblemHandle problem = large != nullptr ? large->make_problem() : make_problem(samples);
    use_ledger(problem, ledger);
    dpa_solution *solution = nullptr;
    pay(problem, "the fit", [&] {
        const dpa_status status = dpa_solve(problem.get(), nullptr, settings.options(), &solution);
        if (large != nullptr) large->check_readings();
        check(status);
    });
    settings.progress().finish();
    return SolutionHandle(solution);
}

/** The error on rows of the target that the fit has not seen. */
Json evaluate(const Model &model, const Samples &samples, const Sample &rows,
              const LedgerHandle &ledger, const Settings &settings) {
    const Sample *reference = samples.source.is_private ? nullptr : &samples.source;
    return evaluation_report({&rows, reference, samples.features.size()}, ledger,
                             {model.solution.get()}, {}, settings);
}

/** What the report shows beside the promise that public facts tell; made before a payment, because
 *  public files are read anew and fitted. */
struct PublicFacts {
    Json provenance;
    std::optional<Candidate> fit;  // of the public sample alone, to compare with in a page
};

/** The page goes without where the options have no such fit. */
std::optional<Candidate> public_fit(const FitArguments &arguments, const Samples &samples) {
    std::vector<std::string> open = without_privacy();
    open.insert(open.end(),
                {"method=profile", "inference=auto", "labelled_share=auto", "row_weight_bound=none",
                 "discrepancy_share=auto", "laplace_epsilon=auto", "own_columns=constant"});
    try {
        const OptionsHandle options = parse_options(arguments.assignments, open);
        return public_only(samples.source.is_private ? "target" : "source", samples, options.get());
    } catch (const Failure &failure) {
        if (failure.code() == kInterrupted) throw;
        return {};
    }
}

PublicFacts public_facts(const ReportFile &file, const FitArguments &arguments,
                         const Samples &samples, const Settings &settings) {
    if (!file.is_wanted()) return {};
    PublicFacts facts{provenance("fit", arguments.data, arguments.assignments, samples), {}};
    const bool both = samples.source.is_private && samples.target.is_private;
    const bool has_picture = settings.get("loss") != "perceptron" &&
                             settings.get("loss") != "custom" && samples.source_elsewhere == 0;
    if (file.is_page() && !both && has_picture) facts.fit = public_fit(arguments, samples);
    return facts;
}

PageContent page_content(PublicFacts facts, const Samples &samples, const Json &report,
                         const std::string &model) {
    if (facts.provenance.is_object()) add_model(model, facts.provenance);
    PageContent content{report["notes"], {}, std::move(facts.provenance)};
    if (!facts.fit || !report["coefficients"].is_array()) return content;
    const Sample &rows = samples.source.is_private ? samples.target : samples.source;
    content.effects = effects_of(facts.fit->solution.get(), report, samples.features, rows.x);
    return content;
}

/** Rows of each source, and its share of the weight. */
Json source_shares(const DataArguments &arguments, const Samples &samples,
                   const dpa_solution *solution) {
    std::vector<double> weights(samples.sources.size());
    check(dpa_solution_source_weights(solution, weights.data(), weights.size()));
    std::vector<std::string> files{arguments.source};
    files.insert(files.end(), arguments.more_sources.begin(), arguments.more_sources.end());
    std::vector<double> shares(files.size());
    std::vector<std::size_t> rows(files.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto k = static_cast<std::size_t>(samples.sources[i]);
        shares[k] += weights[i];
        ++rows[k];
    }
    Json list = Json::array();
    for (std::size_t k = 0; k < files.size(); ++k)
        list.push_back({{"file", files[k]}, {"rows", rows[k]}, {"weight", shares[k]}});
    return list;
}

void fit(const FitArguments &arguments) {
    check_arguments(arguments.data);
    const std::size_t memory =
        arguments.memory.empty() ? 0 : parse_memory("--memory", arguments.memory);
    check_outputs({{"--output", arguments.output}, {"--report", arguments.report.path}},
                  input_files(arguments.data, arguments.ledger, arguments.report.key));
    Settings settings(arguments.assignments);
    const LedgerHandle ledger = open_ledger(arguments.ledger, settings);
    std::optional<Output> model_file;
    ReportFile report_file(arguments.report.path, arguments.report.key);
    if (!arguments.output.empty()) model_file.emplace(arguments.output, settings.readers());

    const bool is_large = !arguments.memory.empty();
    Samples samples;
    std::optional<LargeSamples> large;
    if (is_large) {
        large.emplace(arguments.data, settings, memory, samples);
    } else {
        samples = read_samples(arguments.data, settings);
    }
    std::optional<Sample> held_out;
    if (arguments.holdout > 0.0) {
        held_out = hold_out(samples.target, arguments.holdout);
        check_fit_and_evaluation(samples, ledger, arguments.assignments, settings);
    }
    PublicFacts facts = public_facts(report_file, arguments, samples, settings);
    Output printed;
    if (settings.is_private()) {
        if (model_file)
            model_file->reserve(room_for_model(samples, settings, arguments.keeps_weights));
        const std::size_t room = room_for_report(samples, settings, arguments.weights);
        report_file.reserve(room);
        printed.reserve(room + (held_out ? room_for_evaluation(1) : 0));
    }
    const Model model{arguments.data.label, samples.schema,
                      solve(samples, large ? &*large : nullptr, ledger, settings),
                      arguments.keeps_weights, arguments.data.scores};
    Result result{model_text(model), settings.is_private()};
    deliver(result, [&] {
        Json evaluation;
        if (held_out) evaluation = evaluate(model, samples, *held_out, ledger, settings);
        if (held_out) tell_unweighed(arguments.data, evaluation);
        Json report = solution_report(model.solution.get(), samples.schema);
        if (!samples.sources.empty()) {
            report["sources"] = source_shares(arguments.data, samples, model.solution.get());
            for (const Json &source : report["sources"])
                report["notes"].push_back(source["file"].get<std::string>() + ": " +
                                          source["rows"].dump() + " rows, weight " +
                                          to_text(source["weight"].get<double>()) + '.');
        }
        const PageContent content = page_content(std::move(facts), samples, report, result.text);
        if (model_file) {
            model_file->write(result.text);
            result.saved = true;
        }
        report_file.write(
            [&](int32_t form) { return report_text(report, model.solution.get(), form); }, content);
        if (arguments.weights) add_weights(model.solution.get(), report);
        if (held_out) report["evaluation"] = evaluation;
        printed.write(
            arguments.json
                ? report.dump() + '\n'
                : printable(solution_text(report) +
                            (held_out ? "\nHeld-out rows: " + evaluation_text(evaluation) : "")));
    });
}

}  // namespace

void add_fit(Command &program) {
    const auto arguments = std::make_shared<FitArguments>();
    Command command =
        program.add_command("fit", "Fits a predictor for the target from both samples");
    add_data_arguments(command, arguments->data);
    add_settings(command, arguments->assignments);
    command.add_assignment("--method", arguments->assignments, "Same as --set method=NAME")
        .placeholder("profile|paper");
    add_ledger_argument(command, arguments->ledger);
    const auto output = command.add("--output", arguments->output, "Saves the predictor");
    Argument(output).placeholder("MODEL.json");
    command
        .add_flag("--keep-weights", arguments->keeps_weights,
                  "Saves the weights of the public records too")
        .needs(output);
    add_report_arguments(command, arguments->report);
    const auto json = command.add_flag("--json", arguments->json, "Prints one JSON object");
    command
        .add_flag("--weights", arguments->weights,
                  "Adds the weights of the records to the JSON object")
        .needs(json);
    const auto memory =
        command.add("--memory", arguments->memory,
                    "Memory for the rows of a private target and a public source: where they need "
                    "more, a file is read anew for each step");
    Argument(memory).placeholder("SIZE");
    command
        .add("--holdout", arguments->holdout,
             "Share of the target's rows that the fit does not see and on which its error is "
             "measured; each row pays epsilon and delta once")
        .within(0.0, 0.9)
        .excludes(memory)
        .placeholder("SHARE");
    command.runs([arguments] { fit(*arguments); });
}

}  // namespace dpadapt::cli
