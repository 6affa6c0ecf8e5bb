#include "cli/large_target.hpp"

#include <charconv>
#include <filesystem>

#include "cli/failure.hpp"
#include "cli/interrupt.hpp"
#include "cli/rows.hpp"
#include "cli/sample_sink.hpp"

namespace dpadapt::cli {

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

void check_memory(const DataArguments &arguments, const Settings &settings) {
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

Content LargeTarget::read(const ChunkTaker::See &see, bool notes_unused) {
    ColumnChoice choice = choice_of(arguments_);
    choice.features = samples_.schema.names();
    choice.ignored.clear();
    choice.may_lack_label = true;
    choice.of_other_file = arguments_.features.empty();
    Content content;
    ChunkTaker rows(samples_.schema, true, at_a_time_, fixed_rows_, [&](Sample &chunk) {
        content.add(chunk);
        see(chunk);
    });
    SampleSink file(arguments_.target, choice, samples_.schema.missing, {rows, true});
    file.read();
    rows.finish(fixed_rows_ > 0);
    samples_.target.unlabelled = choice.label.empty();
    if (notes_unused) note_unused(file, arguments_.ignored, samples_.schema);
    return content;
}

void LargeTarget::give(const ProblemHandle &problem) {
    if (in_memory_) return lend_target(problem, samples_.target, samples_.features.size());
    check(dpa_problem_set_target_passes(problem.get(), content_.rows, samples_.features.size(),
                                        answer, this));
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
