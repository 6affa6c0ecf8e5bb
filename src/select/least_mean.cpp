#include "select/least_mean.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt::select {
namespace {

void check_labels(const Solution &candidate, const Sample &rows) {
    const auto loss = loss::make_loss(candidate.loss, loss::Reading::public_records);
    for (std::size_t i = 0; i < rows.rows(); ++i)
        if (!loss->accepts(rows.y()[i]))
            throw Error(DPA_E_LABEL, "validation row " + std::to_string(i) + ": the label " +
                                         to_text(rows.y()[i]) +
                                         " has no meaning for selection_loss = logistic");
}

}  // namespace

double mean_loss(const Solution &candidate, const Sample &rows, SelectionLoss loss) {
    if (loss == SelectionLoss::logistic) check_labels(candidate, rows);
    double sum = 0.0;
    for (const double value : validation_losses(candidate, rows, loss, Evaluation::in_blocks))
        sum += value;
    return std::isfinite(sum) ? sum / static_cast<double>(rows.rows())
                              : std::numeric_limits<double>::infinity();
}

std::size_t least_mean(std::span<const double> means) {
    const auto least = std::min_element(means.begin(), means.end());
    if (least == means.end() || !std::isfinite(*least))
        throw Error(DPA_E_NUMERICAL, "no candidate has a finite loss on the validation rows");
    return static_cast<std::size_t>(least - means.begin());
}

}  // namespace dpadapt::select
