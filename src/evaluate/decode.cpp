#include "evaluate/decode.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "base/text.hpp"
#include "evaluate/error_bound.hpp"
#include "evaluate/evaluation.hpp"

namespace dpadapt::evaluate {
namespace {

using records::ErrorKind;
using records::ErrorTerm;

/** The mean of a term's coordinates over the rows, whatever its weight. */
class Coordinates {
  public:
    Coordinates(const ErrorTerm &term, std::span<const double> released, double sigma,
                std::size_t rows)
        : values_(released.subspan(term.first, term.count)),
          unit_(1.0 / (term.weight * static_cast<double>(rows))),
          noise_(sigma * unit_) {}

    double operator[](std::size_t k) const { return values_[k] * unit_; }
    [[nodiscard]] double noise() const { return noise_; }

  private:
    std::span<const double> values_;
    double unit_;
    double noise_;
};

/** From (2 c - 1). */
double first_mean(const Coordinates &x) { return 0.5 * (x[0] + 1.0); }

Mean from_square(double mean, double noise, double square, double deviation) {
    return {mean, noise, square - mean * mean + noise * noise, deviation, 0.0, 1.0};
}

/** Of t^2, from all powers. */
Mean square_mean(const Coordinates &x) {
    const double s = x.noise();
    const double mean = first_mean(x);
    const double fourth = mean - x[2] / records::kFourthPower;
    const double noise = 0.5 * s;
    return from_square(mean, noise, fourth,
                       s * std::hypot(0.5 - mean, 1.0 / records::kFourthPower));
}

/** Of the long tail that released moments show. */
Excess excess_of(const Coordinates &x, std::size_t rows) {
    const double square = first_mean(x);
    return tail_excess({square, square - x[2] / records::kFourthPower},
                       {0.5 * x.noise(), x.noise() / records::kFourthPower}, rows);
}

/** Of t. */
Mean absolute_mean(const Coordinates &x) {
    const double s = x.noise();
    const double square = first_mean(x);
    const double mean = square + x[1] / records::kFirstPower;
    const double noise = s * std::hypot(0.5, 1.0 / records::kFirstPower);
    return from_square(mean, noise, square,
                       s * std::hypot(0.5 - mean, 2.0 * mean / records::kFirstPower));
}

/** Of c, from (2 c - 1, 4 (c - c^2)). */
Mean pair_mean(const Coordinates &x) {
    const double s = x.noise();
    const double mean = first_mean(x);
    const double noise = 0.5 * s;
    return from_square(mean, noise, mean - 0.25 * x[1], s * std::hypot(0.5 - mean, 0.25));
}

/** Of something that is 0 or 1. */
Mean share(const Coordinates &x) {
    const double s = x.noise();
    const double mean = first_mean(x);
    const double noise = 0.5 * s;
    return {mean, noise, mean * (1.0 - mean) + noise * noise, s * std::abs(0.5 - mean), 0.0, 1.0};
}

Mean complement(Mean mean) {
    mean.value = 1.0 - mean.value;
    return mean;
}

/** Of a difference, from its mean square. */
Mean gap_mean(const Coordinates &x, const Mean &own, const Mean &first) {
    const double gap = own.value - first.value;
    const double noise = std::hypot(own.noise, first.noise);
    const double variance = first_mean(x) - gap * gap + noise * noise;
    const double variance_noise = std::hypot(0.5 * x.noise(), 2.0 * gap * noise);
    return {gap, noise, variance, variance_noise, -1.0, 1.0};
}

class Decoder {
  public:
    Decoder(const records::ErrorTask &task, const std::vector<Reference> &references,
            Measured &measured)
        : task_(task), references_(references), measured_(measured) {}

