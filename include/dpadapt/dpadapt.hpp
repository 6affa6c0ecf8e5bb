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
struct Rows : dpa_matrix {
    /** Row after row; the length must be a multiple of the columns. */
    Rows(std::span<const double> values, size_t columns)
        : dpa_matrix{values.data(), columns > 0 ? values.size() / columns : 0, columns, columns,
                     DPA_ROW_MAJOR} {
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
};

using Labels = std::span<const double>;

/** Bytes of a function that fills a buffer and returns the size that it needs. */
template <typename Fill>
std::vector<uint8_t> bytes_of(Fill fill) {
    std::vector<uint8_t> bytes;
    size_t needed = 0;
    dpa_status status = fill(nullptr, 0, &needed);
    while (status == DPA_E_BUFFER) {
        bytes.resize(needed);
        status = fill(bytes.data(), bytes.size(), &needed);
    }
    check(status);
    return bytes;
}

/** A number of a function that stores one. */
template <typename Number = double, typename Store>
Number number_of(Store store) {
    Number value{};
    check(store(&value));
    return value;
}

/** Names for the functions of Arrow. If `features` is empty, all columns but the label are. */
struct ArrowColumns {
    std::vector<const char *> features;
    const char *label = nullptr;
    [[nodiscard]] const char *const *names() const {
        return features.empty() ? nullptr : features.data();
    }
};

/** A token that stops running calls, from any thread. */
class Cancel : public Handle<dpa_cancel, dpa_cancel_destroy> {
  public:
    Cancel() : Handle(made(dpa_cancel_create)) {}
    void request() { check(dpa_cancel_request(get())); }
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
    /** The function must not throw; `user` must live as long as calls use the options. */
    Options &set_progress(dpa_progress_fn callback, void *user = nullptr) {
        check(dpa_options_set_progress(get(), callback, user));
        return *this;
    }
    /** A loss of the caller's, see dpa_options_set_loss. */
    Options &set_loss(dpa_loss_fn function, void *user, size_t parameters, double loss_bound,
                      double gradient_bound, double smoothness) {
        check(dpa_options_set_loss(get(), function, user, parameters, loss_bound, gradient_bound,
                                   smoothness));
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
    dpa_status put(const char *name, auto value) {
        return dpa_options_set(get(), name, static_cast<double>(value));
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
            return dpa_ledger_create(path.c_str(), budget.get(), locks ? 1 : 0, out);
        }));
    }
    static Ledger in_memory(const Options &budget, bool locks = true) {
        return Ledger(made([&](dpa_ledger **out) {
            return dpa_ledger_create(nullptr, budget.get(), locks ? 1 : 0, out);
        }));
    }
    static Ledger open(const std::string &path) {
        return Ledger(made([&](dpa_ledger **out) { return dpa_ledger_open(path.c_str(), out); }));
    }
    static Ledger from_bytes(std::span<const uint8_t> data) {
        return Ledger(made([&](dpa_ledger **out) {
            return dpa_ledger_deserialize(data.data(), data.size(), out);
        }));
    }
    [[nodiscard]] std::vector<uint8_t> bytes() const {
        return bytes_of([&](uint8_t *out, size_t length, size_t *needed) {
            return dpa_ledger_serialize(get(), out, length, needed);
        });
    }
    [[nodiscard]] bool contains(const std::string &head) const {
        return number_of<int32_t>([&](int32_t *out) {
                   return dpa_ledger_contains(get(), head.c_str(), out);
               }) != 0;
    }
    /** The function must not throw. */
    void set_store(dpa_ledger_store_fn store, void *user = nullptr) {
        check(dpa_ledger_set_store(get(), store, user));
    }
    void set_parent(const Ledger &parent) { check(dpa_ledger_set_parent(get(), parent.get())); }
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
    void set_source(const Rows &x, Labels y) { give(dpa_problem_set_sample, DPA_SOURCE, x, y); }
    void set_target(const Rows &x, Labels y) { give(dpa_problem_set_sample, DPA_TARGET, x, y); }
    /** Without a copy: the arrays must outlive the problem. */
    void lend_source(const Rows &x, Labels y) { give(dpa_problem_lend_sample, DPA_SOURCE, x, y); }
    void lend_target(const Rows &x, Labels y) { give(dpa_problem_lend_sample, DPA_TARGET, x, y); }
    /** Before the source: a row for each column of the target. */
    void set_source_map(const Rows &matrix, std::span<const double> offset = {}) {
        check(dpa_problem_set_source_map(get(), matrix, offset.empty() ? nullptr : offset.data(),
                                         offset.size()));
    }
    /** `domain` is DPA_SOURCE or DPA_TARGET. */
    void set_groups(int32_t domain, std::span<const int64_t> ids) {
        check(dpa_problem_set_groups(get(), domain, ids.data(), ids.size()));
    }
    void set_weights(int32_t domain, std::span<const double> weights) {
        check(dpa_problem_set_weights(get(), domain, weights.data(), weights.size()));
    }
    void set_scores(int32_t domain, std::span<const double> scores) {
        check(dpa_problem_set_scores(get(), domain, scores.data(), scores.size()));
    }
    /** Rows that stay elsewhere (passes.h); the function must not throw. */
    void set_passes(int32_t domain, size_t rows, size_t columns, dpa_pass_fn pass, void *user) {
        check(dpa_problem_set_passes(get(), domain, rows, columns, pass, user));
    }
    void set_group_passes(size_t persons, size_t columns, dpa_pass_fn pass, void *user) {
        check(dpa_problem_set_group_passes(get(), persons, columns, pass, user));
    }
    void set_arrow(int32_t domain, ArrowArrayStream *rows, const ArrowColumns &columns) {
        check(dpa_problem_set_arrow(get(), domain, rows, columns.names(), columns.features.size(),
                                    columns.label));
    }
    struct Shape {
        size_t source_rows, target_rows, features;
    };
    [[nodiscard]] Shape shape() const {
        Shape shape{};
        check(dpa_problem_shape(get(), &shape.source_rows, &shape.target_rows, &shape.features));
        return shape;
    }
    void lock(const Options &domain) { check(dpa_problem_lock(get(), domain.get())); }
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
    void give(Set set, int32_t domain, const Rows &x, Labels y) {
        check(set(get(), domain, x, y.data(), y.size()));
    }
};

