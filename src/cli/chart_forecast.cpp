#include <algorithm>
#include <cmath>
#include <set>

#include "cli/charts.hpp"
#include "cli/pictures.hpp"

namespace dpadapt::cli {
namespace {

constexpr double kPanelWidth = 300.0;
constexpr double kPanelHeight = 230.0;
constexpr double kLegend = 46.0;
constexpr const char *kForecastMethods[] = {"private", "source_only", "target_only"};

std::string method_in_words(const std::string &method) {
    if (method == "private") return "private adaptation, with its range";
    return method == "source_only" ? "source only" : "target only, without privacy";
}

/** The axes of all panels: epsilon by its rank or logarithm, error from 0 on. */
class ForecastAxes {
  public:
    explicit ForecastAxes(const Json &forecast) {
        std::set<double> epsilons;
        for (const Json &cell : forecast) {
            epsilons.insert(cell["epsilon"].get<double>());
            for (const char *method : kForecastMethods)
                most_ = std::max(most_, cell[std::string(method) + "_upper"].get<double>());
        }
        epsilons_.assign(epsilons.begin(), epsilons.end());
        if (!(most_ > 0.0)) most_ = 1.0;
    }

    [[nodiscard]] double x(double epsilon) const {
        const double least = std::log(epsilons_.front());
        const double range = std::log(epsilons_.back()) - least;
        const double share = range > 0.0 ? (std::log(epsilon) - least) / range : 0.5;
        return 52.0 + share * (kPanelWidth - 82.0);
    }
    [[nodiscard]] static double height(double share) { return 28.0 + (1.0 - share) * 150.0; }
    [[nodiscard]] double y(double error) const { return height(error / most_); }

    [[nodiscard]] std::string draw(double left, double top, const std::string &title) const {
        std::string text = svg::text(left + 44.0, top + 14.0, title);
        for (const double share : {0.0, 0.5, 1.0}) {
            const double at = top + height(share);
            text += svg::line(left + 44.0, at, left + kPanelWidth - 16.0, at, "grid");
            text += svg::text(left + 40.0, at + 4.0, svg::digits(share * most_, 3), "end");
        }
        for (const double epsilon : epsilons_)
            text += svg::text(left + x(epsilon), top + 194.0, svg::digits(epsilon, 3), "middle");
        return text + svg::text(left + kPanelWidth / 2.0, top + 211.0, "epsilon", "middle");
    }

  private:
    std::vector<double> epsilons_;
    double most_ = 0.0;
};

std::string method_in_panel(const ForecastAxes &axes, const std::vector<const Json *> &cells,
                            double left, double top, const std::string &method) {
    std::string path;
    std::string marks;
    for (const Json *cell : cells) {
        const double error = (*cell)[method];
        const double lower = (*cell)[method + "_lower"];
        const double upper = (*cell)[method + "_upper"];
        const double x = left + axes.x((*cell)["epsilon"]);
        const std::string words = method_in_words(method) + ": " + svg::digits(error, 4) + ", " +
                                  svg::digits(lower, 4) + " to " + svg::digits(upper, 4);
        path += svg::place(x) + ',' + svg::place(top + axes.y(error)) + ' ';
        if (method == "private")
            marks +=
                svg::line(x, top + axes.y(lower), x, top + axes.y(upper), method.c_str(), words);
        marks += svg::dot(x, top + axes.y(error), method.c_str(), words);
    }
    return svg::polyline(path, method.c_str()) + marks;
}

}  // namespace

std::string chart_of_forecast(const Json &forecast) {
    std::vector<double> shifts;
    std::size_t silent = 0;
    for (const Json &cell : forecast) {
        const double shift = cell["shift"];
        if (std::find(shifts.begin(), shifts.end(), shift) == shifts.end()) shifts.push_back(shift);
        silent += cell["learning_bound"]["says_nothing"].get<bool>() ? 1 : 0;
    }
    const ForecastAxes axes(forecast);
    const std::size_t columns = shifts.size() > 1 ? 2 : 1;
    std::string drawing;
    for (std::size_t panel = 0; panel < shifts.size(); ++panel) {
        const double left = kPanelWidth * static_cast<double>(panel % columns);
        const std::size_t row = panel / columns;
        const double top = kLegend + kPanelHeight * static_cast<double>(row);
        std::vector<const Json *> cells;
        for (const Json &cell : forecast)
            if (cell["shift"] == shifts[panel]) cells.push_back(&cell);
        drawing += axes.draw(left, top, "domains differ by " + svg::digits(shifts[panel], 3));
        for (const char *method : {"source_only", "target_only", "private"})
            drawing += method_in_panel(axes, cells, left, top, method);
    }
    const std::size_t rows = (shifts.size() + columns - 1) / columns;
    const double height = kLegend + kPanelHeight * static_cast<double>(rows) + 24.0;
    const double width = kPanelWidth * static_cast<double>(columns);
    double y = 14.0;
    for (const char *method : kForecastMethods) {
        drawing += svg::line(12.0, y - 4.0, 28.0, y - 4.0, method) +
                   svg::text(34.0, y, method_in_words(method));
        y += 15.0;
    }
    drawing += svg::text(12.0, height - 10.0,
                         "The learning bound says nothing in " + std::to_string(silent) + " of " +
                             std::to_string(forecast.size()) + " cells.");
    const std::string error = forecast.empty() ? "" : forecast[0]["error"].get<std::string>();
    return svg::document(width, height, "Errors to expect (" + error + ")",
                         "By epsilon, a panel for each assumed difference of the domains: the mean "
                         "error of private adaptation with its range, of the source alone, and of "
                         "the target alone without privacy.",
                         drawing);
}

}  // namespace dpadapt::cli
