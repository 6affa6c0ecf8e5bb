#pragma once

#include <optional>
#include <string>

#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"

namespace dpadapt::cli {

// Pictures as SVG files of their own. They are written here and not by a library: a program that
// plots (gnuplot) would be a second process with data of the first, PLplot has had no release since
// 2019, and cairo knows no axes and turns every word into outlines, which nobody can search, read
// aloud or test. The report's pictures have the same parts.

/** A forecast, the list that `plan --forecast --json` prints: a panel for each shift. */
[[nodiscard]] std::string chart_of_forecast(const Json &forecast);

/** What `evaluate --json` prints: an interval for every measure of every model, and of classes the
 *  share of positive labels by probability. */
[[nodiscard]] std::string chart_of_evaluation(const Json &report);

/** Where a picture goes, if it is wanted. */
class ChartFile {
  public:
    /** Finds out what would be in the way of it before a long computation; a name that does not end
     *  in .svg is a Failure. */
    explicit ChartFile(const std::string &path);

    [[nodiscard]] bool is_wanted() const { return file_.has_value(); }
    /** As Output::reserve(). */
    void reserve(std::size_t bytes);
    void write(const std::string &chart);

  private:
    std::optional<Output> file_;
};

/** Adds --plot. */
Argument add_plot_argument(Command &command, std::string &path, const char *what);

}  // namespace dpadapt::cli
