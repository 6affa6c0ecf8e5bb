#include <algorithm>
#include <bit>
#include <cmath>

#include "base/control.hpp"
#include "base/multiversion.hpp"
#include "base/splitmix.hpp"
#include "engine/survey.hpp"
#include "linalg/gram.hpp"
#include "linalg/passes.hpp"
#include "problem/plan_request.hpp"

namespace dpadapt::engine {
namespace {

/** Constant columns are told by the means: no other range is asked for. */
class WholeSource : public Population {
  public:
    WholeSource(const Sample &rows, ColumnMeans means, std::size_t threads)
        : rows_(Sample::lend(rows.x(), rows.y())), means_(std::move(means)), threads_(threads) {}

    [[nodiscard]] std::size_t rows() const override { return rows_.rows(); }
    [[nodiscard]] bool is_in_memory() const override { return false; }
    [[nodiscard]] const ColumnMeans *means() const override { return &means_; }
    [[nodiscard]] double range(std::size_t /*column*/) const override { return 0.0; }
    [[nodiscard]] double lowest_label() const override {
        return *std::min_element(rows_.y(), rows_.y() + rows());
    }
    [[nodiscard]] double highest_label() const override {
        return *std::max_element(rows_.y(), rows_.y() + rows());
    }
    [[nodiscard]] WholeMoments moments(const Preprocess &preprocess,
                                       const Clipping &clipping) const override {
        PreparedSample rows(rows_, preprocess, threads_);
        rows.clip(clipping);
        return {rows.moments(), {}, 0.0};
    }

  private:
    Sample rows_;
    ColumnMeans means_;
    std::size_t threads_;
};

/** 0 for what does not vary. */
double unit_of(double variance) { return variance > 0.0 ? 1.0 / std::sqrt(variance) : 0.0; }

constexpr std::size_t kWork = 4;  // of a number that is hashed, or fetched, beside one added

/** Hashes of columns of numbers, which do not depend on their order: each is rounded to 2^-20, and
 *  the products are those that all processors have. */
DPA_MULTIVERSION
void hash_columns(std::size_t rows, std::size_t columns, const double *numbers,
                  std::uint64_t *hash) {
    constexpr double kGrid = 1.5 * 4294967296.0;
    constexpr std::uint64_t kLow = 0xffffffff;
    for (std::size_t i = 0; i < columns; ++i) {
        std::uint64_t sum = 0;
        for (std::size_t j = 0; j < rows; ++j) {
            const auto bits = std::bit_cast<std::uint64_t>(kGrid + numbers[i * rows + j]);
            const std::uint64_t once = (bits & kLow) * 0x9e3779b1;
            sum += ((once ^ (once >> 29)) & kLow) * 0x85ebca77 + once;
        }
        hash[i] = sum;
    }
}

/** How often hashes were there before, up to chance. */
class Times {
  public:
    explicit Times(std::size_t most) : slots_(std::bit_ceil(most + most / 2 + 1)) {}

    std::uint32_t operator()(std::uint64_t hash) {
        const auto name = static_cast<std::uint32_t>(hash >> 32);
        std::size_t at = hash & (slots_.size() - 1);
        while (slots_[at].times > 0 && slots_[at].name != name) at = (at + 1) & (slots_.size() - 1);
        slots_[at].name = name;
        return slots_[at].times++;
    }

  private:
    struct Slot {
        std::uint32_t name = 0;
        std::uint32_t times = 0;  ///< 0: an empty slot
    };
    std::vector<Slot> slots_;
};

}  // namespace

std::vector<std::size_t> draw_rows(const Sample &rows, const ColumnMeans &means,
                                   std::size_t about) {
    constexpr std::size_t kBlock = 256;
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
    linalg::AffineRows numbers{rows.x(),       rows.y(), means.label, means.mean,
                               means.variance, {},       false};
    numbers.scale.transform(unit_of);
    const double label_unit = unit_of(means.label_variance);
    const auto last = static_cast<std::uint64_t>(
        std::ldexp(static_cast<double>(about) / static_cast<double>(rows.rows()), 64));
    const std::size_t width = rows.features() + 1;
    Times times(rows.rows());
    std::vector<std::pair<std::uint64_t, std::size_t>> drawn;
    std::vector<std::uint64_t> hashes(kBlock);
    arma::mat block;
    for (std::size_t begin = 0; begin < rows.rows(); begin += kBlock) {
        const std::size_t end = std::min(rows.rows(), begin + kBlock);
        linalg::fill_block(numbers, begin, end, true, block);
        block.row(width - 1) *= label_unit;
        count_work(end - begin, kWork * width);
        by_processor<hash_columns>(width, end - begin, block.memptr(), hashes.data());
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint64_t hash = SplitMix64(hashes[i - begin])();
            const std::uint64_t key = SplitMix64(hash + kOdd * times(hash))();
            if (key < last) drawn.emplace_back(key, i);
        }
    }
    std::sort(drawn.begin(), drawn.end());
    std::vector<std::size_t> places(drawn.size());
    std::transform(drawn.begin(), drawn.end(), places.begin(),
                   [](const auto &row) { return row.second; });
    return places;
}

std::optional<Sample> draw_source(const Sample &source, const Settings &settings) {
    constexpr std::size_t kLeast = 16384;   // docs/defaults.md
    constexpr std::size_t kMost = 65536;    // docs/defaults.md
    constexpr std::size_t kOfColumn = 100;  // docs/defaults.md
    constexpr std::size_t kTimes = 2;       // docs/defaults.md
    const std::size_t about = std::clamp(kOfColumn * (source.features() + 1), kLeast, kMost);
    if (settings.privacy.domains != privacy::kTarget || settings.loss.kind != loss::Kind::squared ||
        settings.privacy.method != Method::profile || !adapts_alpha(settings) ||
        settings.own_columns != OwnColumnsKind::constant || source.weights() != nullptr ||
        source.population() != nullptr || source.rows() <= kTimes * about)
        return {};
    ColumnMeans means = column_means(source, settings.threads);
    // Of rows that are not finite, or too large, the fit finds the places.
    if (!means.variance.is_finite() || !std::isfinite(means.label_variance)) return {};
    const std::vector<std::size_t> places = draw_rows(source, means, about);
    Sample sample = Sample::fill(places.size(), source.features(), true, [&](double *x, double *y) {
        for (const std::size_t i : places) {
            count_work(1, kWork * source.features());
            for (std::size_t j = 0; j < source.features(); ++j) *x++ = source.x()(i, j);
            *y++ = source.y()[i];
        }
    });
    sample.forget_places();
    sample.stand_for(
        std::make_shared<const WholeSource>(source, std::move(means), settings.threads));
    return sample;
}

}  // namespace dpadapt::engine
