#include "cli/show/price.hpp"

#include <dpadapt/ledger.h>
#include <dpadapt/privacy.h>

#include "cli/show/report.hpp"

namespace dpadapt::cli {

Json price_of(const Json &cost, double delta, int records) {
    double epsilon = 0.0;
    const dpa_status status = dpa_privacy_epsilon(
        delta - cost.value("failure", 0.0), cost["laplace_epsilon"].get<double>(),
        cost["mu"].get<double>(), cost.value("pure_epsilon", 0.0), records, &epsilon);
    return {{"epsilon", status == DPA_OK ? Json(epsilon) : Json(nullptr)},
            {"delta", delta},
            {"mu", cost["mu"]},
            {"laplace_epsilon", cost["laplace_epsilon"]},
            {"pure_epsilon", cost.value("pure_epsilon", 0.0)}};
}

std::string in_words(const Json &price) {
    std::string text = "epsilon = " + shown(price["epsilon"]) +
                       " at delta = " + to_text(price["delta"].get<double>()) +
                       " (mu = " + shown(price["mu"]);
    if (price["laplace_epsilon"] != 0.0)
        text += ", Laplace epsilon = " + shown(price["laplace_epsilon"]);
    if (price["pure_epsilon"] != 0.0)
        text += ", other pure epsilon = " + shown(price["pure_epsilon"]);
    return text + ')';
}

Json state_of(const Json &ledger) {
    const double delta = ledger["budget"]["delta"];
    Json left = price_of(ledger["left"], delta);
    left["epsilon"] = ledger["left"]["epsilon"];
    return {{"spent", price_of(ledger["spent"], delta)}, {"left", left}};
}

void add_left(const LedgerHandle &ledger, Json &report) {
    if (!ledger) return;
    report["ledger_left"] = nullptr;
    try {
        report["ledger_left"] = state_of(json_by(dpa_ledger_report, ledger))["left"];
    } catch (const Failure &) {
        return;  // it stays null
    }
}

std::string left_text(const Json &report) {
    const Json left = report.value("ledger_left", Json());
    return left.is_object() ? "\nThe ledger has left: " + in_words(left) + '\n' : "";
}

}  // namespace dpadapt::cli
