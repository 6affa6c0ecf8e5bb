/** dpadapt for C++20: the C functions with owners, spans and exceptions, in headers alone.
 *
 *  Every handle is an object that can be moved, not copied. The C headers describe the calls. C
 *  functions without a method here take the handle of get(). A status other than DPA_OK is thrown
 *  as dpa::Error with the message of dpa_last_error(). Link the library as for C.
 */
#ifndef DPADAPT_DPADAPT_HPP
#define DPADAPT_DPADAPT_HPP

#include <dpadapt/dpadapt.h>

#include <dpadapt/new_file.hpp>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dpa {

/** A call failed: what() names the function, the argument, the rule and the value. */
class Error : public std::runtime_error {
  public:
    Error(dpa_status status, const std::string &text) : std::runtime_error(text), status_(status) {}
    [[nodiscard]] dpa_status status() const noexcept { return status_; }

  private:
    dpa_status status_;
};
/** The privacy budget does not cover the call; no private record was read. */
class BudgetError : public Error {
    using Error::Error;
};
/** A token or a callback stopped the call. */
class CancelledError : public Error {
    using Error::Error;
};

/** Throws unless the status is DPA_OK. For calls of the C functions too. */
inline void check(dpa_status status) {
    if (status == DPA_OK) return;
    if (status == DPA_E_BUDGET) throw BudgetError(status, dpa_last_error());
    if (status == DPA_E_CANCELLED) throw CancelledError(status, dpa_last_error());
    throw Error(status, dpa_last_error());
}

/** Owner of a handle of the C interface. */
template <typename T, void (*destroy)(T *)>
class Handle {
  public:
    explicit Handle(T *handle) noexcept : handle_(handle) {}
    [[nodiscard]] T *get() const noexcept { return handle_.get(); }

  protected:
    template <typename Create>
    static T *made(Create create) {
        T *handle = nullptr;
        check(create(&handle));
        return handle;
    }

  private:
    struct Destroy {
        void operator()(T *handle) const noexcept { destroy(handle); }
    };
    std::unique_ptr<T, Destroy> handle_;
};

/** Text of a function that fills a buffer and returns the size that it needs. */
template <typename Fill>
std::string text_of(Fill fill) {
    std::string text;
    size_t needed = 0;
    dpa_status status = fill(nullptr, 0, &needed);
    while (status == DPA_E_BUFFER) {
        text.resize(needed);
        status = fill(text.data(), text.size(), &needed);
    }
    check(status);
    text.resize(needed > 0 ? needed - 1 : 0);
    return text;
}

/** A view of a matrix, one row a record. */
struct Rows {
    /** Row after row; the length must be a multiple of the columns. */
    Rows(std::span<const double> values, size_t columns)
        : data(values.data()),
          rows(columns > 0 ? values.size() / columns : 0),
          cols(columns),
          leading_dimension(columns),
          layout(DPA_ROW_MAJOR) {
        if (rows * cols != values.size())
            throw Error(DPA_E_DIMENSION, "dpa::Rows: " + std::to_string(values.size()) +
                                             " numbers are no rows of " + std::to_string(columns) +
                                             " columns");
    }
    /** Column after column. */
    static Rows by_columns(std::span<const double> values, size_t columns) {
        Rows matrix(values, columns);
        matrix.leading_dimension = matrix.rows;
        matrix.layout = DPA_COL_MAJOR;
        return matrix;
    }

    const double *data;
    size_t rows, cols, leading_dimension;
    int32_t layout;
};

using Labels = std::span<const double>;

/** A token that stops running calls, from any thread. */
class Cancel : public Handle<dpa_cancel, dpa_cancel_destroy> {
  public:
    Cancel() : Handle(made(dpa_cancel_create)) {}
    void request() { check(dpa_cancel_request(get())); }
    void reset() { check(dpa_cancel_reset(get())); }
};

/** Settings by name: dpa::Options{{"epsilon", 1}, {"delta", 1e-6}, {"loss", "logistic"}}. */
class Options : public Handle<dpa_options, dpa_options_destroy> {
  public:
    using Value = std::variant<bool, int64_t, double, std::string>;
    Options(std::initializer_list<std::pair<const char *, Value>> settings = {})
        : Handle(made(dpa_options_create)) {
        for (const auto &[name, value] : settings) set(name, value);
    }
    /** A number, a truth value, or text for dpa_options_parse. */
    Options &set(const std::string &name, const Value &value) {
        check(std::visit([&](const auto &given) { return put(name.c_str(), given); }, value));
        return *this;
    }
    Options &set_cancel(const Cancel &token) {
        check(dpa_options_set_cancel(get(), token.get()));
        return *this;
    }
    [[nodiscard]] std::string operator[](const std::string &name) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_options_get(get(), name.c_str(), out, length, needed);
        });
    }

  private:
    dpa_status put(const char *name, bool value) {
        return dpa_options_set_bool(get(), name, value ? 1 : 0);
    }
    dpa_status put(const char *name, int64_t value) {
        return dpa_options_set_int(get(), name, value);
    }
    dpa_status put(const char *name, double value) {
        return dpa_options_set_double(get(), name, value);
    }
    dpa_status put(const char *name, const std::string &value) {
        return dpa_options_parse(get(), name, value.c_str());
    }
};

