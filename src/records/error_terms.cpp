#include "records/error_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "records/task.hpp"

namespace dpadapt::records {
namespace {

/** Shares of the squared weights, relative to each other: what the widths of all intervals ask
 *  for. */
double share_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::log_loss:
            return 1.3;  // docs/defaults.md
        case ErrorKind::powers:
        case ErrorKind::pinball:
        case ErrorKind::sizes:
        case ErrorKind::scores:
            return 1.0;
        case ErrorKind::pinball_sizes:
        case ErrorKind::log_odds:
        case ErrorKind::areas:
        case ErrorKind::concordance:
            return 0.8;
        case ErrorKind::bins:
        case ErrorKind::cells:
            return 0.35;
        case ErrorKind::error:
        case ErrorKind::label:
            return 0.15;
        case ErrorKind::clipped:
            return 0.1;
        default:
            return 0.15;  // of gaps
    }
}

/** The scaled errors of one record. */
struct Scaled {
    Scaled(const RowError &error, const Solution &solution, const ErrorTask &task)
        : t(error.size ? std::min(*error.size / task.bound, 1.0) : 1.0),
          c(std::min(pinball_loss(error, solution.loss.quantile_level) / task.pinball_bound, 1.0)),
          clipped(t == 1.0 || c == 1.0),
          e(error.wrong ? 1.0 : 0.0) {}

    double t;
    double c;
    bool clipped;
    double e;
};

/** The value whose difference from the first solution's a term is about. */
double gap_value(ErrorKind kind, const Scaled &scaled) {
    switch (kind) {
        case ErrorKind::square_gap:
            return scaled.t * scaled.t;
        case ErrorKind::pinball_gap:
            return scaled.c;
        case ErrorKind::error_gap:
            return scaled.e;
        default:
            return scaled.t;
    }
}

void write_pair(double c, double weight, std::span<double> out) {
    out[0] = weight * (2.0 * c - 1.0);
    out[1] = weight * 4.0 * (c - c * c);
}

void write_powers(double t, double weight, std::span<double> out) {
    const double square = t * t;
    out[0] = weight * (2.0 * square - 1.0);
    out[1] = weight * kFirstPower * (t - square);
    out[2] = weight * kFourthPower * (square - square * square);
}

double largest_size(std::span<const RowError> errors) {
    double largest = 0.0;
    for (const RowError &error : errors) largest = std::max(largest, error.size.value_or(HUGE_VAL));
    return largest;
}

std::size_t size_bin(double size) {
    if (!(size > 0.0)) return 0;
    const double place = std::floor(2.0 * std::log2(size)) + 0.5 * kSizeBins;
    return static_cast<std::size_t>(std::clamp(place, 0.0, kSizeBins - 1.0));
}

double largest_pinball(const ErrorTask &task, std::span<const RowError> errors) {
    double largest = 0.0;
    for (std::size_t k = 0; k < errors.size(); ++k)
        largest = std::max(largest, pinball_loss(errors[k], task.solutions[k].loss.quantile_level));
    return largest;
}

void write_areas(const arma::vec &areas, const RowError &error, double weight,
                 std::span<double> out) {
    if (!error.size) return;
    const std::size_t bin = odds_bin(error.log_odds);
    const double part =
        std::clamp(1.0 - (upper_log_odds(bin) - error.log_odds) / kOddsWidth, 0.0, 1.0);
    const double *ends = areas.memptr() + (error.positive ? bin : kOddsBins + 1 + bin);
    out[error.positive ? 0 : 1] = weight * (ends[0] + part * (ends[1] - ends[0]));
}

/** Coefficients of (1 - x)^(-1/2). */
constexpr std::array<double, kMostEdges> kRankFactors = [] {
    std::array<double, kMostEdges> factors{1.0};
    for (std::size_t k = 1; k < kMostEdges; ++k)
        factors[k] = factors[k - 1] * (1.0 - 0.5 / static_cast<double>(k));
    return factors;
}();

void write_rank(double score, const arma::vec &edges, double weight, std::span<double> out) {
    const std::size_t below = bin_of(score, edges);
    const double unit = weight / rank_norm(edges.n_elem);
    for (std::size_t k = edges.n_elem - below; k < edges.n_elem; ++k)
        out[k] = unit * kRankFactors[k - (edges.n_elem - below)];
}