/** A discrepancy of the samples of a problem (discrepancy.h). */
class Discrepancy : public Handle<dpa_discrepancy, dpa_discrepancy_destroy> {
  public:
    Discrepancy(Problem &problem, const Options &options)
        : Handle(made([&](dpa_discrepancy **out) {
              return dpa_discrepancy_estimate(problem.get(), options.get(), out);
          })) {}
    [[nodiscard]] double value(const std::string &name = "value") const {
        return number_of(
            [&](double *out) { return dpa_discrepancy_value(get(), name.c_str(), out); });
    }
    [[nodiscard]] std::vector<double> maximizer() const {
        std::vector<double> values(static_cast<size_t>(value("features")));
        check(dpa_discrepancy_maximizer(get(), values.data(), values.size()));
        return values;
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
    [[nodiscard]] std::string termination() const {
        return dpa_termination_string(static_cast<int32_t>(value("termination")));
    }
    /** Names of the settings of every solution, for value(). */
    [[nodiscard]] static std::vector<std::string> settings() {
        std::vector<std::string> names;
        while (const char *name = dpa_solution_setting_name(names.size())) names.emplace_back(name);
        return names;
    }
    [[nodiscard]] std::string digest() const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_solution_digest(get(), out, length, needed);
        });
    }
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
    /** Of a private baseline. */
    Plan(const Problem &problem, const std::string &method, const Options &options)
        : Handle(made([&](dpa_plan **out) {
              return dpa_baseline_plan(problem.get(), method.c_str(), options.get(), out);
          })) {}
    /** With a forecast of its errors (dpa_plan_forecast). */
    static Plan forecast(const Problem &problem, size_t target_rows, const Options &options) {
        return Plan(made([&](dpa_plan **out) {
            return dpa_plan_forecast(problem.get(), target_rows, options.get(), out);
        }));
    }
    [[nodiscard]] double forecast_value(size_t cell, const std::string &name) const {
        return number_of(
            [&](double *out) { return dpa_plan_forecast_value(get(), cell, name.c_str(), out); });
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

  private:
    using Handle::Handle;
};

