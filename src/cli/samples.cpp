#include "cli/samples.hpp"

#include <limits>
#include <utility>

#include "cli/columns.hpp"
#include "cli/failure.hpp"
#include "cli/rows.hpp"
#include "cli/sample_sink.hpp"

namespace dpadapt::cli {
namespace {

/** What --rows says about a sample comes true: missing records are null, surplus ones are gone. */
void fix_rows(Sample &sample, std::size_t rows, std::size_t cols) {
    if (rows == 0) return;
    sample.x.resize(rows * cols, std::numeric_limits<double>::quiet_NaN());
    sample.y.resize(rows, std::numeric_limits<double>::quiet_NaN());
}

void require_rows(const std::string &path, const Sample &sample) {
    if (!sample.y.empty()) return;
    throw Failure(kBadData, path + ": there are no rows below the header");
}

void require_domain(const DataArguments &arguments, const Sample &sample, const char *name) {
    if (!sample.y.empty()) return;
    throw Failure(kBadData, arguments.data + ": no row has " + name + " in column \"" +
                                arguments.domain + '"');
}

}  // namespace

Samples read_samples(const DataArguments &arguments, const Settings &settings) {
    Samples samples;
    samples.source.is_private = settings.is_private("source");
    samples.target.is_private = settings.is_private("target");
    const FixedRows rows =
        fixed_rows(arguments.rows, samples.source.is_private, samples.target.is_private);
    ColumnChoice choice{.features = arguments.features,
                        .ignored = arguments.ignored,
                        .label = arguments.label,
                        .domain = arguments.domain,
                        .group = arguments.group,
                        .by_domain = !arguments.data.empty()};
    choice.by_group = choice.by_domain && !arguments.group.empty();
    if (choice.by_domain) {
        SampleSink(arguments.data, choice, samples.source, samples.target).read();
    } else {
        SampleSink(arguments.source, choice, samples.source).read();
        choice.by_group = !arguments.group.empty();
        choice.ignored.clear();  // the target may have fewer columns that nobody needs
        SampleSink(arguments.target, choice, samples.target).read();
    }
    fix_rows(samples.source, rows.source, choice.features.size());
    fix_rows(samples.target, rows.target, choice.features.size());
    if (choice.by_domain) {
        require_domain(arguments, samples.source, "source");
        require_domain(arguments, samples.target, "target");
    } else {
        require_rows(arguments.source, samples.source);
        require_rows(arguments.target, samples.target);
    }
    samples.features = choice.features;
    return samples;
}

Samples read_source(const DataArguments &arguments, const Settings &settings) {
    Samples samples;
    samples.source.is_private = settings.is_private("source");
    ColumnChoice choice{.features = arguments.features,
                        .ignored = arguments.ignored,
                        .label = arguments.label,
                        .domain = arguments.domain,
                        .group = arguments.group};
    SampleSink(arguments.source, choice, samples.source).read();
    require_rows(arguments.source, samples.source);
    samples.features = choice.features;
    return samples;
}

Sample read_sample(const std::string &path, const std::vector<std::string> &features,
                   const std::string &label, bool is_private, std::size_t rows) {
    Sample sample;
    sample.is_private = is_private;
    ColumnChoice choice;
    choice.features = features;
    choice.label = label;
    SampleSink(path, choice, sample).read();
    fix_rows(sample, rows, features.size());
    require_rows(path, sample);
    return sample;
}

std::vector<double> read_features(const std::string &path,
                                  const std::vector<std::string> &features) {
    Sample sample;
    ColumnChoice choice;
    choice.features = features;
    SampleSink(path, choice, sample).read();
    return std::move(sample.x);
}

namespace {

ProblemHandle empty_problem() {
    dpa_problem *problem = nullptr;
    check(dpa_problem_create(&problem));
    return ProblemHandle(problem);
}

template <typename Lend>
void lend(Lend lend_sample, dpa_problem *problem, const Sample &sample, std::size_t cols) {
    check(lend_sample(problem, sample.x.data(), sample.y.size(), cols, cols, DPA_ROW_MAJOR,
                      sample.y.data(), sample.y.size()));
}

}  // namespace

ProblemHandle make_problem(const Samples &samples) {
    ProblemHandle problem = empty_problem();
    lend(dpa_problem_lend_source, problem.get(), samples.source, samples.features.size());
    lend(dpa_problem_lend_target, problem.get(), samples.target, samples.features.size());
    const std::vector<std::int64_t> &groups = samples.target.groups;
    if (!groups.empty())
        check(dpa_problem_set_target_groups(problem.get(), groups.data(), groups.size()));
    return problem;
}

ProblemHandle make_source_problem(const Samples &samples) {
    ProblemHandle problem = empty_problem();
    lend(dpa_problem_lend_source, problem.get(), samples.source, samples.features.size());
    return problem;
}

ProblemHandle make_validation(const Sample &rows, std::size_t features) {
    ProblemHandle problem = empty_problem();
    lend(dpa_problem_lend_target, problem.get(), rows, features);
    return problem;
}

}  // namespace dpadapt::cli
