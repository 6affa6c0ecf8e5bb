#include <memory>

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

/** The privacy report that a model carries, whatever language has made it. */
void write_report(const ModelReportArguments &arguments) {
    check_outputs({{"--report", arguments.report.path}},
                  {{"--model", arguments.model}, {"--sign", arguments.report.key}});
    ReportFile file(arguments.report.path, arguments.report.key);
    const Model model = read_model(arguments.model);
    const dpa_solution *solution = model.solution.get();
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
