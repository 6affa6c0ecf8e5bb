#include "base/bytes.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dpadapt::bytes {

namespace {

/** FNV-1a, 64 bits: finds damage, not forgery. */
std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3U;
    return hash;
}

std::uint64_t load(std::span<const std::uint8_t> bytes) {
    std::uint64_t value = 0;
    for (unsigned k = 0; k < 8; ++k) value |= std::uint64_t{bytes[k]} << 8 * k;
    return value;
}

}  // namespace

Writer::Writer(const Format &format) : bytes_(format.magic.begin(), format.magic.end()) {}

void Writer::number(std::uint64_t value) {
    for (unsigned k = 0; k < 8; ++k) bytes_.push_back(static_cast<std::uint8_t>(value >> 8 * k));
}

void Writer::operator()(const std::string &text) {
    number(text.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
}

std::vector<std::uint8_t> Writer::finish() {
    number(checksum(bytes_));
    return std::move(bytes_);
}

Reader::Reader(std::span<const std::uint8_t> bytes, const Format &format)
    : format_(format), position_(format.magic.size()) {
    if (bytes.size() < position_ + 8 ||
        !std::equal(format.magic.begin(), format.magic.end(), bytes.begin()))
        damaged("does not begin as one");
    bytes_ = bytes.first(bytes.size() - 8);
    if (checksum_of(bytes) != checksum(bytes_)) damaged("its checksum is wrong");
}

void Reader::damaged(const std::string &what) const {
    throw Error(DPA_E_FORMAT, std::string("data must be ") + format_.name + ", but " + what);
}

std::uint64_t Reader::number() {
    if (bytes_.size() - position_ < 8) damaged("it is too short");
    position_ += 8;
    return load(bytes_.subspan(position_ - 8, 8));
}

std::size_t Reader::length(std::size_t item) {
    const std::uint64_t size = number();
    if (size > (bytes_.size() - position_) / item) damaged("it is too short");
    return static_cast<std::size_t>(size);
}

void Reader::operator()(std::string &text) {
    const std::size_t size = length(1);  // moves the position, so it comes first
    const auto part = bytes_.subspan(position_, size);
    text.assign(part.begin(), part.end());
    position_ += part.size();
}

void Reader::expect_end() const {
    if (!is_at_end()) damaged("it is too long");
}

std::uint64_t checksum_of(std::span<const std::uint8_t> written) { return load(written.last(8)); }

}  // namespace dpadapt::bytes

namespace dpadapt {

std::uint64_t ceil_sqrt(Uint128 value) {
    // The floating-point root is within a few units; the loops make it exact.
    auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(value)));
    while (root > 0 && Uint128{root - 1} * (root - 1) >= value) --root;
    while (Uint128{root} * root < value) ++root;
    return root;
}

std::uint64_t floor_sqrt(Uint128 value) {
    const std::uint64_t root = ceil_sqrt(value);
    return Uint128{root} * root > value ? root - 1 : root;
}

}  // namespace dpadapt
