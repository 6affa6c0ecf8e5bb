#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "solution/solution.hpp"

namespace dpadapt {
namespace {

constexpr std::array<std::uint8_t, 8> kMagic = {'D', 'P', 'A', 'D', 'A', 'P', 'T', '\n'};
constexpr std::uint64_t kFormat = 2;

/** FNV-1a, 64 bits: finds damage, not forgery. */
std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3U;
    return hash;
}

class Writer {
  public:
    Writer() : bytes_(kMagic.begin(), kMagic.end()) {}
    void operator()(std::uint64_t value) {
        for (unsigned shift = 0; shift < 64; shift += 8)
            bytes_.push_back(static_cast<std::uint8_t>(value >> shift));
    }
    void operator()(double value) { (*this)(std::bit_cast<std::uint64_t>(value)); }
    void operator()(const std::vector<double> &values) {
        (*this)(std::uint64_t{values.size()});
        for (const double value : values) (*this)(value);
    }
    void operator()(const std::string &text) {
        (*this)(std::uint64_t{text.size()});
        bytes_.insert(bytes_.end(), text.begin(), text.end());
    }
    std::vector<std::uint8_t> finish() {
        (*this)(checksum(bytes_));
        return std::move(bytes_);
    }

  private:
    std::vector<std::uint8_t> bytes_;
};

[[noreturn]] void damaged(const char *what) {
    throw Error(DPA_E_FORMAT, std::string("data must be a saved solution, but ") + what);
}

class Reader {
  public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
        if (bytes.size() < kMagic.size() + 8 ||
            std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
            damaged("does not begin as one");
        bytes_ = bytes.first(bytes.size() - 8);
        position_ = bytes_.size();
        Reader tail(*this, bytes);
        if (tail.number() != checksum(bytes_)) damaged("its checksum is wrong");
        position_ = kMagic.size();
    }
    std::uint64_t number() {
        if (bytes_.size() - position_ < 8) damaged("it is too short");
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 8)
            value |= std::uint64_t{bytes_[position_++]} << shift;
        return value;
    }
    double real() { return std::bit_cast<double>(number()); }
    std::vector<double> reals() {
        const std::uint64_t size = number();
        if (size > (bytes_.size() - position_) / 8) damaged("it is too short");
        std::vector<double> values(static_cast<std::size_t>(size));
        for (double &value : values) value = real();
        return values;
    }
    std::string text() {
        const std::uint64_t size = number();
        if (size > bytes_.size() - position_) damaged("it is too short");
        const auto *begin = reinterpret_cast<const char *>(bytes_.data() + position_);
        position_ += static_cast<std::size_t>(size);
        return {begin, static_cast<std::size_t>(size)};
    }
    void expect_end() const {
        if (position_ != bytes_.size()) damaged("it is too long");
    }

  private:
    Reader(const Reader &before, std::span<const std::uint8_t> all)
        : bytes_(all), position_(before.position_) {}

    std::span<const std::uint8_t> bytes_;
    std::size_t position_ = 0;
};

/** Every field, in the order of the file; the same list writes and reads. */
template <typename Settings, typename Field>
void each_setting(Settings &settings, const Field &field) {
    field(settings.alpha);
    field(settings.kappa_1);
    field(settings.kappa_2);
    field(settings.kappa_inf);
    field(settings.radius);
    field(settings.discrepancy);
    field(settings.feature_radius);
    field(settings.label_bound);
}

}  // namespace

std::vector<std::uint8_t> serialize(const Solution &solution) {
    Writer write;
    write(kFormat);
    write(solution.coefficients);
    write(solution.intercept);
    write(std::uint64_t{solution.source_rows});
    write(std::uint64_t{solution.target_rows});
    write(solution.source_weights);
    write(solution.target_weights);
    write(solution.objective);
    write(solution.duality_gap);
    write(static_cast<std::uint64_t>(solution.iterations));
    write(static_cast<std::uint64_t>(solution.termination));
    each_setting(solution.settings, [&](double value) { write(value); });
    write(static_cast<std::uint64_t>(solution.privacy.protection));
    write(solution.privacy.epsilon);
    write(solution.privacy.delta);
    write(solution.privacy.json);
    write(solution.privacy.text);
    return write.finish();
}

Solution deserialize(std::span<const std::uint8_t> bytes) {
    Reader read(bytes);
    if (read.number() != kFormat) damaged("of a format that this version does not know");
    Solution solution;
    solution.coefficients = read.reals();
    solution.intercept = read.reals();
    solution.source_rows = static_cast<std::size_t>(read.number());
    solution.target_rows = static_cast<std::size_t>(read.number());
    solution.source_weights = read.reals();
    solution.target_weights = read.reals();
    solution.objective = read.real();
    solution.duality_gap = read.real();
    solution.iterations = static_cast<std::int64_t>(read.number());
    const std::uint64_t termination = read.number();
    each_setting(solution.settings, [&](double &value) { value = read.real(); });
    const std::uint64_t protection = read.number();
    solution.privacy.epsilon = read.real();
    solution.privacy.delta = read.real();
    solution.privacy.json = read.text();
    solution.privacy.text = read.text();
    read.expect_end();
    const auto fits = [](const std::vector<double> &weights, std::size_t rows) {
        return weights.empty() || weights.size() == rows;
    };
    if (termination > static_cast<std::uint64_t>(Termination::steps) ||
        protection > static_cast<std::uint64_t>(Protection::seeded) || solution.intercept.empty() ||
        solution.coefficients.empty() ||
        solution.coefficients.size() % solution.intercept.size() != 0 ||
        !fits(solution.source_weights, solution.source_rows) ||
        !fits(solution.target_weights, solution.target_rows))
        damaged("its fields contradict each other");
    solution.privacy.protection = static_cast<Protection>(protection);
    solution.termination = static_cast<Termination>(termination);
    return solution;
}

}  // namespace dpadapt
