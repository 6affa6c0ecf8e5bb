// Samples of any doubles, and problems of them.
#pragma once

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
        return static_cast<double>(input.below(3));
    }
};

class Problem {
  public:
    Problem(const Sample &source, const Sample &target) {
        const std::size_t features = source.x.size() / source.y.size();
        REQUIRE(dpa_problem_create(&problem_) == DPA_OK);
        set(dpa_problem_set_source, source, features);
        set(dpa_problem_set_target, target, features);
    }
    Problem(const Problem &) = delete;
    Problem &operator=(const Problem &) = delete;
    ~Problem() { dpa_problem_destroy(problem_); }

    [[nodiscard]] dpa_problem *get() const { return problem_; }

    /** Rows to be measured, without a source. */
    explicit Problem(const Sample &target) {
        REQUIRE(dpa_problem_create(&problem_) == DPA_OK);
        set(dpa_problem_set_target, target, target.x.size() / target.y.size());
    }

    /** The rows of the source are mapped by any doubles. */
    Problem(const Sample &source, const Sample &target, Input &input) {
        const std::size_t features = source.x.size() / source.y.size();
        const std::size_t wanted = target.x.size() / target.y.size();
        std::vector<double> map(wanted * features);
        for (double &factor : map) factor = input.real();
        REQUIRE(dpa_problem_create(&problem_) == DPA_OK);
        const dpa_status status = dpa_problem_set_source_map(problem_, map.data(), wanted, features,
                                                             features, DPA_ROW_MAJOR, nullptr, 0);
        REQUIRE(status == DPA_OK || status == DPA_E_NONFINITE);
        if (status != DPA_OK) return;
        set(dpa_problem_set_source, source, features);
        set(dpa_problem_set_target, target, wanted);
    }

    /** Weights of any doubles. */
    void weigh(bool of_target, std::size_t rows, Input &input) {
        std::vector<double> weights(rows);
        for (double &weight : weights) weight = input.real();
        const auto set =
            of_target ? dpa_problem_set_target_weights : dpa_problem_set_source_weights;
        REQUIRE(set(problem_, weights.data(), rows) == DPA_OK);
    }

    /** Rows belong to a few persons, or the source's to a few sources. */
    void group(bool of_target, std::size_t rows, Input &input) {
        std::vector<std::int64_t> ids(rows);
        for (std::int64_t &id : ids) id = static_cast<std::int64_t>(input.below(4)) - 1;
        const auto set = of_target ? dpa_problem_set_target_groups : dpa_problem_set_source_groups;
        REQUIRE(set(problem_, ids.data(), rows) == DPA_OK);
    }

    /** Scores of any doubles; both samples need them. */
    void score(std::size_t source_rows, std::size_t target_rows, Input &input) {
        const auto set = [&](auto call, std::size_t rows) {
            std::vector<double> scores(rows);
            for (double &score : scores) score = input.real();
            const dpa_status status = call(problem_, scores.data(), rows);
            REQUIRE(is_documented(status));
        };
        set(dpa_problem_set_source_scores, source_rows);
        set(dpa_problem_set_target_scores, target_rows);
    }

    [[nodiscard]] double spent(const char *name) const {
        double value = -1.0;
        REQUIRE(dpa_problem_budget(problem_, name, &value) == DPA_OK);
        return value;
    }

  private:
    template <typename Set>
    void set(Set set_sample, const Sample &sample, std::size_t features) {
        REQUIRE(set_sample(problem_, sample.x.data(), sample.y.size(), features, features,
                           DPA_ROW_MAJOR, sample.y.data(), sample.y.size()) == DPA_OK);
    }

    dpa_problem *problem_ = nullptr;
};

}  // namespace fuzz