    void operator()(const ErrorTerm &term, const Coordinates &x) {
        const std::size_t k = term.solution;
        const double bound = task_.bound;
        const double pinball = task_.pinball_bound;
        switch (term.kind) {
            case ErrorKind::powers:
                take_signs(excess_of(x, measured_.rows));
                add(ErrorKind::square_gap, names::kSquared, k, square_mean(x), bound * bound,
                    clipped_tail(Tail::squares, Tail::heavy_squares));
                measured_.measures.push_back(root_of(measured_.measures.back()));
                add(ErrorKind::absolute_gap, names::kAbsolute, k, absolute_mean(x), bound,
                    clipped_tail(Tail::absolutes, Tail::heavy_absolutes));
                break;
            case ErrorKind::pinball:
                return add(ErrorKind::pinball_gap, names::kQuantile, k, pair_mean(x), pinball,
                           Tail::exponential);
            case ErrorKind::log_loss:
                return add(ErrorKind::log_gap, names::kLog, k, pair_mean(x), bound,
                           Tail::exponential);
            case ErrorKind::error:
                return add(ErrorKind::error_gap, names::kAccuracy, k, complement(share(x)));
            case ErrorKind::clipped:
                return measured_.clipping->add_share(
                    interval(share(x), measured_.rows, measured_.confidence), measured_.persons);
            case ErrorKind::square_gap:
                return add_gap(term, names::kSquaredGap, x, bound * bound);
            case ErrorKind::absolute_gap:
                return add_gap(term, names::kAbsoluteGap, x, bound);
            case ErrorKind::pinball_gap:
                return add_gap(term, names::kQuantileGap, x, pinball);
            case ErrorKind::log_gap:
                return add_gap(term, names::kLogGap, x, bound);
            case ErrorKind::error_gap:
                return add_gap(term, names::kAccuracyGap, x);
            case ErrorKind::label:
                return take_rows(x);
            case ErrorKind::areas:
                return take_areas(x);
            case ErrorKind::concordance: {
                const arma::vec &rows = task_.areas[term.solution];
                const arma::vec &edges = task_.edges[term.solution];
                measured_.measures.push_back(
                    {names::kConcordance, k,
                     concordance({{x[0], x[1]}, x.noise(), cells_, cells_noise_}, rows, edges,
                                 measured_.rows, measured_.confidence)});
                break;
            }
            case ErrorKind::cells:
                cells_.clear();
                for (std::size_t c = 0; c < term.count; ++c) cells_.push_back(x[c]);
                cells_noise_ = x.noise();
                break;
            case ErrorKind::bins:
                return add_bins(term, x);
            case ErrorKind::sizes:
            case ErrorKind::pinball_sizes:
            case ErrorKind::log_odds:
            case ErrorKind::scores:
                break;  // of the first release
        }
    }

  private:
    [[nodiscard]] Tail clipped_tail(Tail normal, Tail heavy) const {
        return measured_.clipping->heavy ? heavy : normal;
    }

    /** Public rows may show a longer tail than the released moments. */
    void take_signs(const Excess &released) {
        signs_ = measured_.clipping->signs;
        signs_.excess = {std::max(signs_.excess.lower, released.lower), released.upper};
    }

    /** Where errors have one, and it may matter. */
    void tell_tail(std::size_t solution, double part) {
        constexpr double kLong = 0.5;  // of an exponential distribution it is above 1
        constexpr double kMatters = 0.1;
        if (!(signs_.excess.lower > kLong && part > kMatters && std::isfinite(part))) return;
        measured_.clipping->add_note(
            solution,
            ("The errors may have a long tail: what lies beyond the bound " +
             to_text(task_.bound, 3) + " is missing from the estimates, and may add up to " +
             to_text(100.0 * part, 2) +
             " % to the squared error. The upper ends of intervals include that.")
                .c_str());
    }

    /** Of clipped rows; as if there were none where that is not told. */
    [[nodiscard]] Interval share_of(std::size_t k) const {
        Interval share = measured_.clipping->shares[k];
        if (share.lower <= measured_.clipping->many && records::has_pinball(task_))
            share.lower = 0.0;
        return share;
    }

    /** Of a loss that has no clips without a tail. */
    void add(ErrorKind gap, const char *name, std::size_t k, const Mean &mean, double scale = 1.0,
             std::optional<Tail> tail = {}) {
        means_[{gap, k}] = mean;
        Interval found = interval(mean, measured_.rows, measured_.confidence);
        double hidden = tail ? hidden_by_clips(found, share_of(k), *tail) : 0.0;
        if (tail && *tail != Tail::exponential)
            hidden = std::max(hidden, hidden_by_long_tail(found, share_of(k), signs_,
                                                          gap == ErrorKind::square_gap));
        if (gap == ErrorKind::square_gap) tell_tail(k, hidden / found.estimate);
        hidden_[{gap, k}] = hidden;
        found.upper += hidden;
        push(name, k, found, scale);
    }

    /** The clips of either solution may hide a part of the difference. */
    void add_gap(const ErrorTerm &term, const char *name, const Coordinates &x,
                 double scale = 1.0) {
        const std::size_t k = term.solution;
        const Mean gap = gap_mean(x, means_.at({term.kind, k}), means_.at({term.kind, 0}));
        Interval found = interval(gap, measured_.rows, measured_.confidence);
        found.lower -= hidden_.at({term.kind, 0});
        found.upper += hidden_.at({term.kind, k});
        push(name, k, found, scale);
    }

    void push(const char *name, std::size_t k, const Interval &found, double scale) {
        const auto end = [&](double value) { return std::isfinite(value) ? value * scale : value; };
        measured_.measures.push_back(
            {name, k, {found.estimate * scale, end(found.lower), end(found.upper)}});
    }

    void take_rows(const Coordinates &x) {
        const auto n = static_cast<double>(measured_.rows);
        sums_.positives = n * first_mean(x);
        sums_.negatives = n - sums_.positives;
        sums_.rows_noise = 0.5 * n * x.noise();
    }

    void take_areas(const Coordinates &x) {
        const auto n = static_cast<double>(measured_.rows);
        sums_.of_positives = n * x[0];
        sums_.of_negatives = n * x[1];
        sums_.noise = n * x.noise();
    }

