#include "cli/large_target.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <limits>

#include "cli/failure.hpp"
#include "cli/interrupt.hpp"
#include "cli/rows.hpp"
#include "cli/sample_sink.hpp"

namespace dpadapt::cli {
namespace {

/** Encodes rows, and gives them away as soon as there are so many; where their number is fixed, no
 *  more than that. */
class ChunkTaker : public RecordTaker {
  public:
    ChunkTaker(const schema::Schema &schema, std::size_t most, std::size_t fixed,
               std::function<void(Sample &)> see)
        : features_(schema.features().size()),
          most_(most),
          left_(fixed > 0 ? fixed : std::numeric_limits<std::size_t>::max()),
          see_(std::move(see)),
          encoder_(schema, true, rows_) {
        rows_.is_private = true;
    }

    void begin(std::size_t columns) override { encoder_.begin(columns); }

    void take(std::span<const schema::Cell> cells, std::size_t line, double weight) override {
        if (left_ == 0) return;
        make_room();
        encoder_.take(cells, line, weight);
        count();
    }

    void take_null() override {
        if (left_ == 0) return;
        make_room();
        encoder_.take_null();
        count();
    }

    /** Of a fixed number the missing ones are null; then the rest is given away. */
    void finish(bool fixed) {
        while (fixed && left_ > 0) take_null();
        if (!rows_.y.empty()) give();
    }

  private:
    void count() {
        --left_;
        if (rows_.y.size() == most_) give();
    }

    void give() {
        see_(rows_);
        rows_.x.clear();
        rows_.y.clear();
    }

    /** So that it does not grow by doubling. */
    void make_room() {
        if (!rows_.y.empty()) return;
        rows_.x.reserve(most_ * features_);
        rows_.y.reserve(most_);
    }

    std::size_t features_;
    std::size_t most_;
    std::size_t left_;
    std::function<void(Sample &)> see_;
    Sample rows_;
    Encoder encoder_;
};

std::uint64_t digest_of(std::uint64_t digest, const std::vector<double> &values) {
    for (const double value : values) {
        digest = (digest ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
        digest ^= digest >> 29;
    }
    return digest;
}

/** In half of the memory, and no more than a file of that size may have, compressed or not. */
std::size_t rows_at_a_time(const std::string &path, std::size_t memory, std::size_t columns) {
    constexpr std::uintmax_t kMostCompressed = 1100;
    const std::uintmax_t most = std::filesystem::file_size(path) * kMostCompressed / columns + 1;
    const std::size_t fitting = memory / 2 / sizeof(double) / columns;
    return static_cast<std::size_t>(std::clamp<std::uintmax_t>(fitting, 1, most));
}

}  // namespace

std::size_t parse_memory(const std::string &flag, const std::string &text) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
    std::uint64_t size = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, size);
    const std::string unit(stop, end);
    const unsigned shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
    const bool known = shift > 0 || unit.empty();
    if (error != std::errc{} || !known || size > (kMost >> shift) || (size << shift) < 1 << 20)
        throw Failure(
            kUsage, flag + " needs a size such as 256M or 4G, of 1M at least, not \"" + text + '"');
    return size << shift;
}

Samples read_source_of_large_target(const DataArguments &arguments, const Settings &settings) {
    const auto refuse = [](bool given, const char *what) {
        if (given) throw Failure(kUsage, std::string("--memory does not go with ") + what);
    };
    if (settings.is_private("source") || !settings.is_private("target"))
        throw Failure(kUsage, "--memory is for a private target and a public source");
    refuse(!arguments.data.empty(), "--data");
    refuse(!arguments.group.empty(), "--group");
    refuse(!arguments.own.empty(), "--own");
    refuse(!arguments.weights.empty(), "--weight");
    refuse(!arguments.more_sources.empty(), "--add-source");
    if (!std::filesystem::is_regular_file(arguments.target))
        throw Failure(kUsage, "--memory reads the target several times: " + arguments.target +
                                  " is no file that allows it");
    return read_source(arguments, settings);
}

LargeTarget::LargeTarget(const DataArguments &arguments, std::size_t memory, Samples &samples)
    : arguments_(arguments),
      samples_(samples),
      fixed_rows_(fixed_rows(arguments.rows, false, true).target),
      at_a_time_(rows_at_a_time(arguments.target, memory, samples.features.size() + 1)) {
    std::size_t chunks = 0;
    samples_.target.is_private = true;
    const auto keep_first = [&](Sample &rows) {
        check_interrupted();
        if (++chunks == 1) {
            samples_.target.x.swap(rows.x);
            samples_.target.y.swap(rows.y);
        } else if (chunks == 2) {
            samples_.target = Sample{.is_private = true, .x = {}, .y = {}};
        }
    };
    content_ = read(keep_first, arguments.features.empty());
    if (samples_.target.unlabelled && chunks > 0) {  // the library says so, of any rows
        samples_.target.x.assign(samples_.features.size(), 0.0);
        samples_.target.y.assign(1, 0.0);
    }
    in_memory_ = chunks == 1 || samples_.target.unlabelled;
    if (chunks == 0)
        throw Failure(kBadData, arguments.target + ": there are no rows below the header");
}

LargeTarget::Content LargeTarget::read(const See &see, bool notes_unused) {
    ColumnChoice choice = choice_of(arguments_);
    choice.features = samples_.schema.names();
    choice.ignored.clear();
    choice.may_lack_label = true;
    choice.of_other_file = arguments_.features.empty();
    Content content;
    ChunkTaker rows(samples_.schema, at_a_time_, fixed_rows_, [&](Sample &chunk) {
        content.rows += chunk.y.size();
        content.digest = digest_of(digest_of(content.digest, chunk.x), chunk.y);
        see(chunk);
    });
    SampleSink file(arguments_.target, choice, samples_.schema.missing, {rows, true});
    file.read();
    rows.finish(fixed_rows_ > 0);
    samples_.target.unlabelled = choice.label.empty();
    if (notes_unused) note_unused(file, arguments_.ignored, samples_.schema);
    return content;
}

ProblemHandle LargeTarget::make_problem() {
    if (in_memory_) return cli::make_problem(samples_);
    ProblemHandle problem = make_source_problem(samples_);
    check(dpa_problem_set_target_passes(problem.get(), content_.rows, samples_.features.size(),
                                        answer, this));
    return problem;
}

void LargeTarget::answer(dpa_partial *total) {
    const std::size_t cols = samples_.features.size();
    const Failure changed(kBadData, arguments_.target +
                                        " was changed while the fit read it; what it has paid is "
                                        "spent");
    std::size_t left = content_.rows;
    const Content found = read([&](const Sample &rows) {
        check_interrupted();
        if (rows.y.size() > left) throw Failure(changed);
        left -= rows.y.size();
        check(dpa_partial_add(total, rows.x.data(), rows.y.size(), cols, cols, DPA_ROW_MAJOR,
                              rows.y.data(), rows.y.size()));
    });
    if (found != content_) throw Failure(changed);
}

int32_t LargeTarget::answer(const std::uint8_t * /*request*/, std::size_t /*size*/,
                            dpa_partial *total, void *self) {
    auto &target = *static_cast<LargeTarget *>(self);
    try {
        target.answer(total);
        return 0;
    } catch (...) {
        target.failure_ = std::current_exception();
        return 1;
    }
}

void LargeTarget::check_readings() const {
    if (failure_) std::rethrow_exception(failure_);
}

}  // namespace dpadapt::cli
