#include "cli/samples.hpp"

#include <limits>
#include <utility>

#include "cli/columns.hpp"
#include "cli/failure.hpp"
#include "cli/learn_schema.hpp"
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
    const bool unlabelled = sample.tally.no_label > 0 && !sample.is_private;
    throw Failure(kBadData, path + (unlabelled ? ": no row has a label"
                                               : ": there are no rows below the header"));
}

void require_domain(const DataArguments &arguments, const TableTaker &rows, const char *name) {
    if (rows.table().rows() > 0) return;
    throw Failure(kBadData, arguments.data + ": no row has " + name + " in column \"" +
                                arguments.domain + '"');
}

ColumnChoice choice_of(const DataArguments &arguments) {
    return {.features = arguments.features,
            .ignored = arguments.ignored,
            .label = arguments.label,
            .domain = arguments.domain,
            .group = arguments.group,
            .kept = {},
            .by_domain = !arguments.data.empty()};
}

/** A file whose rows are encoded while they are read. */
struct EncodedFile {
    EncodedFile(const std::string &path, ColumnChoice wanted, const schema::Schema &schema,
                Sample &sample)
        : choice(std::move(wanted)),
          encoder(schema, !choice.label.empty(), sample),
          file(path, choice, schema.missing, {encoder, sample.is_private}) {
        choice.features = schema.names();
        choice.ignored.clear();  // such a file may have fewer columns that nobody needs
        file.read();
    }

    void check() const { file.check(encoder.misfits()); }

    ColumnChoice choice;
    Encoder encoder;
    SampleSink file;
};

/** Encodes rows that were kept. */
void encode_rows(const TableTaker &rows, const std::vector<std::string> &names,
                 const schema::Schema &schema, const SampleSink &file, Sample &sample) {
    Encoder encoder(schema, true, sample);
    rows.give(places_of(schema, names), encoder);
    file.check(encoder.misfits());
}

/** Learns from the rows, which are public unless both samples are private. */
schema::Schema schema_of(const ColumnChoice &choice, const TableTaker &rows, const SampleSink &file,
                         const schema::Wishes &wishes, const Samples &samples) {
    if (samples.source.is_private && samples.target.is_private)
        return schema::Schema::plain(choice.features);
    return learn_schema(choice.features, rows, file, wishes);
}

void read_one_file(const DataArguments &arguments, const schema::Wishes &wishes, Samples &samples) {
    ColumnChoice choice = choice_of(arguments);
    choice.by_group = !choice.group.empty() && samples.target.is_private;
    TableTaker source(!samples.source.is_private);
    TableTaker target(!samples.target.is_private);
    SampleSink file(arguments.data, choice, wishes.missing, {source, samples.source.is_private},
                    {target, samples.target.is_private});
    file.read();
    require_domain(arguments, source, "source");
    require_domain(arguments, target, "target");
    const TableTaker &teacher = samples.source.is_private ? target : source;
    samples.schema = schema_of(choice, teacher, file, wishes, samples);
    encode_rows(source, choice.features, samples.schema, file, samples.source);
    encode_rows(target, choice.features, samples.schema, file, samples.target);
    samples.groups = file.groups();
}

void read_two_files(const DataArguments &arguments, const schema::Wishes &wishes,
                    Samples &samples) {
    const bool by_target = samples.source.is_private && !samples.target.is_private;
    ColumnChoice choice = choice_of(arguments);
    Sample &teacher = by_target ? samples.target : samples.source;
    TableTaker rows(!teacher.is_private);
    SampleSink file(by_target ? arguments.target : arguments.source, choice, wishes.missing,
                    {rows, teacher.is_private});
    file.read();
    samples.schema = schema_of(choice, rows, file, wishes, samples);
    encode_rows(rows, choice.features, samples.schema, file, teacher);
    choice.by_group = !choice.group.empty() && samples.target.is_private;
    const EncodedFile other(by_target ? arguments.source : arguments.target, choice, samples.schema,
                            by_target ? samples.source : samples.target);
    other.check();
    samples.groups = other.file.groups();
}

}  // namespace

Samples read_samples(const DataArguments &arguments, const Settings &settings,
                     const std::string &baseline) {
    Samples samples;
    samples.source.is_private = settings.is_private("source");
    samples.target.is_private = settings.is_private("target");
    const FixedRows rows =
        fixed_rows(arguments.rows, samples.source.is_private, samples.target.is_private);
    const schema::Wishes wishes = make_wishes(arguments, settings, baseline);
    arguments.data.empty() ? read_two_files(arguments, wishes, samples)
                           : read_one_file(arguments, wishes, samples);
    samples.features = samples.schema.features();
    fix_rows(samples.source, rows.source, samples.features.size());
    fix_rows(samples.target, rows.target, samples.features.size());
    const bool is_one = !arguments.data.empty();
    require_rows(is_one ? arguments.data : arguments.source, samples.source);
    require_rows(is_one ? arguments.data : arguments.target, samples.target);
    return samples;
}

Samples read_source(const DataArguments &arguments, const Settings &settings) {
    Samples samples;
    samples.source.is_private = settings.is_private("source");
    const schema::Wishes wishes = make_wishes(arguments, settings, {});
    ColumnChoice choice = choice_of(arguments);
    TableTaker rows(!samples.source.is_private);
    SampleSink file(arguments.source, choice, wishes.missing, {rows, samples.source.is_private});
    file.read();
    samples.schema = samples.source.is_private ? schema::Schema::plain(choice.features)
                                               : learn_schema(choice.features, rows, file, wishes);
    encode_rows(rows, choice.features, samples.schema, file, samples.source);
    samples.features = samples.schema.features();
    require_rows(arguments.source, samples.source);
    return samples;
}

Sample read_sample(const std::string &path, const schema::Schema &schema, const std::string &label,
                   bool is_private, std::size_t rows) {
    Sample sample;
    sample.is_private = is_private;
    EncodedFile(
        path,
        {.features = {}, .ignored = {}, .label = label, .domain = {}, .group = {}, .kept = {}},
        schema, sample)
        .check();
    fix_rows(sample, rows, schema.features().size());
    require_rows(path, sample);
    return sample;
}

Rows read_rows(const std::string &path, const schema::Schema &schema,
               const std::vector<std::string> &kept) {
    Sample sample;
    const EncodedFile read(
        path, {.features = {}, .ignored = {}, .label = {}, .domain = {}, .group = {}, .kept = kept},
        schema, sample);
    return {.x = std::move(sample.x),
            .kept = read.file.kept(),
            .unfit = read.encoder.misfits().count,
            .problems = read.file.text(read.encoder.misfits())};
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
    const std::vector<std::int64_t> &groups = samples.groups;
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

void lend_source(const ProblemHandle &problem, const Sample &rows, std::size_t features) {
    lend(dpa_problem_lend_source, problem.get(), rows, features);
}

}  // namespace dpadapt::cli