    void add_bins(const ErrorTerm &term, const Coordinates &x) {
        const auto n = static_cast<double>(measured_.rows);
        BinCounts counts;
        counts.noise = x.noise() * n;
        for (std::size_t b = 0; b < term.count; ++b)
            (b < term.count / 2 ? counts.negative : counts.positive).push_back(x[b] * n);
        const arma::vec &all = task_.edges[term.solution];
        const std::span<const double> edges(all.memptr(), all.n_elem);
        const Interval area =
            roc_area(sums_, counts, references_[term.solution], edges, measured_.confidence);
        measured_.measures.push_back({names::kRoc, term.solution, area});
        if (area.lower <= 0.0 && area.upper >= 1.0)
            measured_.clipping->add_note(term.solution,
                                         "The noise hides roc_area: it may be anything from 0 to "
                                         "1. It takes more rows or a larger epsilon.");
        for (const CalibrationBin &bin :
             calibration(term.solution, counts, edges, measured_.confidence))
            measured_.calibration.push_back(bin);
    }

    const records::ErrorTask &task_;
    const std::vector<Reference> &references_;
    Measured &measured_;
    TailSigns signs_;            ///< of the solution whose terms are read
    AreaSums sums_;              ///< of the solution whose terms are read
    std::vector<double> cells_;  ///< the same
    double cells_noise_ = 0.0;
    std::map<std::pair<ErrorKind, std::size_t>, Mean> means_;
    std::map<std::pair<ErrorKind, std::size_t>, double> hidden_;  ///< by clips, like means_
};

}  // namespace

void decode(const records::ErrorTask &task, std::span<const double> released,
            const std::vector<Reference> &references, Measured &measured) {
    Decoder decoder(task, references, measured);
    const std::vector<ErrorTerm> terms = records::error_terms(task);
    // The shares of clipped rows come first: ends of intervals depend on them.
    for (const bool shares : {true, false})
        for (const ErrorTerm &term : terms)
            if ((term.kind == ErrorKind::clipped) == shares)
                decoder(term, Coordinates(term, released, task.grid.sigma(), measured.rows));
}

double bound_of_sizes(std::span<const double> counts, double noise) {
    constexpr double kAnywhere = 6.0;  // deviations: no bins in a row have as many of noise alone
    constexpr std::size_t kMostInARow = 16;
    constexpr std::size_t kGap = 2;
    std::size_t end = 0;  // after the last bin that stands out
    for (std::size_t row = 1; row <= kMostInARow; row *= 2) {
        const double least = kAnywhere * std::sqrt(static_cast<double>(row)) * noise;
        for (std::size_t b = end; b + row <= counts.size(); ++b) {
            const auto first = counts.begin() + static_cast<std::ptrdiff_t>(b);
            const auto last = first + static_cast<std::ptrdiff_t>(row);
            if (std::accumulate(first, last, 0.0) <= least) continue;
            end = static_cast<std::size_t>(std::max_element(first, last) - counts.begin()) + 1;
            b = end - 1;
        }
    }
    if (end == 0) return 0.0;
    for (std::size_t b = end; b < counts.size() && b < end + kGap; ++b)
        if (counts[b] > kSeen * noise) end = b + 1;
    return records::upper_size(end - 1);
}

bool has_heavy_tail(std::span<const double> counts, double noise, double share) {
    constexpr double kNormalMedian = 0.6744897501960817;
    constexpr double kLonger = 1.46;  // sizes are known by half octaves
    constexpr double kFar = 2.8;      // medians: a normal residual is there with probability 0.06
    constexpr std::size_t kFarBins = 6;
    constexpr double kMore = 1.25;  // docs/defaults.md
    constexpr double kSure = 1.8;   // deviations
    std::vector<double> seen;
    double total = 0.0;
    for (const double count : counts) {
        seen.push_back(count > kSeen * noise ? count : 0.0);
        total += seen.back();
    }
    double below = 0.0;
    std::size_t middle = 0;
    while (middle + 1 < seen.size() && below + seen[middle] < 0.5 * total) below += seen[middle++];
    const double upper = records::upper_size(middle);
    const double part = seen[middle] > 0.0 ? (0.5 * total - below) / seen[middle] : 1.0;
    const double median = upper * (kRootOfHalf + part * (1.0 - kRootOfHalf));
    const double end = two_sided_quantile(1.0 - std::clamp(share, 1e-9, 0.5));
    if (bound_of_sizes(counts, noise) > kLonger * median * end / kNormalMedian) return true;
    std::size_t from = middle;
    while (from + 1 < counts.size() && records::upper_size(from) < kFar * median) ++from;
    double far = 0.0;
    for (std::size_t b = from + 1; b < counts.size() && b <= from + kFarBins; ++b) far += counts[b];
    const double normal =
        std::erfc(records::upper_size(from) / median * kNormalMedian * kRootOfHalf);
    return far > kMore * normal * total + kSure * std::sqrt(double{kFarBins}) * noise;
}

}  // namespace dpadapt::evaluate
