#include <memory>

#include "cli/certificate.hpp"
#include "cli/commands.hpp"
#include "cli/file_identity.hpp"
#include "cli/model_file.hpp"
#include "cli/output.hpp"
#include "cli/privacy_report.hpp"
#include "cli/report.hpp"
#include "cli/report_file.hpp"

namespace dpadapt::cli {
namespace {

struct ModelReportArguments {
    std::string model;
    ReportArguments report;
};

/** Whoever wrote the model wrote its report: what does not verify is not signed. */
void check_before_signing(const dpa_solution *solution, const std::string &model) {
    std::string text = privacy_report(solution, DPA_REPORT_JSON);
    if (text.ends_with('\n')) text.pop_back();
    (void)checked_report(text, model);
}

/** The privacy report that a model carries, whatever language has made it. */
void write_report(const ModelReportArguments &arguments) {
    check_outputs({{"--report", arguments.report.path}},
                  {{"--model", arguments.model}, {"--sign", arguments.report.key}});
    ReportFile file(arguments.report.path, arguments.report.key);
    const Model model = read_model(arguments.model);
    const dpa_solution *solution = model.solution.get();
    if (!arguments.report.key.empty()) check_before_signing(solution, arguments.model);
    const Json report = solution_report(solution, model.schema);
    file.write([&](int32_t form) { return report_text(report, solution, form); },
               {report["notes"], {}, {}});
    if (!file.is_wanted())
        Output().write(printable(report_text(report, solution, DPA_REPORT_TEXT)));
}

}  // namespace

void add_report(Command &program) {
    const auto arguments = std::make_shared<ModelReportArguments>();
    Command command = program.add_command(
        "report", "Writes the privacy report of a saved predictor, of any language");
    command.add("--model", arguments->model, "Predictor saved by fit, or by R, Java or C")
        .required()
        .placeholder("MODEL.json");
    add_report_arguments(command, arguments->report);
    command.runs([arguments] { write_report(*arguments); });
}

}  // namespace dpadapt::cli
