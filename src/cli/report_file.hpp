#pragma once

#include <dpadapt/privacy.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/html_report.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"

namespace dpadapt::cli {

/** Where the privacy report of a command goes, and whose key signs it. */
struct ReportArguments {
    std::string path;
    std::string key;
};

/** Adds --report and --sign. */
void add_report_arguments(Command &command, ReportArguments &arguments);

/** A report to be saved, if it is wanted: as JSON when the name ends in .json, as a page with
 *  pictures when it ends in .html. */
class ReportFile {
  public:
    /** Finds out what would be in the way of it before a long computation.
     *  @param key  The file of a key; empty: it is not signed. */
    ReportFile(const std::string &path, const std::string &key);

    [[nodiscard]] bool is_wanted() const { return file_.has_value(); }
    /** Whether it is a page, whose pictures need more than the other forms. */
    [[nodiscard]] bool is_page() const { return file_.has_value() && page_; }

    /** As Output::reserve(). */
    void reserve(std::size_t bytes);

    /** @param report  Writes it in a form of dpa_solution_privacy_report. */
    void write(const std::function<std::string(int32_t form)> &report,
               const PageContent &content = {});

  private:
    bool json_;
    bool page_;
    std::string key_;
    std::optional<Output> file_;
};

}  // namespace dpadapt::cli
