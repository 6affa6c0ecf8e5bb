#include <algorithm>
#include <cmath>

#include "cli/charts.hpp"
#include "cli/evaluation.hpp"
#include "cli/pictures.hpp"

namespace dpadapt::cli {
namespace {

constexpr double kChartWidth = 520.0;
constexpr double kMargin = 16.0;
constexpr double kChartRow = 34.0;
constexpr double kSquare = 260.0;
constexpr const char *kModelKinds[] = {"first", "second", "third"};

/** Its ends may be open; then the line goes to the edge. */
bool has_interval(const Json &item) { return item["estimate"].is_number(); }

std::string interval_in_words(const Json &item) {
    return svg::digits(item["estimate"], 4) + " [" + svg::digits(lower_end(item), 4) + ", " +
           svg::digits(upper_end(item), 4) + ']';
}

std::vector<std::string> models_of(const Json &list) {
    std::vector<std::string> models;
    for (const Json &item : list) {
        const std::string model = item.value("model", "");
        if (std::find(models.begin(), models.end(), model) == models.end()) models.push_back(model);
    }
    return models;
}

const char *kind_of(const std::vector<std::string> &models, const std::string &model) {
    const auto at = std::find(models.begin(), models.end(), model) - models.begin();
    return kModelKinds[static_cast<std::size_t>(at) % std::size(kModelKinds)];
}

/** All models' intervals of a measure, on an axis of its own, which begins at 0 unless one of them
 *  lies below. */
class MeasurePanel {
  public:
    MeasurePanel(const Json &measures, const std::string &name) {
        for (const Json &item : measures)
            if (item["name"] == name && has_interval(item)) items_.push_back(&item);
        for (const Json *item : items_) {
            const double estimate = (*item)["estimate"];
            const double lower = lower_end(*item);
            const double upper = upper_end(*item);
            least_ = std::min(
                {least_, estimate, std::isfinite(lower) ? lower : estimate - std::abs(estimate)});
            most_ = std::max(
                {most_, estimate, std::isfinite(upper) ? upper : estimate + std::abs(estimate)});
        }
        if (!(least_ < most_)) most_ = least_ + 1.0;
    }

    [[nodiscard]] double height() const {
        return 44.0 + kChartRow * static_cast<double>(items_.size());
    }

    [[nodiscard]] std::string draw(const std::vector<std::string> &models, const std::string &name,
                                   double top) const {
        std::string text = svg::text(kMargin, top + 12.0, name);
        double y = top + 20.0;
        const double bottom = y + kChartRow * static_cast<double>(items_.size());
        text += svg::line(x(0.0), y, x(0.0), bottom, "grid");
        for (const Json *item : items_) {
            const std::string model = item->value("model", "");
            const char *kind = kind_of(models, model);
            text += svg::text(
                kMargin, y + 11.0,
                (model.empty() ? "" : shortened(model) + ": ") + interval_in_words(*item));
            y += kChartRow;
            text += svg::line(x(lower_end(*item)), y - 12.0, x(upper_end(*item)), y - 12.0, kind,
                              interval_in_words(*item));
            text += svg::dot(x((*item)["estimate"]), y - 12.0, kind, interval_in_words(*item));
        }
        text += svg::line(kMargin, bottom, kChartWidth - kMargin, bottom, "axis");
        return text + svg::text(kMargin, bottom + 14.0, svg::digits(least_, 3)) +
               svg::text(kChartWidth - kMargin, bottom + 14.0, svg::digits(most_, 3), "end");
    }

  private:
    [[nodiscard]] double x(double value) const {
        const double share = std::clamp((value - least_) / (most_ - least_), 0.0, 1.0);
        return kMargin + share * (kChartWidth - 2.0 * kMargin);
    }

    std::vector<const Json *> items_;
    double least_ = 0.0;
    double most_ = 0.0;
};

/** The share of positive labels by probability; where both agree is the diagonal. */
std::string draw_calibration(const Json &list, const std::vector<std::string> &models, double top) {
    const auto x = [](double value) { return 48.0 + value * kSquare; };
    const auto y = [&](double value) { return top + 24.0 + (1.0 - value) * kSquare; };
    std::string text = svg::text(kMargin, top + 12.0, "calibration: share of positive labels");
    for (const double tick : {0.0, 0.5, 1.0}) {
        text += svg::line(x(0.0), y(tick), x(1.0), y(tick), "grid") +
                svg::text(x(0.0) - 4.0, y(tick) + 4.0, svg::digits(tick, 2), "end") +
                svg::text(x(tick), y(0.0) + 16.0, svg::digits(tick, 2), "middle");
    }
    text += svg::line(x(0.0), y(0.0), x(1.0), y(1.0), "axis");
    for (const Json &item : list) {
        if (!has_interval(item)) continue;
        const double middle = 0.5 * (item["from"].get<double>() + item["to"].get<double>());
        const char *kind = kind_of(models, item.value("model", ""));
        const std::string words = "probability " + svg::digits(item["from"], 3) + " to " +
                                  svg::digits(item["to"], 3) + ": " + interval_in_words(item);
        text +=
            svg::line(x(middle), y(lower_end(item)), x(middle), y(upper_end(item)), kind, words);
        text += svg::dot(x(middle), y(item["estimate"]), kind, words);
    }
    return text + svg::text(x(0.5), y(0.0) + 32.0, "predicted probability", "middle");
}

}  // namespace

std::string chart_of_evaluation(const Json &report) {
    const Json &measures = report["measures"];
    const std::vector<std::string> models = models_of(measures);
    std::vector<std::string> names;
    for (const Json &item : measures)
        if (std::find(names.begin(), names.end(), item["name"]) == names.end())
            names.push_back(item["name"]);
    std::string drawing;
    double top = 8.0;
    for (const std::string &name : names) {
        const MeasurePanel measure(measures, name);
        drawing += measure.draw(models, name, top);
        top += measure.height();
    }
    if (report.contains("calibration") && !report["calibration"].empty()) {
        drawing += draw_calibration(report["calibration"], models, top);
        top += kSquare + 64.0;
    }
    return svg::document(kChartWidth, top, "Errors on " + counted(report),
                         "A dot for every measure of every predictor, with the interval that "
                         "covers what it estimates with probability " +
                             svg::digits(measures[0]["level"], 3) + '.',
                         drawing);
}

}  // namespace dpadapt::cli
