#include "engine/survey.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/control.hpp"
#include "base/error.hpp"
#include "loss/table.hpp"
#include "problem/plan_request.hpp"
#include "problem/public_sample.hpp"
#include "records/partial.hpp"

namespace dpadapt::engine {
namespace {

template <typename Task>
typename Task::Sum ask(const Sample &rows, records::Coordinates coordinates, const Task &task) {
    const Bytes request = records::write_request({std::move(coordinates), task, rows.rows()});
    return std::get<typename Task::Sum>(
        records::merge_sums(request, rows.remote()->carry_out(request)));
}

records::Coordinates columns(std::size_t features) {
    records::Coordinates plain;
    plain.center.zeros(features);
    plain.scale.ones(features);
    return plain;
}

/** A power of two that is no smaller. */
double grid_bound(double size) {
    constexpr int kFar = 900;
    int exponent = 0;
    if (size > 0.0) (void)std::frexp(size, &exponent);
    return std::ldexp(1.0, std::clamp(exponent, -kFar, kFar));
}

double largest_distance(double lowest, double highest, double from) {
    return std::max(std::abs(lowest - from), std::abs(highest - from));
}

class RemoteSource : public Population {
  public:
    RemoteSource(Sample rows, const sums::SurveySum &survey, bool is_in_memory)
        : rows_(std::move(rows)),
          labelled_(survey.labelled()),
          lowest_(survey.lowest()),
          highest_(survey.highest()),
          digest_(survey.sample().digest()),
          is_in_memory_(is_in_memory) {}

    [[nodiscard]] std::size_t rows() const override { return labelled_; }
    [[nodiscard]] double range(std::size_t column) const override {
        return highest_[column] - lowest_[column];
    }
    [[nodiscard]] double lowest_label() const override { return lowest_.back(); }
    [[nodiscard]] double highest_label() const override { return highest_.back(); }
    [[nodiscard]] bool is_in_memory() const override { return is_in_memory_; }

    /** With a constant in any case, whose products are the sums of the others. */
    [[nodiscard]] WholeMoments moments(const Preprocess &preprocess,
                                       const Clipping &clipping) const override {
        records::Coordinates to;
        to.center = preprocess.center();
        to.scale = preprocess.scale();
        to.whitening = preprocess.whitening();
        to.constant = true;
        to.label_center = preprocess.label_center();
        to.clipping = clipping;
        const sums::GramSum found =
            ask(rows_, std::move(to), records::GramTask{bounds(preprocess, clipping)});
        const std::vector<double> sums = found.sums();
        const arma::uword d = preprocess.features();
        const auto all = static_cast<double>(labelled_);
        const arma::mat gram = arma::mat(sums.data(), d + 2, d + 2) / all;
        // mutant: changed_public_rows
        if (found.digest() != digest_)
            throw Error(DPA_E_CALLBACK, "the source has changed between two passes over it");
        const arma::uword last = preprocess.has_intercept() ? d : d - 1;
        return {
            {gram.submat(0, 0, last, last), gram.submat(0, d + 1, last, d + 1), gram(d + 1, d + 1)},
            gram.submat(0, d, d - 1, d),
            gram(d, d + 1)};
    }

  private:
    [[nodiscard]] std::vector<double> bounds(const Preprocess &preprocess,
                                             const Clipping &clipping) const {
        const arma::uword d = preprocess.features();
        arma::vec most(d);
        for (arma::uword j = 0; j < d; ++j)
            most(j) = preprocess.scale()(j) *
                      largest_distance(lowest_[j], highest_[j], preprocess.center()(j));
        if (!preprocess.whitening().is_empty()) most = arma::abs(preprocess.whitening()) * most;
        std::vector<double> bounds;
        for (const double size : most)
            bounds.push_back(grid_bound(std::min(size, clipping.feature_radius)));
        bounds.push_back(1.0);
        const double label =
            largest_distance(lowest_label(), highest_label(), preprocess.label_center());
        bounds.push_back(grid_bound(std::min(label, clipping.label_bound)));
        return bounds;
    }

