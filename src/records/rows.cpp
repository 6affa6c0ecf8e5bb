#include "records/rows.hpp"

#include <cmath>

#include "records/arithmetic.hpp"

namespace dpadapt::records {

/** A piece takes some ten milliseconds at most: a record of that many numbers is mapped, and its
 *  products are added up. */
Schedule::Schedule(std::size_t units, std::size_t numbers, std::size_t of_threads)
    : threads(of_threads) {
    constexpr double kMostWork = 1 << 24;
    constexpr double kOfRecord = 512.0;  // what it costs whatever its numbers
    const auto size = static_cast<double>(numbers);
    const double work = static_cast<double>(units) * (size * (size + 16.0) + kOfRecord);
    pieces = 1 + static_cast<std::size_t>(work / kMostWork);
}

Accumulator::Rows::Rows(const Sample &sample, const Coordinates &coordinates,
                        std::size_t rows_per_person, Unlabelled unlabelled)
    : sample_(sample),
      coordinates_(coordinates),
      unlabelled_(weighs() ? Unlabelled::nothing : unlabelled),
      units_(sample, rows_per_person),
      whitening_(coordinates.whitening),
      map_(coordinates.map) {}

void Accumulator::Rows::keep(std::size_t threads) {
    const std::size_t d = dimension();
    UnsetSecretVector<double> zeta(count() * d);
    UnsetSecretVector<double> label(count());
    UnsetSecretVector<double> norm(count());
    UnsetSecretVector<double> weight(weighs() ? count() : 0);
    const auto keep_some = [&](std::size_t begin, std::size_t end, Counts &found) {
        found.merge(each_read(begin, end, records_at_a_time(d), [&](const Block &block) {
            std::copy_n(block.rows.x, block.rows.rows * d, zeta.data() + block.begin * d);
            std::copy_n(block.rows.label, block.rows.rows, label.data() + block.begin);
            std::copy_n(block.norm, block.rows.rows, norm.data() + block.begin);
            if (weighs()) std::copy_n(block.weight, block.rows.rows, weight.data() + block.begin);
        }));
    };
    Schedule schedule(units_.count(), d, threads);
    if (units_.persons()) schedule.pieces = 1;  // whether it is done is private: their rows decide
    (void)sum_of_parts(count(), schedule, Counts{}, keep_some);
    zeta_.swap(zeta);
    label_.swap(label);
    norm_.swap(norm);
    weight_.swap(weight);
}

double Accumulator::Rows::weight_of(std::size_t record) const {
    if (!weighs()) return 1.0;
    const double bound = coordinates_.weight_bound;
    const double given = sample_.weights() != nullptr ? (*sample_.weights())[record] : 1.0;
    // mutant: weights_unbounded
    const double clipped = std::isfinite(given) ? std::clamp(given, 0.0, bound) : 0.0;
    return clipped / bound;
}

Accumulator::Block Accumulator::Rows::kept_block(std::size_t begin, std::size_t end) const {
    const std::size_t d = dimension();
    return {begin,
            {end - begin, d, zeta_.data() + begin * d, label_.data() + begin},
            norm_.data() + begin,
            weighs() ? weight_.data() + begin : nullptr};
}

Accumulator::Rows::Blocks::Blocks(const Rows &rows, std::size_t most)
    : rows_(rows),
      raw_(rows.whitening_.is_identity() ? 0 : most * rows.coordinates_.features()),
      z_(most * rows.coordinates_.inputs()),
      made_(rows.coordinates_.hidden.empty() ? 0 : most * rows.dimension()),
      zeta_(rows.map_.is_identity() && !rows.kept() ? 0 : most * rows.dimension()),
      label_(most),
      norm_(most),
      weight_(rows.weighs() ? most : 0),
      kept_(most),
      hidden_(rows.coordinates_.hidden) {}

Accumulator::Block Accumulator::Rows::Blocks::read(std::span<const std::uint32_t> records,
                                                   std::size_t begin) {
    const std::size_t d = rows_.dimension();
    double *zeta = coordinates_of(records);
    for (std::size_t i = 0; i < records.size(); ++i)
        norm_[i] = std::sqrt(product(zeta + i * d, zeta + i * d, d));
    for (std::size_t i = 0; i < records.size(); ++i)
        label_[i] = kept_[i] != 0 ? label_of(records[i], zeta + i * d, norm_[i])
                                  : neutralise(zeta + i * d, norm_[i]);
    for (std::size_t i = 0; i < weight_.size() && i < records.size(); ++i)
        weight_[i] = norm_[i] > 0.0 ? rows_.weight_of(records[i]) : 1.0;
    found_.seen += records.size();
    return block(begin, records.size(), zeta);
}

Accumulator::Block Accumulator::Rows::Blocks::block(std::size_t begin, std::size_t records,
                                                    const double *zeta) const {
    return {begin,
            {records, rows_.dimension(), zeta, label_.data()},
            norm_.data(),
            rows_.weighs() ? weight_.data() : nullptr};
}

Accumulator::Block Accumulator::Rows::Blocks::copy(std::span<const std::uint32_t> records,
                                                   std::size_t begin) {
    const std::size_t d = rows_.dimension();
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Block record = rows_.kept_block(records[i], records[i] + 1U);
        std::copy_n(record.rows.x, d, zeta_.data() + i * d);
        label_[i] = *record.rows.label;
        norm_[i] = *record.norm;
        if (rows_.weighs()) weight_[i] = *record.weight;
    }
    return block(begin, records.size(), zeta_.data());
}

