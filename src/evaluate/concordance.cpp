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

/** Shares of pairs of rows, from noisy shares of cells. Pairs in one cell of times count half in
 *  each order, pairs in one cell of scores half for each answer. */
class Cells {
  public:
    Cells(const std::vector<double> &shares, double noise) : noise_(noise) {
        of_concordant_.resize(shares.size());
        of_discordant_.resize(shares.size());
        for (std::size_t a = 1; a < shares.size(); a += 2)  // has an event, and is the first
            for (std::size_t b = 0; b < shares.size(); ++b) add(shares, a, b);
    }

    double concordant = 0.0;
    double discordant = 0.0;

    /** By noise of (1 - c) concordant - c discordant. */
    [[nodiscard]] double deviation(double c) const {
        double square = std::pow(noise_ * std::max(c, 1.0 - c), 2) * squares_;
        for (std::size_t a = 0; a < of_concordant_.size(); ++a)
            square += std::pow((1.0 - c) * of_concordant_[a] - c * of_discordant_[a], 2);
        return noise_ * std::sqrt(square);
    }

  private:
    void add(const std::vector<double> &shares, std::size_t a, std::size_t b) {
        const auto time = [](std::size_t cell) { return cell / 2 % records::kTimeCells; };
        const auto score = [](std::size_t cell) { return cell / 2 / records::kTimeCells; };
        if (time(a) > time(b)) return;
        const double first = time(a) < time(b) ? 1.0 : 0.5;
        const double larger = first * (score(a) > score(b)    ? 1.0
                                       : score(a) == score(b) ? 0.5
                                                              : 0.0);
        const double product = shares[a] * shares[b] - (a == b ? noise_ * noise_ : 0.0);
        concordant += larger * product;
        discordant += (first - larger) * product;
        of_concordant_[a] += larger * shares[b];
        of_concordant_[b] += larger * shares[a];
        of_discordant_[a] += (first - larger) * shares[b];
        of_discordant_[b] += (first - larger) * shares[a];
        squares_ += first * first;
    }

    double noise_;
    double squares_ = 0.0;
    std::vector<double> of_concordant_;  ///< derivatives by the share of each cell
    std::vector<double> of_discordant_;
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

std::vector<double> concordance_rows(std::span<const RowError> errors, std::size_t most) {
    std::vector<const RowError *> good;
    for (const RowError &error : errors)
        if (error.size) good.push_back(&error);
    const std::size_t count = std::min(good.size(), most);
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
    const Parts parts(errors, concordance_rows(errors, kMost));
    const double pairs = parts.mean.concordant + parts.mean.discordant;
    if (!(pairs > 0.0)) return {NAN, 0.0, 1.0};
    const double c = parts.mean.concordant / pairs;
    const double variance = parts.variance(c) / static_cast<double>(errors.size());
    return interval(c, 2.0 * std::sqrt(variance) / pairs, 0.0, 1.0, confidence);
}

Interval concordance(const PairMeans &pairs, std::span<const double> reference,
                     std::span<const double> edges, std::size_t rows, double confidence) {
    constexpr double kSure = 4.0;  // deviations
    const std::vector<RowError> others = rows_of(reference);
    const Parts own(others, reference);
    std::vector<double> more = pairs.cells;  // P - Q
    for (const RowError &row : others)
        more[records::survival_cell(edges, row)] -= 1.0 / static_cast<double>(others.size());
    const Cells rest(more, pairs.cells_noise);
    const double concordant = pairs.mean.concordant - 0.5 * own.mean.concordant + rest.concordant;
    const double discordant = pairs.mean.discordant - 0.5 * own.mean.discordant + rest.discordant;
    const double all = concordant + discordant;
    if (!(all > kSure * pairs.noise)) return {0.5, 0.0, 1.0};
    const double c = std::clamp(concordant / all, 0.0, 1.0);
    const double sampling = own.variance(c) / static_cast<double>(rows);
    const double of_means = pairs.noise * std::hypot(1.0 - c, c);
    const double of_cells = rest.deviation(c);
    const double variance = sampling + of_means * of_means + of_cells * of_cells;
    return interval(c, std::sqrt(variance) / all, 0.0, 1.0, confidence);
}

}  // namespace dpadapt::evaluate
