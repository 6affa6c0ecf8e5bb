#include <algorithm>
#include <cmath>

#include "evaluate/bins.hpp"

namespace dpadapt::evaluate {

namespace {

using records::PairShares;

/** What rows have in pairs with a reference, and of what that is the mean. */
struct Parts {
    std::vector<PairShares> of_rows;
    PairShares mean;

    Parts(std::span<const RowError> rows, std::span<const double> reference) {
        for (const RowError &row : rows) {
            const PairShares part = records::pair_shares(reference, row);
            of_rows.push_back(part);
            mean.concordant += part.concordant / static_cast<double>(rows.size());
            mean.discordant += part.discordant / static_cast<double>(rows.size());
        }
    }

    /** Variance over the rows of what moves C, in units of comparable pairs. */
    [[nodiscard]] double variance(double c) const {
        const double middle = (1.0 - c) * mean.concordant - c * mean.discordant;
        double squares = 0.0;
        for (const PairShares &part : of_rows)
            squares += std::pow((1.0 - c) * part.concordant - c * part.discordant - middle, 2);
        return squares / static_cast<double>(of_rows.size());
    }
};

std::vector<RowError> rows_of(std::span<const double> reference) {
    std::vector<RowError> rows(reference.size() / 2);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k].score = reference[k];
        rows[k].time = reference[rows.size() + k];
    }
    return rows;
}

}  // namespace

std::vector<double> concordance_rows(std::span<const RowError> errors) {
    std::vector<const RowError *> good;
    for (const RowError &error : errors)
        if (error.size) good.push_back(&error);
    const std::size_t count = std::min(good.size(), records::kMostReferences);
    std::vector<double> rows(2 * count);
    for (std::size_t k = 0; k < count; ++k) {
        const RowError &row = *good[k * good.size() / count];
        rows[k] = row.score;
        rows[count + k] = row.time;
    }
    return rows;
}

Interval concordance(std::span<const RowError> errors, double confidence) {
    constexpr std::size_t kMost = 2000;  // with which each row is compared
    std::vector<double> others(2 * std::min(errors.size(), kMost));
    for (std::size_t k = 0; 2 * k < others.size(); ++k) {
        const RowError &row = errors[k * errors.size() * 2 / others.size()];
        others[k] = row.score;
        others[others.size() / 2 + k] = row.time;
    }
    const Parts parts(errors, others);
    const double pairs = parts.mean.concordant + parts.mean.discordant;
    if (!(pairs > 0.0)) return {NAN, 0.0, 1.0};
    const double c = parts.mean.concordant / pairs;
    const double variance = parts.variance(c) / static_cast<double>(errors.size());
    return interval(c, 2.0 * std::sqrt(variance) / pairs, 0.0, 1.0, confidence);
}

Interval concordance(const PairShares &mean, double noise, std::span<const double> reference,
                     std::size_t rows, double confidence) {
    constexpr double kSure = 4.0;  // deviations
    const Parts own(rows_of(reference), reference);
    const double concordant = mean.concordant - 0.5 * own.mean.concordant;
    const double discordant = mean.discordant - 0.5 * own.mean.discordant;
    const double pairs = concordant + discordant;
    if (!(pairs > kSure * noise)) return {0.5, 0.0, 1.0};
    const double c = std::clamp(concordant / pairs, 0.0, 1.0);
    const double sampling = own.variance(c) / static_cast<double>(rows);
    const double of_noise = noise * std::hypot(1.0 - c, c);
    return interval(c, std::sqrt(sampling + of_noise * of_noise) / pairs, 0.0, 1.0, confidence);
}

}  // namespace dpadapt::evaluate