/** Each step for all records, where one exists. */
double *Accumulator::Rows::Blocks::coordinates_of(std::span<const std::uint32_t> records) {
    const Coordinates &to = rows_.coordinates_;
    const std::size_t features = to.features();
    const std::size_t inputs = to.inputs();
    if (rows_.whitening_.is_identity()) {
        read_features(records, z_.data(), inputs);
    } else {
        read_features(records, raw_.data(), features);
        rows_.whitening_.multiply(raw_.data(), records.size(), z_.data(), inputs);
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        double *z = z_.data() + i * inputs;
        if (to.constant) z[inputs - 1] = 1.0;
        if (kept_[i] == 0) continue;
        clip(z);
        if (!made_.empty()) hidden_({z, inputs}, made_.data() + i * rows_.dimension());
    }
    double *made = made_.empty() ? z_.data() : made_.data();
    if (rows_.map_.is_identity()) return made;
    rows_.map_.multiply(made, records.size(), zeta_.data(), rows_.dimension());
    return zeta_.data();
}

/** Finite only if the record is, or if its values cancel at 1e308. */
bool Accumulator::Rows::Blocks::is_finite(std::size_t record) const {
    const linalg::MatrixView &x = rows_.sample_.x();
    const double label = rows_.sample_.y()[record];
    double sum = std::isnan(label) ? 0.0 : label;
    for (std::size_t j = 0; j < x.cols; ++j) sum += x(record, j);
    return std::isfinite(sum);
}

/** Also decides which records are kept. */
void Accumulator::Rows::Blocks::read_features(std::span<const std::uint32_t> records, double *raw,
                                              std::size_t stride) {
    constexpr double kSmall = 1e300;  // the sum of so small ones needs no look at each
    const linalg::MatrixView &x = rows_.sample_.x();
    const double *labels = rows_.sample_.y();
    const Coordinates &to = rows_.coordinates_;
    if (!x.row_major)
        for (std::size_t j = 0; j < x.cols; ++j)
            for (std::size_t i = 0; i < records.size(); ++i)
                raw[i * stride + j] = x.column(j)[records[i]];
    for (std::size_t i = 0; i < records.size(); ++i, raw += stride) {
        const std::size_t record = records[i];
        const double *row = x.row_major ? x.row(record) : raw;
        const double size =
            center_and_scale(x.cols, row, to.center.memptr(), to.scale.memptr(), raw);
        const bool has_label = !std::isnan(labels[record]);
        // mutant: unlabelled_records_among_the_labels
        const bool read = has_label || rows_.unlabelled_ != Unlabelled::nothing;
        const bool counts = read && rows_.weight_of(record) > 0.0;
        const bool small = size <= kSmall && (!has_label || std::abs(labels[record]) <= kSmall);
        kept_[i] = counts && (small || is_finite(record)) ? 1 : 0;
    }
}

/** The constant is no feature: it stays 1. */
void Accumulator::Rows::Blocks::clip(double *z) {
    const double radius = rows_.coordinates_.clipping.feature_radius;
    if (std::isinf(radius)) return;
    const std::size_t features = rows_.coordinates_.coordinates();
    double square = 0.0;
    for (std::size_t j = 0; j < features; ++j) square += z[j] * z[j];
    const double norm = std::sqrt(square);
    if (!(norm > radius)) return;
    ++found_.scaled;
    for (std::size_t j = 0; j < features; ++j) z[j] *= radius / norm;
}

/** NaN where the record has none, or counts as none. */
double Accumulator::Rows::Blocks::label_of(std::size_t record, double *zeta, double &norm) {
    const Coordinates &to = rows_.coordinates_;
    const std::size_t d = rows_.dimension();
    const double given = rows_.sample_.y()[record];
    const bool has_label = !std::isnan(given);
    const double label = has_label ? given - to.label_center : 0.0;
    const auto finite = [](double v) { return std::isfinite(v); };
    // A finite norm is one of finite numbers; of an infinite one they may be finite all the same.
    if (!finite(label) || (!finite(norm) && !std::all_of(zeta, zeta + d, finite)))
        return neutralise(zeta, norm);
    if (!has_label) return given;
    const double bound = to.clipping.label_bound;
    const double clamped = std::clamp(label, -bound, bound);
    if (clamped != label) ++found_.clamped_labels;
    return clamped;
}

double Accumulator::Rows::Blocks::neutralise(double *zeta, double &norm) {
    ++found_.not_finite;
    std::fill_n(zeta, rows_.dimension(), 0.0);
    norm = 0.0;
    return rows_.coordinates_.clipping.neutral_label;
}

}  // namespace dpadapt::records
