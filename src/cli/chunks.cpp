#include "cli/chunks.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <limits>

namespace dpadapt::cli {

namespace {

std::uint64_t digest_of(std::uint64_t digest, const std::vector<double> &values) {
    for (const double value : values) {
        digest = (digest ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
        digest ^= digest >> 29;
    }
    return digest;
}

}  // namespace

ChunkTaker::ChunkTaker(const schema::Schema &schema, bool is_private, std::size_t most,
                       std::size_t fixed, See see)
    : features_(schema.features().size()),
      most_(most),
      left_(fixed > 0 ? fixed : std::numeric_limits<std::size_t>::max()),
      see_(std::move(see)),
      encoder_(schema, true, rows_) {
    rows_.is_private = is_private;
}

void ChunkTaker::take(std::span<const schema::Cell> cells, std::size_t line, double weight) {
    if (left_ == 0) return;
    make_room();
    encoder_.take(cells, line, weight);
    count();
}

void ChunkTaker::take_null() {
    if (left_ == 0) return;
    make_room();
    encoder_.take_null();
    count();
}

void ChunkTaker::finish(bool fixed) {
    while (fixed && left_ > 0) take_null();
    if (!rows_.y.empty()) give();
}

void ChunkTaker::count() {
    --left_;
    if (rows_.y.size() == most_) give();
}

void ChunkTaker::give() {
    see_(rows_);
    rows_.x.clear();
    rows_.y.clear();
}

/** So that it does not grow by doubling. */
void ChunkTaker::make_room() {
    if (!rows_.y.empty()) return;
    rows_.x.reserve(most_ * features_);
    rows_.y.reserve(most_);
}

void Content::add(const Sample &more) {
    rows += more.y.size();
    digest = digest_of(digest_of(digest, more.x), more.y);
}

std::size_t rows_at_a_time(const std::string &path, std::size_t memory, std::size_t columns) {
    constexpr std::uintmax_t kMostCompressed = 1100;
    const std::uintmax_t most = std::filesystem::file_size(path) * kMostCompressed / columns + 1;
    const std::size_t fitting = memory / 2 / sizeof(double) / columns;
    return static_cast<std::size_t>(std::clamp<std::uintmax_t>(fitting, 1, most));
}

}  // namespace dpadapt::cli