/** A sum over records that a host carries out (passes.h). */
class Partial : public Handle<dpa_partial, dpa_partial_destroy> {
  public:
    explicit Partial(std::span<const uint8_t> request)
        : Handle(made([&](dpa_partial **out) {
              return dpa_partial_create(request.data(), request.size(), out);
          })) {}
    /** `ids` of persons, for a request about persons. */
    void add(const Rows &x, Labels y, std::span<const int64_t> ids = {}) {
        check(dpa_partial_add(get(), x, y.data(), y.size(), ids.empty() ? nullptr : ids.data(),
                              ids.size()));
    }
    void add(const ArrowSchema &schema, const ArrowArray &batch, const ArrowColumns &columns) {
        check(dpa_partial_add_arrow(get(), &schema, &batch, columns.names(),
                                    columns.features.size(), columns.label));
    }
    void name(uint64_t part) { check(dpa_partial_name(get(), part)); }
    void merge(std::span<const uint8_t> data) {
        check(dpa_partial_merge(get(), data.data(), data.size()));
    }
    [[nodiscard]] std::vector<uint8_t> bytes() const {
        return bytes_of([&](uint8_t *out, size_t length, size_t *needed) {
            return dpa_partial_serialize(get(), out, length, needed);
        });
    }
    [[nodiscard]] uint64_t records() const {
        return number_of<uint64_t>([&](uint64_t *out) { return dpa_partial_records(get(), out); });
    }
};

/** Columns of numbers and texts (schema.h). */
class Table : public Handle<dpa_table, dpa_table_destroy> {
  public:
    explicit Table(size_t rows)
        : Handle(made([&](dpa_table **out) { return dpa_table_create(rows, out); })) {}
    explicit Table(ArrowArrayStream *rows)
        : Handle(made([&](dpa_table **out) { return dpa_table_create_arrow(rows, out); })) {}
    Table &add(const std::string &name, std::span<const double> values) {
        check(dpa_table_add_numbers(get(), name.c_str(), values.data(), values.size()));
        return *this;
    }
    Table &add(const std::string &name, std::span<const char *const> values) {
        check(dpa_table_add_texts(get(), name.c_str(), values.data(), values.size()));
        return *this;
    }
    Table &add(const std::string &name, std::span<const int32_t> codes,
               std::span<const char *const> levels) {
        check(dpa_table_add_levels(get(), name.c_str(), codes.data(), codes.size(), levels.data(),
                                   levels.size()));
        return *this;
    }
    /** A rule for the schemas that are made from the table (dpa_table_wish). */
    Table &wish(const std::string &what, const std::string &value) {
        check(dpa_table_wish(get(), what.c_str(), value.c_str()));
        return *this;
    }
    [[nodiscard]] size_t rows() const {
        return number_of<size_t>([&](size_t *out) { return dpa_table_row_count(get(), out); });
    }
};

