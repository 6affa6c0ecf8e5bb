#include "cli/large_rows.hpp"

#include <charconv>
#include <filesystem>

#include "cli/columns.hpp"
#include "cli/encoder.hpp"
#include "cli/failure.hpp"
#include "cli/sample_sink.hpp"

namespace dpadapt::cli {

LargeSource::LargeSource(const DataArguments &arguments, const Settings &settings,
                         std::size_t memory, Samples &samples)
    : arguments_(arguments), samples_(samples), memory_(memory) {
    samples = read_source(arguments, settings, memory);
    if (samples.source_elsewhere > 0 && !std::filesystem::is_regular_file(arguments.source))
        throw Failure(kUsage, "--memory would read the source several times: " + arguments.source +
                                  " is no file that allows it");
}

ProblemHandle LargeSource::make_problem() {
    ProblemHandle problem = make_source_problem(samples_);
    if (samples_.source_elsewhere > 0)
        check(dpa_problem_set_source_passes(problem.get(), samples_.source_elsewhere,
                                            samples_.features.size(), answer, this));
    return problem;
}

void LargeSource::answer(dpa_partial *total) {
    const std::size_t cols = samples_.features.size();
    const Failure changed(kBadData, arguments_.source + " was changed while the fit read it");
    const ColumnMap map = read_column_map(arguments_.source_map);
    ColumnChoice choice = source_choice(arguments_, map);
    choice.features = samples_.schema.names();
    choice.ignored.clear();
    Content found;
    std::size_t left = samples_.source_elsewhere;
    const auto add = [&](const Sample &rows) {
        check_interrupted();
        if (rows.y.size() > left) throw Failure(changed);
        left -= rows.y.size();
        found.add(rows);
        check(dpa_partial_add(total, rows.x.data(), rows.y.size(), cols, cols, DPA_ROW_MAJOR,
                              rows.y.data(), rows.y.size()));
    };
    ChunkTaker rows(samples_.schema, false, rows_at_a_time(arguments_.source, memory_, cols + 1), 0,
                    add);
    SampleSink file(arguments_.source, choice, samples_.schema.missing, {rows, false});
    file.read();
    rows.finish(false);
    file.check(rows.misfits());
    if (left > 0 || (content_.rows > 0 && found != content_)) throw Failure(changed);
    content_ = found;
}

int32_t LargeSource::answer(const std::uint8_t * /*request*/, std::size_t /*size*/,
                            dpa_partial *total, void *self) {
    auto &source = *static_cast<LargeSource *>(self);
    try {
        source.answer(total);
        return 0;
    } catch (...) {
        source.failure_ = std::current_exception();
        return 1;
    }
}

void LargeSource::check_readings() const {
    if (failure_) std::rethrow_exception(failure_);
}

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
