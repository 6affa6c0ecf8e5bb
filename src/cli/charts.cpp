#include "cli/charts.hpp"

#include <algorithm>

#include "cli/failure.hpp"

namespace dpadapt::cli {

ChartFile::ChartFile(const std::string &path) {
    if (path.empty()) return;
    if (!path.ends_with(".svg"))
        throw Failure(kUsage, "--plot draws SVG, but " + path + " does not end in .svg");
    file_.emplace(path);
}

void ChartFile::reserve(std::size_t bytes) {
    if (file_) file_->reserve(bytes);
}

void ChartFile::write(const std::string &chart) {
    if (file_) file_->write(chart);
}

Argument add_plot_argument(Command &command, std::string &path, const char *what) {
    Argument argument = command.add("--plot", path, what);
    argument.placeholder("FILE.svg");
    return argument;
}

}  // namespace dpadapt::cli
