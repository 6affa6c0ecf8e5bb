#include "cli/samples.hpp"

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
        : path_(path), choice_(choice), source_(source), target_(target), current_(&source) {}

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
                row_[place.feature] = parse_number(text);
                return;
            case Role::kLabel:
                label_ = parse_number(text);
                return;
            case Role::kDomain:
                current_ = &domain(text);
                return;
        }
    }

    void end_row() override {
        current_->x.insert(current_->x.end(), row_.begin(), row_.end());
        if (!choice_.label.empty()) current_->y.push_back(label_);
    }

  private:
    Sample &domain(std::string_view text) {
        if (text == "source") return source_;
        if (text == "target") return target_;
        throw CellError('"' + std::string(text) + "\" is neither source nor target");
    }

    std::string path_;
    ColumnChoice &choice_;
    Sample &source_;
    Sample &target_;
    Sample *current_;
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

Samples read_samples(const DataArguments &arguments) {
    Samples samples;
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

std::vector<double> read_features(const std::string &path,
                                  const std::vector<std::string> &features) {
    Sample sample;
    ColumnChoice choice;
    choice.features = features;
    SampleSink sink(path, choice, sample);
    read_csv(path, sink);
    return std::move(sample.x);
}

ProblemHandle make_problem(const Samples &samples) {
    dpa_problem *problem = nullptr;
    check(dpa_problem_create(&problem));
    ProblemHandle handle(problem);
    const std::size_t cols = samples.features.size();
    const auto &[x_s, y_s] = samples.source;
    const auto &[x_t, y_t] = samples.target;
    check(dpa_problem_lend_source(problem, x_s.data(), y_s.size(), cols, cols, DPA_ROW_MAJOR,
                                  y_s.data(), y_s.size()));
    check(dpa_problem_lend_target(problem, x_t.data(), y_t.size(), cols, cols, DPA_ROW_MAJOR,
                                  y_t.data(), y_t.size()));
    return handle;
}

}  // namespace dpadapt::cli
