#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "baseline/private_moments.hpp"
#include "baseline/weighted_fit.hpp"

namespace dpadapt::baseline {

/** A method without privacy. Where it is about weights, objective and duality gap of the solution
 *  are those of the problem that defines the weights; its predictor is a weighted fit
 *  (fit_weighted) of the source. */
using PublicMethod = Solution (*)(const PreparedProblem &problem, const Settings &settings,
                                  Control &control);

/** A private method up to the payment: no private record is read. Throws Error(DPA_E_OPTION) for
 *  options that the method cannot follow. */
using PrivateMethod = std::unique_ptr<PrivateBaseline> (*)(const Sample &source,
                                                           const Sample &target,
                                                           const Settings &settings,
                                                           Control &control);

/** Of which samples a method without privacy reads labels. */
enum class Labels { of_both, of_source };

/** Of which samples a method follows weights that the user gives rows. */
enum class Weighted { both, source, target, none };

/** One row of the table of baselines: a name and one of the two functions. */
struct MethodSpec {
    constexpr MethodSpec(const char *method, const char *text, PublicMethod function,
                         Labels wanted = Labels::of_both, Weighted follows = Weighted::both)
        : name(method),
          doc(text),
          is_private(false),
          labels(wanted),
          weighted(follows),
          solve(function) {}
    constexpr MethodSpec(const char *method, const char *text, PrivateMethod function,
                         Weighted follows = Weighted::both)
        : name(method), doc(text), is_private(true), weighted(follows), prepare(function) {}

    /** The same, for one loss. */
    [[nodiscard]] constexpr MethodSpec only(loss::Kind kind) const {
        MethodSpec one = *this;
        one.loss = kind;
        return one;
    }

    const char *name;
    const char *doc;
    bool is_private;  ///< whether it protects the target; else it needs private_domain = none
    Labels labels = Labels::of_both;
    Weighted weighted = Weighted::both;
    std::optional<loss::Kind> loss = {};  ///< empty: any
    PublicMethod solve = nullptr;
    PrivateMethod prepare = nullptr;
};

[[nodiscard]] std::span<const MethodSpec> methods();

/** Row of that name; throws Error(DPA_E_OPTION_NAME). */
[[nodiscard]] const MethodSpec &find_method(std::string_view name);

/** The function of the row; throws Error(DPA_E_INTERNAL) if the method has only the other. */
[[nodiscard]] Solution solve_without_privacy(const MethodSpec &method,
                                             const PreparedProblem &problem,
                                             const Settings &settings, Control &control);
[[nodiscard]] std::unique_ptr<PrivateBaseline> prepare_private(const MethodSpec &method,
                                                               const Sample &source,
                                                               const Sample &target,
                                                               const Settings &settings,
                                                               Control &control);

}  // namespace dpadapt::baseline