/** Adds terms for every solution of a task. */
class Terms {
  public:
    void add(ErrorKind kind, std::size_t solution, std::size_t count) {
        terms_.push_back({kind, solution, share_of(kind), dimension_, count});
        dimension_ += count;
    }
    void add_losses(const ErrorTask &task, std::size_t k) {
        const loss::Choice &choice = task.solutions[k].loss;
        if (!loss::has_likelihood(choice)) {
            add(ErrorKind::powers, k, 3);
            if (has_pinball(task)) add(ErrorKind::pinball, k, 2);
        } else {
            add(ErrorKind::log_loss, k, 2);
            if (loss::predicts_classes(choice)) add(ErrorKind::error, k, 1);
            if (choice.kind == loss::Kind::survival && !task.areas[k].is_empty()) {
                add(ErrorKind::cells, k, kSurvivalCells);
                add(ErrorKind::concordance, k, 2);
            }
            if (has_log_odds(choice)) {
                add(ErrorKind::label, k, 1);
                add(ErrorKind::areas, k, 2);
                add(ErrorKind::bins, k, 2 * (task.edges[k].n_elem + 1));
            }
        }
        add(ErrorKind::clipped, k, 1);
        if (k > 0) add_gaps(task, k);
    }
    void add_gaps(const ErrorTask &task, std::size_t k) {
        const loss::Choice &choice = task.solutions[k].loss;
        const bool likelihood = loss::has_likelihood(choice);
        add(likelihood ? ErrorKind::log_gap : ErrorKind::square_gap, k, 1);
        if (loss::predicts_classes(choice)) add(ErrorKind::error_gap, k, 1);
        if (!likelihood) add(ErrorKind::absolute_gap, k, 1);
        if (has_pinball(task)) add(ErrorKind::pinball_gap, k, 1);
    }
    /** With weights instead of shares. */
    [[nodiscard]] std::vector<ErrorTerm> weighted() && {
        double sum = 0.0;
        for (const ErrorTerm &term : terms_) sum += term.weight;
        for (ErrorTerm &term : terms_) term.weight = std::sqrt(term.weight / sum);
        return std::move(terms_);
    }

  private:
    std::vector<ErrorTerm> terms_;
    std::size_t dimension_ = 0;
};

}  // namespace

double upper_size(std::size_t bin) {
    return std::exp2(0.5 * (static_cast<double>(bin) + 1.0 - 0.5 * kSizeBins));
}

double upper_log_odds(std::size_t bin) {
    return kOddsWidth * (static_cast<double>(bin) + 1.0 - 0.5 * kOddsBins);
}

std::size_t odds_bin(double log_odds) {
    const double place = std::floor(log_odds / kOddsWidth) + 0.5 * kOddsBins;
    return static_cast<std::size_t>(std::clamp(place, 0.0, kOddsBins - 1.0));
}

std::span<const double> rank_factors() { return kRankFactors; }

double rank_norm(std::size_t count) {
    double square = 0.0;
    for (std::size_t k = 0; k < count; ++k) square += kRankFactors[k] * kRankFactors[k];
    return std::sqrt(square);
}

double calibration_score(const RowError &error, const Solution &solution) {
    const double size = error.size.value_or(HUGE_VAL);
    const bool below = solution.loss.kind == loss::Kind::pinball && error.size && !error.above;
    return below ? -size : size;
}

double pinball_loss(const RowError &error, double level) {
    return error.size ? *error.size * (error.above ? level : 1.0 - level) : HUGE_VAL;
}

bool has_pinball(const ErrorTask &task) {
    const double level = task.solutions.front().loss.quantile_level;
    return level != 0.5 &&
           std::all_of(task.solutions.begin(), task.solutions.end(), [&](const Solution &solution) {
               return solution.loss.kind == loss::Kind::pinball &&
                      solution.loss.quantile_level == level;
           });
}

std::vector<ErrorTerm> error_terms(const ErrorTask &task) {
    Terms terms;
    const bool sizes = task.asked == ErrorsAsked::sizes;
    if (task.asked == ErrorsAsked::scores)
        terms.add(ErrorKind::scores, 0, task.edges.front().n_elem);
    if (sizes) terms.add(ErrorKind::sizes, 0, kSizeBins);
    if (sizes && has_pinball(task)) terms.add(ErrorKind::pinball_sizes, 0, kSizeBins);
    for (std::size_t k = 0; k < task.solutions.size(); ++k)
        if (task.asked == ErrorsAsked::means)
            terms.add_losses(task, k);
        else if (sizes && has_log_odds(task.solutions[k].loss))
            terms.add(ErrorKind::log_odds, k, 2 * kOddsBins);
    return std::move(terms).weighted();
}

