/** dpadapt for C++20: the C functions with owners, spans and exceptions, in headers alone.
 *
 *  Every handle is an object that can be moved, not copied. The C headers describe the calls. C
 *  functions without a method here take the handle of get(). A status other than DPA_OK is thrown
 *  as dpa::Error with the message of dpa_last_error(). Link the library as for C.
 */
#ifndef DPADAPT_DPADAPT_HPP
#define DPADAPT_DPADAPT_HPP

#include <dpadapt/dpadapt.h>

#if __cplusplus < 202002L && !defined(_MSVC_LANG)
#error "dpadapt.hpp needs C++20: compile with -std=c++20"
#endif

#include <dpadapt/owner.hpp>
#include <dpadapt/problem.hpp>
#include <dpadapt/solution.hpp>
#include <dpadapt/table.hpp>

namespace dpa {

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
    [[nodiscard]] uint64_t count() const { return static_cast<uint64_t>(value("candidates")); }
    /** Why the fit of a candidate was left out; empty if it was not. */
    [[nodiscard]] std::string reason(size_t candidate) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_search_reason(get(), candidate, nullptr, out, length, needed);
        });
    }
    [[nodiscard]] size_t chosen() const { return static_cast<size_t>(value("chosen")); }
    [[nodiscard]] std::string setting(size_t candidate, const std::string &option) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_search_setting(get(), candidate, option.c_str(), out, length, needed);
        });
    }
    [[nodiscard]] double loss(size_t candidate) const { return value("loss", candidate); }
    /** A number of dpa_search_value. */
    [[nodiscard]] double value(const std::string &name, size_t candidate = 0) const {
        return number_of(
            [&](double *out) { return dpa_search_value(get(), name.c_str(), candidate, out); });
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
        std::vector<dpa_measure> list;
        for (dpa_measure one{};; list.push_back(one)) {
            check(dpa_evaluation_measure(get(), list.size(), &one));
            if (one.name == nullptr) return list;
        }
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