/** A budget for several problems and processes. */
class Ledger : public Handle<dpa_ledger, dpa_ledger_destroy> {
  public:
    static Ledger create(const std::string &path, const Options &budget, bool locks = true) {
        return Ledger(made([&](dpa_ledger **out) {
            return dpa_ledger_create_file(path.c_str(), budget.get(), locks ? 1 : 0, out);
        }));
    }
    static Ledger open(const std::string &path) {
        return Ledger(made([&](dpa_ledger **out) { return dpa_ledger_open(path.c_str(), out); }));
    }
    [[nodiscard]] std::string report(int32_t form = DPA_REPORT_TEXT) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_ledger_report(get(), form, out, length, needed);
        });
    }

  private:
    using Handle::Handle;
};

/** The two samples, and what was released about private ones. */
class Problem : public Handle<dpa_problem, dpa_problem_destroy> {
  public:
    Problem() : Handle(made(dpa_problem_create)) {}
    void set_source(const Rows &x, Labels y) { give(dpa_problem_set_source, x, y); }
    void set_target(const Rows &x, Labels y) { give(dpa_problem_set_target, x, y); }
    /** Without a copy: the arrays must outlive the problem. */
    void lend_source(const Rows &x, Labels y) { give(dpa_problem_lend_source, x, y); }
    void lend_target(const Rows &x, Labels y) { give(dpa_problem_lend_target, x, y); }
    /** Before the source: a row for each column of the target. */
    void set_source_map(const Rows &matrix, std::span<const double> offset = {}) {
        check(dpa_problem_set_source_map(get(), matrix.data, matrix.rows, matrix.cols,
                                         matrix.leading_dimension, matrix.layout,
                                         offset.empty() ? nullptr : offset.data(), offset.size()));
    }
    void set_target_groups(std::span<const int64_t> ids) {
        check(dpa_problem_set_target_groups(get(), ids.data(), ids.size()));
    }
    void set_budget(const Options &budget) { check(dpa_problem_set_budget(get(), budget.get())); }
    void use_ledger(const Ledger &ledger) { check(dpa_problem_use_ledger(get(), ledger.get())); }
    [[nodiscard]] double budget(const std::string &name) const {
        double value = 0;
        check(dpa_problem_budget(get(), name.c_str(), &value));
        return value;
    }
    [[nodiscard]] std::string privacy_report(int32_t form = DPA_REPORT_TEXT) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_problem_privacy_report(get(), form, out, length, needed);
        });
    }

  private:
    template <typename Set>
    void give(Set set, const Rows &x, Labels y) {
        check(
            set(get(), x.data, x.rows, x.cols, x.leading_dimension, x.layout, y.data(), y.size()));
    }
};

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
    [[nodiscard]] std::string loss() const { return dpa_solution_loss(get()); }
    /** Column after column: [features, outputs]. */
    [[nodiscard]] std::vector<double> coefficients() const {
        const Shape sizes = shape();
        return copied(dpa_solution_coefficients, sizes.features * sizes.outputs);
    }
    [[nodiscard]] std::vector<double> intercept() const {
        return copied(dpa_solution_intercept, shape().outputs);
    }
    [[nodiscard]] std::vector<double> source_weights() const {
        return copied(dpa_solution_source_weights, shape().source_rows);
    }
    [[nodiscard]] std::vector<double> target_weights() const {
        return copied(dpa_solution_target_weights, shape().target_rows);
    }
    [[nodiscard]] double duality_gap() const {
        double gap = 0;
        check(dpa_solution_duality_gap(get(), &gap));
        return gap;
    }
    [[nodiscard]] double setting(const std::string &name) const {
        double value = 0;
        check(dpa_solution_setting(get(), name.c_str(), &value));
        return value;
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
        return computed(dpa_solution_predict, x, 1);
    }
    /** Column after column: [rows, outputs]. */
    [[nodiscard]] std::vector<double> scores(const Rows &x) const {
        return computed(dpa_solution_scores, x, shape().outputs);
    }
    [[nodiscard]] std::vector<double> probabilities(const Rows &x) const {
        return computed(dpa_solution_probabilities, x, shape().outputs);
    }

    /** The saved bytes, by default without the weights of the records, which makes them few. */
    [[nodiscard]] std::vector<uint8_t> bytes(bool weights = false) const {
        const auto serialize = weights ? dpa_solution_serialize : dpa_solution_serialize_predictor;
        size_t needed = 0;
        const dpa_status status = serialize(get(), nullptr, 0, &needed);
        if (status != DPA_E_BUFFER) check(status);
        std::vector<uint8_t> bytes(needed);
        check(serialize(get(), bytes.data(), bytes.size(), nullptr));
        return bytes;
    }
    static Solution from_bytes(std::span<const uint8_t> data) {
        return Solution(made([&](dpa_solution **out) {
            return dpa_solution_deserialize(data.data(), data.size(), out);
        }));
    }
    /** The file keeps its old content until the new one is complete and on the disk. A new file of
     *  a fit of private records is readable for its owner alone. */
    void save(const std::string &path, bool weights = false) const {
        int32_t protection = DPA_PROTECTION_NONE;
        check(dpa_solution_privacy(get(), &protection, nullptr, nullptr));
        detail::write_file(path, bytes(weights), protection != DPA_PROTECTION_NONE);
    }
    static Solution load(const std::string &path) {
        std::ifstream file(path, std::ios::binary);
        const std::vector<char> data{std::istreambuf_iterator<char>(file), {}};
        if (!file) throw std::runtime_error(path + ": cannot be read");
        return from_bytes({reinterpret_cast<const uint8_t *>(data.data()), data.size()});
    }

  private:
    template <typename Copy>
    std::vector<double> copied(Copy copy, size_t length) const {
        std::vector<double> values(length);
        check(copy(get(), values.data(), values.size()));
        return values;
    }
    template <typename Compute>
    std::vector<double> computed(Compute compute, const Rows &x, size_t outputs) const {
        std::vector<double> values(x.rows * outputs);
        check(compute(get(), x.data, x.rows, x.cols, x.leading_dimension, x.layout, values.data(),
                      values.size()));
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

/** What a private call would release (privacy.h). */
class Plan : public Handle<dpa_plan, dpa_plan_destroy> {
  public:
    Plan(const Problem &problem, const Options &options)
        : Handle(made([&](dpa_plan **out) {
              return dpa_plan_for_problem(problem.get(), options.get(), out);
          })) {}
    Plan(size_t source_rows, size_t target_rows, size_t features, const Options &options)
        : Handle(made([&](dpa_plan **out) {
              return dpa_plan_create(source_rows, target_rows, features, options.get(), out);
          })) {}
    [[nodiscard]] double value(const std::string &name) const {
        double value = 0;
        check(dpa_plan_value(get(), name.c_str(), &value));
        return value;
    }
    [[nodiscard]] double epsilon(double delta) const {
        double epsilon = 0;
        check(dpa_plan_epsilon(get(), delta, &epsilon));
        return epsilon;
    }
    [[nodiscard]] std::string report(int32_t form = DPA_REPORT_TEXT) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_plan_report(get(), form, out, length, needed);
        });
    }
};