/** How columns become features and labels (schema.h). */
class Schema : public Handle<dpa_schema, dpa_schema_destroy> {
  public:
    /** From public rows alone. */
    Schema(const Table &table, const std::string &label, const Options &options)
        : Handle(made([&](dpa_schema **out) {
              return dpa_schema_learn(table.get(), label.c_str(), options.get(), out);
          })) {}
    static Schema from_bytes(std::span<const uint8_t> data) {
        return Schema(made([&](dpa_schema **out) {
            return dpa_schema_deserialize(data.data(), data.size(), out);
        }));
    }
    [[nodiscard]] std::vector<uint8_t> bytes() const {
        return bytes_of([&](uint8_t *out, size_t length, size_t *needed) {
            return dpa_schema_serialize(get(), out, length, needed);
        });
    }
    [[nodiscard]] size_t features() const {
        return number_of<size_t>([&](size_t *out) { return dpa_schema_feature_count(get(), out); });
    }
    [[nodiscard]] std::string feature(size_t index) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_schema_feature_name(get(), index, out, length, needed);
        });
    }
    [[nodiscard]] std::string label(double value) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_schema_label_text(get(), value, out, length, needed);
        });
    }
    [[nodiscard]] std::string known_labels() const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_schema_known_labels(get(), out, length, needed);
        });
    }
    [[nodiscard]] std::string describe() const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_schema_describe(get(), out, length, needed);
        });
    }
    /** Sets `loss` by the labels. */
    void set_loss(Options &options) const { check(dpa_schema_set_loss(get(), options.get())); }

    struct Coded {
        std::vector<double> x, y;
        size_t columns;
        [[nodiscard]] Rows rows() const { return {x, columns}; }
    };
    /** Features row after row, and labels where they are wanted. */
    [[nodiscard]] Coded apply(const Table &table, bool labels = true) const {
        const size_t rows = table.rows();
        Coded coded{std::vector<double>(rows * features()), std::vector<double>(labels ? rows : 0),
                    features()};
        check(dpa_schema_apply(get(), table.get(), coded.x.data(), coded.x.size(),
                               labels ? coded.y.data() : nullptr, coded.y.size()));
        return coded;
    }
    /** Schema and predictor as a model file, in JSON. */
    [[nodiscard]] std::string model(const Solution &solution, bool weights = false) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_schema_model(get(), solution.get(), weights ? 1 : 0, out, length, needed);
        });
    }

  private:
    using Handle::Handle;
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
    [[nodiscard]] uint64_t count() const {
        return number_of<uint64_t>([&](uint64_t *out) { return dpa_search_count(get(), out); });
    }
    /** Why the fit of a candidate was left out; empty if it was not. */
    [[nodiscard]] std::string reason(size_t candidate) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_search_reason(get(), candidate, nullptr, out, length, needed);
        });
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
    Evaluation(Problem &rows, std::initializer_list<const Solution *> solutions,
               const Options &options)
        : Handle(made([&](dpa_evaluation **out) {
              std::vector<const dpa_solution *> handles;
              for (const Solution *solution : solutions) handles.push_back(solution->get());
              return dpa_evaluate(rows.get(), handles.data(), handles.size(), options.get(), out);
          })) {}
    [[nodiscard]] std::vector<dpa_measure> measures() const {
        size_t count = 0;
        check(dpa_evaluation_count(get(), &count));
        std::vector<dpa_measure> list(count);
        for (size_t i = 0; i < count; ++i) check(dpa_evaluation_measure(get(), i, &list[i]));
        return list;
    }
    [[nodiscard]] std::string report(int32_t form = DPA_REPORT_TEXT) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_evaluation_report(get(), form, out, length, needed);
        });
    }
};

/** Index of the best of several solutions by the target rows of a problem (select.h). */
inline size_t select(Problem &validation, std::initializer_list<const Solution *> solutions,
                     const Options &options) {
    std::vector<const dpa_solution *> handles;
    for (const Solution *solution : solutions) handles.push_back(solution->get());
    return number_of<size_t>([&](size_t *out) {
        return dpa_select(validation.get(), handles.data(), handles.size(), options.get(), out);
    });
}

/** Throws unless the report follows from the releases that it states (dpa_report_check). */
inline void check_report(const std::string &report, const std::string &last = "",
                         const Ledger *ledger = nullptr) {
    check(dpa_report_check(reinterpret_cast<const uint8_t *>(report.data()), report.size(),
                           last.c_str(), ledger == nullptr ? nullptr : ledger->get()));
}

/** The accountant (privacy.h). */
inline double privacy_delta(double epsilon, double laplace_epsilon, double mu) {
    return number_of(
        [&](double *out) { return dpa_privacy_delta(epsilon, laplace_epsilon, mu, out); });
}
inline double privacy_epsilon(double delta, double laplace_epsilon, double mu,
                              double pure_epsilon = 0, int64_t records = 1) {
    return number_of([&](double *out) {
        return dpa_privacy_epsilon(delta, laplace_epsilon, mu, pure_epsilon, records, out);
    });
}
inline double privacy_mu(double epsilon, double delta, double laplace_epsilon = 0) {
    return number_of(
        [&](double *out) { return dpa_privacy_mu(epsilon, delta, laplace_epsilon, out); });
}
inline double privacy_sampled_mu(double noise_multiplier, double rate, int64_t steps,
                                 int32_t neighbours, double failure) {
    return number_of([&](double *out) {
        return dpa_privacy_sampled_mu(noise_multiplier, rate, steps, neighbours, failure, out);
    });
}

}  // namespace dpa

#endif
