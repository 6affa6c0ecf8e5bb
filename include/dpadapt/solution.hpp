/** Fits and fitted predictors.
 *  Part of dpadapt.hpp.
 */
#ifndef DPADAPT_SOLUTION_HPP
#define DPADAPT_SOLUTION_HPP

#include <dpadapt/problem.hpp>

namespace dpa {

/** A fitted predictor. Any number of threads may use it at once. */
class Solution : public Handle<dpa_solution, dpa_solution_destroy> {
  public:
    struct Shape {
        size_t features, outputs, source_rows, target_rows;
    };
    struct Promise {
        int32_t protection;
        double epsilon, delta;
    };
    using Handle::Handle;

    [[nodiscard]] Shape shape() const {
        Shape shape{};
        check(dpa_solution_shape(get(), &shape.features, &shape.outputs, &shape.source_rows,
                                 &shape.target_rows));
        return shape;
    }
    [[nodiscard]] std::string loss() const { return text("loss"); }
    /** A number of dpa_solution_value. */
    [[nodiscard]] double value(const std::string &name) const {
        return number_of([&](double *out) { return dpa_solution_value(get(), name.c_str(), out); });
    }
    /** Column after column: [features, outputs]. */
    [[nodiscard]] std::vector<double> coefficients() const {
        const Shape sizes = shape();
        return array("coefficients", sizes.features * sizes.outputs);
    }
    [[nodiscard]] std::vector<double> intercept() const {
        return array("intercept", shape().outputs);
    }
    [[nodiscard]] std::vector<double> source_weights() const {
        return array("source_weights", shape().source_rows);
    }
    [[nodiscard]] std::vector<double> target_weights() const {
        return array("target_weights", shape().target_rows);
    }
    /** Lower ends of the coefficients' intervals, then upper ones: [dimension, 2]. */
    [[nodiscard]] std::vector<double> intervals(double confidence) const {
        std::vector<double> ends(2 * static_cast<size_t>(value("dimension")));
        check(dpa_solution_intervals(get(), confidence, ends.data(), ends.size()));
        return ends;
    }
    [[nodiscard]] std::string termination() const { return text("termination"); }
    /** Names of the settings of every solution, for value(). */
    [[nodiscard]] static std::vector<std::string> settings() {
        std::vector<std::string> names;
        while (const char *name = dpa_solution_setting_name(names.size())) names.emplace_back(name);
        return names;
    }
    [[nodiscard]] std::string digest() const { return text("digest"); }
    /** A text of dpa_solution_text. */
    [[nodiscard]] std::string text(const std::string &name) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_solution_text(get(), name.c_str(), out, length, needed);
        });
    }
    /** Severity and code of each finding, a line each. */
    [[nodiscard]] std::string finding_codes() const { return text("finding_codes"); }
    /** Sentences for people; `labels` as of Schema::known_labels. */
    [[nodiscard]] std::string findings(const std::string &labels = "") const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_solution_findings(get(), labels.c_str(), out, length, needed);
        });
    }
    /** The weights of rows as records of a domain. */
    [[nodiscard]] std::vector<double> weigh(int32_t domain, const Rows &x, Labels y,
                                            std::span<const double> weights = {}) const {
        std::vector<double> values(x.rows);
        check(dpa_solution_weigh(get(), domain, x, y.data(), y.size(), weights.data(),
                                 weights.size(), values.data(), values.size()));
        return values;
    }
    [[nodiscard]] std::vector<double> predict(const ArrowSchema &schema, const ArrowArray &batch,
                                              const ArrowColumns &columns) const {
        std::vector<double> values(static_cast<size_t>(batch.length));
        check(dpa_solution_predict_arrow(get(), &schema, &batch, columns.names(),
                                         columns.features.size(), values.data(), values.size()));
        return values;
    }
    /** An array of dpa_solution_array. */
    [[nodiscard]] std::vector<double> array(const std::string &name, size_t length) const {
        std::vector<double> values(length);
        check(dpa_solution_array(get(), name.c_str(), values.data(), values.size()));
        return values;
    }
    [[nodiscard]] Promise privacy() const {
        Promise promise{};
        check(dpa_solution_privacy(get(), &promise.protection, &promise.epsilon, &promise.delta));
        return promise;
    }
    [[nodiscard]] std::string privacy_report(int32_t form = DPA_REPORT_TEXT) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_solution_privacy_report(get(), form, out, length, needed);
        });
    }

    [[nodiscard]] std::vector<double> predict(const Rows &x) const {
        return computed(DPA_PREDICT_LABELS, x, 1);
    }
    /** Column after column: [rows, outputs]. */
    [[nodiscard]] std::vector<double> scores(const Rows &x) const {
        return computed(DPA_PREDICT_SCORES, x, shape().outputs);
    }
    [[nodiscard]] std::vector<double> probabilities(const Rows &x) const {
        return computed(DPA_PREDICT_PROBABILITIES, x, shape().outputs);
    }

    /** Lower ends, then upper ones: [rows, 2]; of classes [rows, classes]. */
    [[nodiscard]] std::vector<double> predict_interval(const Rows &x, double level,
                                                       size_t width = 2) const {
        std::vector<double> values(x.rows * width);
        check(dpa_solution_predict_interval(get(), level, x, values.data(), values.size()));
        return values;
    }
    /** Of a fit by loss = survival: column after column [rows, times]; with a confidence lower
     *  ends, then upper ones. */
    [[nodiscard]] std::vector<double> survival(const Rows &x, std::span<const double> times,
                                               double confidence = 0.0) const {
        std::vector<double> values(x.rows * times.size() * (confidence > 0.0 ? 2 : 1));
        check(dpa_solution_survival(get(), confidence, x, times.data(), times.size(), values.data(),
                                    values.size()));
        return values;
    }
    /** With prediction intervals, from the target rows of a problem (evaluate.h). */
    [[nodiscard]] Solution calibrated(Problem &rows, const Options &options) const {
        return Solution(made([&](dpa_solution **out) {
            return dpa_solution_calibrate(get(), rows.get(), options.get(), out);
        }));
    }

    /** The saved bytes, by default without the weights of the records, which makes them few. */
    [[nodiscard]] std::vector<uint8_t> bytes(bool weights = false) const {
        return bytes_of([&](uint8_t *out, size_t length, size_t *needed) {
            return dpa_solution_serialize(get(), weights ? 1 : 0, out, length, needed);
        });
    }
    static Solution from_bytes(std::span<const uint8_t> data) {
        return Solution(made([&](dpa_solution **out) {
            return dpa_solution_deserialize(data.data(), data.size(), out);
        }));
    }
    /** The file keeps its old content until the new one is complete and on the disk. A new file of
     *  a fit of private records is readable for its owner alone. */
    void save(const std::string &path, bool weights = false) const {
        check(dpa_solution_save(get(), nullptr, weights ? 1 : 0, path.c_str()));
    }
    static Solution load(const std::string &path) {
        return Solution(made(
            [&](dpa_solution **out) { return dpa_solution_load(path.c_str(), nullptr, out); }));
    }

  private:
    [[nodiscard]] std::vector<double> computed(int32_t kind, const Rows &x, size_t width) const {
        std::vector<double> values(x.rows * width);
        check(dpa_solution_predict(get(), kind, x, values.data(), values.size()));
        return values;
    }
    friend Solution solve(Problem &, const Options &);
    friend Solution baseline(Problem &, const std::string &, const Options &);
    friend class Search;
};

/** Fits a predictor (dpa_solve). */
inline Solution solve(Problem &problem, const Options &options) {
    return Solution(Solution::made(
        [&](dpa_solution **out) { return dpa_solve(problem.get(), nullptr, options.get(), out); }));
}

/** Computes a method to compare with (dpa_baseline_solve). */
inline Solution baseline(Problem &problem, const std::string &method, const Options &options) {
    return Solution(Solution::made([&](dpa_solution **out) {
        return dpa_baseline_solve(problem.get(), method.c_str(), options.get(), out);
    }));
}

/** The commonest private fit in one call: a public source, and a private target that is read once.
 *  `options` has epsilon and delta. */
inline Solution private_fit(const Rows &source, Labels source_labels, const Rows &target,
                            Labels target_labels, const Options &options) {
    Problem problem;
    problem.lend_source(source, source_labels);
    problem.lend_target(target, target_labels);
    return solve(problem, options);
}

}  // namespace dpa

#endif