/** Fits a grid of options and keeps the best (select.h). */
class Search : public Handle<dpa_search, dpa_search_destroy> {
  public:
    Search() : Handle(made(dpa_search_create)) {}
    Search &add(const std::string &option, const std::string &values) {
        check(dpa_search_add(get(), option.c_str(), values.c_str()));
        return *this;
    }
    /** `validation` has the rows that choose as its target. */
    Solution run(Problem &problem, Problem &validation, const Options &options) {
        return Solution(Solution::made([&](dpa_solution **out) {
            return dpa_search_run(get(), problem.get(), validation.get(), nullptr, options.get(),
                                  out);
        }));
    }
    [[nodiscard]] size_t chosen() const {
        size_t index = 0;
        check(dpa_search_chosen(get(), &index));
        return index;
    }
    [[nodiscard]] std::string setting(size_t candidate, const std::string &option) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_search_setting(get(), candidate, option.c_str(), out, length, needed);
        });
    }
    [[nodiscard]] double loss(size_t candidate) const {
        double loss = 0;
        check(dpa_search_loss(get(), candidate, &loss));
        return loss;
    }
};

/** Errors of solutions on labelled rows, the target of a problem (evaluate.h). */
class Evaluation : public Handle<dpa_evaluation, dpa_evaluation_destroy> {
  public:
    struct Measure {
        std::string name;
        size_t solution;
        double estimate, lower, upper;
    };
    Evaluation(Problem &rows, std::initializer_list<const Solution *> solutions,
               const Options &options)
        : Handle(made([&](dpa_evaluation **out) {
              std::vector<const dpa_solution *> handles;
              for (const Solution *solution : solutions) handles.push_back(solution->get());
              return dpa_evaluate(rows.get(), handles.data(), handles.size(), options.get(), out);
          })) {}
    [[nodiscard]] std::vector<Measure> measures() const {
        size_t count = 0;
        check(dpa_evaluation_count(get(), &count));
        std::vector<Measure> list;
        for (size_t i = 0; i < count; ++i) {
            Measure one{dpa_evaluation_name(get(), i), 0, 0, 0, 0};
            check(dpa_evaluation_solution(get(), i, &one.solution));
            check(dpa_evaluation_interval(get(), i, &one.estimate, &one.lower, &one.upper));
            list.push_back(std::move(one));
        }
        return list;
    }
    [[nodiscard]] std::string report(int32_t form = DPA_REPORT_TEXT) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_evaluation_report(get(), form, out, length, needed);
        });
    }
};

}  // namespace dpa

#endif
