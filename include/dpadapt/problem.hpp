/** Options, ledgers, the samples of a problem and their discrepancy.
 *  Part of dpadapt.hpp.
 */
#ifndef DPADAPT_PROBLEM_HPP
#define DPADAPT_PROBLEM_HPP

#include <cstdint>
#include <dpadapt/owner.hpp>
#include <initializer_list>
#include <span>
#include <utility>
#include <variant>

namespace dpa {

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
        check(dpa_problem_set_passes(get(), DPA_PERSONS, persons, columns, pass, user));
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
    void use_ledger_for_job(const Ledger &ledger, const char *name,
                            std::span<const std::uint8_t> key) {
        check(dpa_problem_use_ledger_for_job(get(), ledger.get(), name, key.data(), key.size()));
    }
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

    struct Votes {
        std::vector<double> values;
        double deviation = 0; /**< Of the noise of each. */
    };
    /** Answers of teachers, one a row (votes.h): counts of classes, query by query. */
    Votes count_votes(const Rows &answers, size_t classes, const Options &options) {
        Votes votes{std::vector<double>(answers.cols * classes)};
        check(dpa_votes_count(get(), answers, classes, options.get(), votes.values.data(),
                              votes.values.size(), &votes.deviation));
        return votes;
    }
    /** Their mean answer to each query. */
    Votes mean_vote(const Rows &answers, double low, double high, const Options &options) {
        Votes votes{std::vector<double>(answers.cols)};
        check(dpa_votes_mean(get(), answers, low, high, options.get(), votes.values.data(),
                             votes.values.size(), &votes.deviation));
        return votes;
    }
    /** The teacher of each row; without ids rows are divided evenly. */
    static std::vector<double> shards(size_t rows, size_t teachers,
                                      std::span<const int64_t> ids = {}) {
        std::vector<double> shards(rows);
        check(dpa_votes_shard(ids.empty() ? nullptr : ids.data(), ids.size(), teachers,
                              shards.data(), rows));
        return shards;
    }

  private:
    template <typename Set>
    void give(Set set, int32_t domain, const Rows &x, Labels y) {
        check(set(get(), domain, x, y.empty() ? nullptr : y.data(), y.size()));
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

}  // namespace dpa

#endif
