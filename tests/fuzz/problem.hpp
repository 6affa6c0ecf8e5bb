// Samples of any doubles, and problems of them.
#pragma once

#include <algorithm>

#include "fuzz/fuzz.hpp"

namespace fuzz {

struct Sample {
    std::vector<double> x;
    std::vector<double> y;

    Sample(Input &input, std::size_t rows, std::size_t features, std::size_t labels)
        : x(rows * features), y(rows) {
        for (double &value : x) value = input.real();
        for (double &value : y) value = label(input, labels);
    }

    static double label(Input &input, std::size_t labels) {
        if (labels == 0) return input.real();
        if (labels == 1) return input.byte() % 2 == 0 ? -1.0 : 1.0;
        return static_cast<double>(input.below(3)) + (labels == 3 ? 0.5 : 0.0);
    }
};

class Problem {
  public:
    Problem(const Sample &source, const Sample &target) {
        const std::size_t features = source.x.size() / source.y.size();
        REQUIRE(dpa_problem_create(&problem_) == DPA_OK);
        set(DPA_SOURCE, source, features);
        set(DPA_TARGET, target, features);
    }
    Problem(const Problem &) = delete;
    Problem &operator=(const Problem &) = delete;
    ~Problem() { dpa_problem_destroy(problem_); }

    [[nodiscard]] dpa_problem *get() const { return problem_; }

    /** Rows with a label: what weights of a domain are divided by. */
    [[nodiscard]] double labelled(std::int32_t domain) const {
        return labelled_[domain == DPA_TARGET ? 1 : 0];
    }

    /** Rows to be measured, without a source. */
    explicit Problem(const Sample &target) {
        REQUIRE(dpa_problem_create(&problem_) == DPA_OK);
        set(DPA_TARGET, target, target.x.size() / target.y.size());
    }

    /** The rows of the source are mapped by any doubles. */
    Problem(const Sample &source, const Sample &target, Input &input) {
        const std::size_t features = source.x.size() / source.y.size();
        const std::size_t wanted = target.x.size() / target.y.size();
        std::vector<double> map(wanted * features);
        for (double &factor : map) factor = input.real();
        REQUIRE(dpa_problem_create(&problem_) == DPA_OK);
        const dpa_status status = dpa_problem_set_source_map(
            problem_, dpa_matrix{map.data(), wanted, features, features, DPA_ROW_MAJOR}, nullptr,
            0);
        REQUIRE(status == DPA_OK || status == DPA_E_NONFINITE);
        if (status != DPA_OK) return;
        set(DPA_SOURCE, source, features);
        set(DPA_TARGET, target, wanted);
    }

    /** Weights of any doubles. */
    void weigh(bool of_target, std::size_t rows, Input &input) {
        std::vector<double> weights(rows);
        for (double &weight : weights) weight = input.real();
        const std::int32_t domain = of_target ? DPA_TARGET : DPA_SOURCE;
        REQUIRE(dpa_problem_set_weights(problem_, domain, weights.data(), rows) == DPA_OK);
    }

    /** Rows belong to a few persons, or the source's to a few sources. */
    void group(bool of_target, std::size_t rows, Input &input) {
        std::vector<std::int64_t> ids(rows);
        for (std::int64_t &id : ids) id = static_cast<std::int64_t>(input.below(4)) - 1;
        const std::int32_t domain = of_target ? DPA_TARGET : DPA_SOURCE;
        REQUIRE(dpa_problem_set_groups(problem_, domain, ids.data(), rows) == DPA_OK);
    }

    /** Scores of any doubles; both samples need them. */
    void score(std::size_t source_rows, std::size_t target_rows, Input &input) {
        const auto give = [&](std::int32_t domain, std::size_t rows) {
            std::vector<double> scores(rows);
            for (double &score : scores) score = input.real();
            const dpa_status status = dpa_problem_set_scores(problem_, domain, scores.data(), rows);
            REQUIRE(is_documented(status));
        };
        give(DPA_SOURCE, source_rows);
        give(DPA_TARGET, target_rows);
    }

    [[nodiscard]] double spent(const char *name) const {
        double value = -1.0;
        REQUIRE(dpa_problem_budget(problem_, name, &value) == DPA_OK);
        return value;
    }

  private:
    void set(std::int32_t domain, const Sample &sample, std::size_t features) {
        const dpa_matrix rows{sample.x.data(), sample.y.size(), features, features, DPA_ROW_MAJOR};
        REQUIRE(dpa_problem_set_sample(problem_, domain, rows, sample.y.data(), sample.y.size()) ==
                DPA_OK);
        labelled_[domain == DPA_TARGET ? 1 : 0] = static_cast<double>(
            std::ranges::count_if(sample.y, [](double y) { return !std::isnan(y); }));
    }

    dpa_problem *problem_ = nullptr;
    double labelled_[2] = {0.0, 0.0};
};

}  // namespace fuzz
