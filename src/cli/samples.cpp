#include "cli/samples.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "cli/columns.hpp"
#include "cli/csv_reader.hpp"
#include "cli/failure.hpp"
#include "cli/number.hpp"

namespace dpadapt::cli {
namespace {

/** Appends the rows of a file to a sample, or to the one of two that the domain column names. */
class SampleSink : public CsvSink {
  public:
    SampleSink(const std::string &path, ColumnChoice &choice, Sample &sample)
        : SampleSink(path, choice, sample, sample) {}

    SampleSink(const std::string &path, ColumnChoice &choice, Sample &source, Sample &target)
        : path_(path), choice_(choice), source_(source), target_(target) {}

    void header(const std::vector<std::string> &names) override {
        places_ = place_columns(path_, names, choice_);
        row_.resize(choice_.features.size());
    }

    void cell(std::size_t column, std::string_view text) override {
        const Place place = places_[column];
        switch (place.role) {
            case Role::kUnused:
                return;
            case Role::kFeature:
                row_[place.feature] = number(text);
                return;
            case Role::kLabel:
                label_ = number(text);
                return;
            case Role::kDomain:
                current_ = &domain(text);
                return;
        }
    }

    void end_row(bool damaged) override {
        if (damaged) forget_row();
        current_->x.insert(current_->x.end(), row_.begin(), row_.end());
        if (labelled()) current_->y.push_back(label_);
        current_ = start();
    }

    [[nodiscard]] RowKind row_kind() const override {
        if (!has_private_rows()) return RowKind::kPublic;
        if (current_ == nullptr) return RowKind::kUnknown;
        return current_->is_private ? RowKind::kPrivate : RowKind::kPublic;
    }

    [[nodiscard]] bool has_private_rows() const override {
        return source_.is_private || target_.is_private;
    }

  private:
    // Without labels nothing is learnt, and NaN has NaN for its prediction.
    [[nodiscard]] bool labelled() const { return !choice_.label.empty(); }

    [[nodiscard]] double number(std::string_view text) const {
        const double value = parse_number(text);
        if (labelled() && !std::isfinite(value)) {
            throw CellError('"' + std::string(text) + "\" is not a finite number");
        }
        return value;
    }

    /** The sample of a row before its domain has been read. */
    [[nodiscard]] Sample *start() const { return choice_.by_domain ? nullptr : &source_; }

    [[nodiscard]] Sample &domain(std::string_view text) const {
        if (text == "source") return source_;
        if (text == "target") return target_;
        throw CellError('"' + std::string(text) + "\" is neither source nor target");
    }

    void forget_row() {
        label_ = std::numeric_limits<double>::quiet_NaN();
        row_.assign(row_.size(), label_);
    }

    std::string path_;
    ColumnChoice &choice_;
    Sample &source_;
    Sample &target_;
    Sample *current_ = start();
    std::vector<Place> places_;
    std::vector<double> row_;
    double label_ = 0.0;
};

void require_rows(const DataArguments &arguments, const Sample &sample, const std::string &name) {
    if (!sample.y.empty()) return;
    throw Failure(kBadData, arguments.data + ": no row has " + name + " in column \"" +
                                arguments.domain + '"');
}

}  // namespace

Samples read_samples(const DataArguments &arguments, const Settings &settings) {
    Samples samples;
    samples.source.is_private = settings.is_private("source");
    samples.target.is_private = settings.is_private("target");
    ColumnChoice choice{.features = arguments.features,
                        .ignored = arguments.ignored,
                        .label = arguments.label,
                        .domain = arguments.domain,
                        .by_domain = !arguments.data.empty()};
    if (choice.by_domain) {
        SampleSink sink(arguments.data, choice, samples.source, samples.target);
        read_csv(arguments.data, sink);
        require_rows(arguments, samples.source, "source");
        require_rows(arguments, samples.target, "target");
    } else {
        SampleSink source(arguments.source, choice, samples.source);
        read_csv(arguments.source, source);
        choice.ignored.clear();  // the target may have fewer columns that nobody needs
        SampleSink target(arguments.target, choice, samples.target);
        read_csv(arguments.target, target);
    }
    samples.features = choice.features;
    return samples;
}

Sample read_sample(const std::string &path, const std::vector<std::string> &features,
                   const std::string &label, bool is_private) {
    Sample sample;
    sample.is_private = is_private;
    ColumnChoice choice;
    choice.features = features;
    choice.label = label;
    SampleSink sink(path, choice, sample);
    read_csv(path, sink);
    return sample;
}

std::vector<double> read_features(const std::string &path,
                                  const std::vector<std::string> &features) {
    Sample sample;
    ColumnChoice choice;
    choice.features = features;
    SampleSink sink(path, choice, sample);
    read_csv(path, sink);
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
    return problem;
}

ProblemHandle make_validation(const Sample &rows, std::size_t features) {
    ProblemHandle problem = empty_problem();
    lend(dpa_problem_lend_target, problem.get(), rows, features);
    return problem;
}

}  // namespace dpadapt::cli
