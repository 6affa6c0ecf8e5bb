#include "cli/large_source.hpp"

#include <filesystem>

#include "cli/column_map.hpp"
#include "cli/failure.hpp"
#include "cli/interrupt.hpp"
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

}  // namespace dpadapt::cli