    Sample rows_;
    std::size_t labelled_;
    std::vector<double> lowest_;  ///< of each column, the label last
    std::vector<double> highest_;
    std::uint64_t digest_;  ///< of the labelled rows
    bool is_in_memory_;
};

/** How many rows are asked for: with wide rows fewer than the most, which take 128 MiB. */
std::size_t rows_asked(std::size_t width) {
    constexpr std::size_t kMostNumbers = std::size_t{1} << 24;
    return std::clamp<std::size_t>(kMostNumbers / width, 1, records::SurveyTask::kMostRows);
}

Sample fill(const sums::RowSample::Content &content, std::size_t features, std::size_t rows,
            bool repeated) {
    Sample sample = Sample::fill(rows, features, true, [&](double *x, double *y) {
        for (std::size_t i = 0; i < content.counts.size(); ++i) {
            const double *row = content.values.data() + i * (features + 1);
            for (std::uint64_t k = 0; k < (repeated ? content.counts[i] : 1); ++k) {
                x = std::copy_n(row, features, x);
                *y++ = row[features];
            }
        }
    });
    sample.forget_places();
    return sample;
}

/** How many rows each row of the sample stands for: its count divided by the share that was drawn.
 *  At most 1/256 of all, unless its own count is larger: chance must not let one row outweigh the
 *  rest. */
std::shared_ptr<const SecretVector<double>> weights_of(const sums::RowSample::Content &content,
                                                       std::size_t all) {
    constexpr double kMostShare = 1.0 / 256.0;
    const double most = kMostShare * static_cast<double>(all);
    auto weights = std::make_shared<SecretVector<double>>();
    for (const std::uint64_t count : content.counts) {
        const auto own = static_cast<double>(count);
        weights->push_back(std::max(own, std::min(own / content.share, most)));
    }
    return weights;
}

/** The different rows of a sample that stands for so many. */
Sample weighted(const sums::RowSample::Content &content, std::size_t features, std::size_t all) {
    Sample sample = fill(content, features, content.counts.size(), false);
    const std::vector<std::uint64_t> &counts = content.counts;
    if (std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) != counts.end())
        sample.weigh(weights_of(content, all));
    return sample;
}

[[noreturn]] void need_all_rows(const std::string &what) {
    throw Error(DPA_E_UNSUPPORTED, what +
                                       " needs every public row, and the source is elsewhere and "
                                       "has too many to be kept: give it in memory, or fewer rows");
}

}  // namespace

Sample survey(const Sample &elsewhere) {
    const std::size_t features = elsewhere.features();
    const sums::SurveySum found =
        ask(elsewhere, columns(features), records::SurveyTask{rows_asked(features + 1)});
    if (found.damaged() > 0)
        throw Error(DPA_E_NONFINITE,
                    "source: " + std::to_string(found.damaged()) +
                        " rows have a number that is not finite; they are elsewhere, so their "
                        "places are not known here");
    if (found.labelled() == 0) throw Error(DPA_E_LABEL, "the source has no row with a label");
    sums::RowSample::Content content = found.sample().content();
    if (found.labelled() <= rows_asked(features + 1))
        return fill(content, features, found.labelled(), true);
    const bool all = std::accumulate(content.counts.begin(), content.counts.end(),
                                     std::uint64_t{0}) == found.labelled();
    if (all) content.share = 1.0;
    Sample sample = weighted(content, features, found.labelled());
    sample.stand_for(std::make_shared<const RemoteSource>(elsewhere, found, all));
    return sample;
}

void check_survey(const Sample &source, const Settings &settings,
                  const baseline::MethodSpec *method) {
    if (source.population() == nullptr) return;
    if (method != nullptr) need_all_rows(std::string("baseline ") + method->name);
    if (settings.privacy.method == Method::paper) need_all_rows("method = paper");
    if (!adapts_alpha(settings)) need_all_rows("a private fit whose alpha is a number");
    if (!loss::is_linear(settings.loss.kind)) need_all_rows("a loss whose scores are not linear");
}

void check_survey(const Sample &source) {
    if (source.population() != nullptr) need_all_rows("a discrepancy");
}

}  // namespace dpadapt::engine
