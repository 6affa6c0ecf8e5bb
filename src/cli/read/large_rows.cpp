#include "cli/read/large_rows.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <utility>

#include "cli/read/failure.hpp"
#include "cli/read/problems.hpp"

namespace dpadapt::cli {
namespace {

std::uint64_t digest_of(std::uint64_t digest, const std::vector<double> &values) {
    for (const double value : values) {
        digest = (digest ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
        digest ^= digest >> 29;
    }
    return digest;
}

/** How many rows half of the memory holds, but no more than a file of that size may have,
 *  compressed or not. */
std::size_t rows_at_a_time(const std::string &path, std::size_t memory, std::size_t columns) {
    constexpr std::uintmax_t kMostCompressed = 1100;
    const std::uintmax_t most = std::filesystem::file_size(path) * kMostCompressed / columns + 1;
    const std::size_t fitting = memory / 2 / sizeof(double) / columns;
    return static_cast<std::size_t>(std::clamp<std::uintmax_t>(fitting, 1, most));
}

/** Where files cannot be read several times, or are not for that. */
void check_memory(const DataArguments &arguments, const Settings &settings) {
    if (settings.is_private("source") || !settings.is_private("target"))
        throw Failure(kUsage, "--memory is for a private target and a public source");
    for (const auto &[given, flag] : {std::pair(!arguments.data.empty(), "--data"),
                                      {!arguments.group.empty(), "--group"},
                                      {!arguments.own.empty(), "--own"},
                                      {!arguments.weights.empty(), "--weight"},
                                      {!arguments.more_sources.empty(), "--add-source"}})
        if (given) throw Failure(kUsage, std::string("--memory does not go with ") + flag);
    if (!std::filesystem::is_regular_file(arguments.target))
        throw Failure(kUsage, "--memory reads the target several times: " + arguments.target +
                                  " is no file that allows it");
}

}  // namespace

FilePasses::FilePasses(std::string path, ColumnChoice choice, const schema::Schema &schema,
                       bool is_private, std::size_t memory, std::size_t fixed)
    : path_(std::move(path)),
      choice_(std::move(choice)),
      schema_(schema),
      is_private_(is_private),
      at_a_time_(rows_at_a_time(path_, memory, schema.features().size() + 1)),
      fixed_(fixed) {
    choice_.features = schema.names();
    choice_.ignored.clear();
}

void FilePasses::read(const Encoder::See &see, const Seen &seen) {
    const Failure changed(kBadData, path_ + " was changed while the fit read it" +
                                        (is_private_ ? "; what it has paid is spent" : ""));
    ColumnChoice choice = choice_;
    Sample rows;
    rows.is_private = is_private_;
    std::size_t count = 0;
    std::uint64_t digest = 0;
    Encoder encoder(schema_, true, rows);
    encoder.gives_away(at_a_time_, fixed_, [&](Sample &chunk) {
        check_interrupted();
        count += chunk.y.size();
        if (rows_ && count > *rows_) throw Failure(changed);
        digest = digest_of(digest_of(digest, chunk.x), chunk.y);
        see(chunk);
    });
    SampleSink file(path_, choice, schema_.missing, {encoder, is_private_});
    file.read();
    encoder.finish();
    file.check(encoder.invalid_cells());
    if (count != rows_.value_or(count) || digest != digest_.value_or(digest))
        throw Failure(changed);
    rows_ = count;
    digest_ = digest;
    if (seen) seen(file, choice);
}

int32_t FilePasses::answer(const std::uint8_t * /*request*/, std::size_t /*size*/,
                           dpa_partial *total, void *self) noexcept {
    auto &passes = *static_cast<FilePasses *>(self);
    try {
        const std::size_t cols = passes.schema_.features().size();
        passes.read([&](const Sample &rows) {
            const dpa_matrix x{rows.x.data(), rows.y.size(), cols, cols, DPA_ROW_MAJOR};
            check(dpa_partial_add(total, x, rows.y.data(), rows.y.size(), nullptr, 0));
        });
        return 0;
    } catch (...) {
        passes.failure_ = std::current_exception();
        return 1;
    }
}

void FilePasses::lend(const ProblemHandle &problem, std::int32_t domain) {
    check(dpa_problem_set_passes(problem.get(), domain, rows_.value_or(0),
                                 schema_.features().size(), answer, this));
}

void FilePasses::check_readings() const {
    if (failure_) std::rethrow_exception(failure_);
}

LargeSamples::LargeSamples(const DataArguments &arguments, const Settings &settings,
                           std::size_t memory, Samples &samples)
    : samples_(samples), map_(read_column_map(arguments.source_map)) {
    check_memory(arguments, settings);
    samples = read_source(arguments, settings, memory);
    if (samples.source_elsewhere > 0) {
        if (!std::filesystem::is_regular_file(arguments.source))
            throw Failure(kUsage, "--memory would read the source several times: " +
                                      arguments.source + " is no file that allows it");
        source_.emplace(arguments.source, choice_of(arguments, map_), samples.schema, false, memory,
                        0);
        source_->expect(samples.source_elsewhere);
    }
    ColumnChoice choice = choice_of(arguments);
    choice.may_lack_label = true;
    choice.of_other_file = arguments.features.empty();
    target_.emplace(arguments.target, choice, samples.schema, true, memory,
                    fixed_rows(arguments.rows, false, true).target);
    read_target(arguments);
}

/** Keeps its rows if they are one chunk. */
void LargeSamples::read_target(const DataArguments &arguments) {
    Sample &target = samples_.target;
    std::size_t chunks = 0;
    target.is_private = true;
    const auto keep_first = [&](Sample &rows) {
        if (++chunks == 1) {
            target.x.swap(rows.x);
            target.y.swap(rows.y);
        } else if (chunks == 2) {
            target = Sample{.is_private = true, .x = {}, .y = {}};
        }
    };
    target_->read(keep_first, [&](const SampleSink &file, const ColumnChoice &choice) {
        target.unlabelled = choice.label.empty();
        if (arguments.features.empty()) note_unused(file, arguments.ignored, samples_.schema);
    });
    if (chunks == 0)
        throw Failure(kBadData, arguments.target + ": there are no rows below the header");
    if (target.unlabelled) {  // the library says so, of any rows
        target.x.assign(samples_.features.size(), 0.0);
        target.y.assign(1, 0.0);
    }
    if (chunks == 1 || target.unlabelled) target_.reset();
}

ProblemHandle LargeSamples::make_problem() {
    ProblemHandle problem = make_source_problem(samples_);
    if (source_) source_->lend(problem, DPA_SOURCE);
    target_ ? target_->lend(problem, DPA_TARGET)
            : lend(problem, DPA_TARGET, samples_.target, samples_.features.size());
    return problem;
}

void LargeSamples::check_readings() const {
    for (const std::optional<FilePasses> *file : {&source_, &target_})
        if (*file) (*file)->check_readings();
}

}  // namespace dpadapt::cli