std::size_t error_dimension(const ErrorTask &task) {
    const ErrorTerm last = error_terms(task).back();
    return last.first + last.count;
}

PairShares pair_shares(std::span<const double> reference, const RowError &row) {
    const std::size_t count = reference.size() / 2;
    PairShares found;
    for (std::size_t k = 0; k < count; ++k) {
        const double score = reference[k];
        const double label = reference[count + k];
        const bool first = row.time > 0.0 && row.time < std::abs(label);
        const bool second = label > 0.0 && label < std::abs(row.time);
        if (!first && !second) continue;
        const double ahead = first ? row.score - score : score - row.score;
        found.concordant += ahead > 0.0 ? 1.0 : ahead == 0.0 ? 0.5 : 0.0;
        found.discordant += ahead < 0.0 ? 1.0 : ahead == 0.0 ? 0.5 : 0.0;
    }
    found.concordant /= static_cast<double>(count);
    found.discordant /= static_cast<double>(count);
    return found;
}

std::size_t survival_cell(std::span<const double> edges, const RowError &row) {
    const std::size_t score = bin_of(row.score, edges.first(kScoreCells - 1));
    const std::size_t time = bin_of(std::abs(row.time), edges.last(kTimeCells - 1));
    return (score * kTimeCells + time) * 2 + (row.time > 0.0 ? 1 : 0);
}

std::size_t bin_of(double value, std::span<const double> edges) {
    return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), value) -
                                    edges.begin());
}

void write_errors(const ErrorTask &task, std::span<const ErrorTerm> terms,
                  std::span<const RowError> errors, std::span<double> out) {
    std::fill(out.begin(), out.end(), 0.0);
    const Scaled first(errors[0], task.solutions[0], task);
    for (const ErrorTerm &term : terms) {
        const RowError &error = errors[term.solution];
        const Scaled own(error, task.solutions[term.solution], task);
        const std::span<double> to = out.subspan(term.first, term.count);
        switch (term.kind) {
            case ErrorKind::powers:
                write_powers(own.t, term.weight, to);
                break;
            case ErrorKind::pinball:
                write_pair(own.c, term.weight, to);
                break;
            case ErrorKind::log_loss:
                write_pair(own.t, term.weight, to);
                break;
            case ErrorKind::error:
                to[0] = term.weight * (2.0 * own.e - 1.0);
                break;
            case ErrorKind::clipped:
                to[0] = term.weight * (own.clipped ? 1.0 : -1.0);
                break;
            case ErrorKind::label:
                to[0] = term.weight * (error.positive ? 1.0 : -1.0);
                break;
            case ErrorKind::areas:
                write_areas(task.areas[term.solution], error, term.weight, to);
                break;
            case ErrorKind::cells: {
                const arma::vec &edges = task.edges[term.solution];
                if (error.size) to[survival_cell(edges, error)] = term.weight;
                break;
            }
            case ErrorKind::concordance: {
                const arma::vec &reference = task.areas[term.solution];
                const auto [concordant, discordant] = pair_shares(reference, error);
                if (error.size) to[0] = term.weight * concordant;
                if (error.size) to[1] = term.weight * discordant;
                break;
            }
            case ErrorKind::bins: {
                const arma::vec &edges = task.edges[term.solution];
                const std::size_t bin = bin_of(error.log_odds, edges);
                if (error.size) to[bin + (error.positive ? term.count / 2 : 0)] = term.weight;
                break;
            }
            case ErrorKind::sizes:
                to[size_bin(largest_size(errors))] = term.weight;
                break;
            case ErrorKind::pinball_sizes:
                to[size_bin(largest_pinball(task, errors))] = term.weight;
                break;
            case ErrorKind::scores:
                write_rank(calibration_score(error, task.solutions.front()), task.edges.front(),
                           term.weight, to);
                break;
            case ErrorKind::log_odds:
                if (error.size)
                    to[odds_bin(error.log_odds) + (error.positive ? kOddsBins : 0)] = term.weight;
                break;
            default: {
                const double gap = gap_value(term.kind, own) - gap_value(term.kind, first);
                to[0] = term.weight * (2.0 * gap * gap - 1.0);
            }
        }
    }
}

}  // namespace dpadapt::records
