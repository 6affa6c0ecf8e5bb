#pragma once

#include <optional>

#include "problem/last_layer.hpp"
#include "problem/prepared_problem.hpp"

namespace dpadapt {
namespace records {
class Reader;
}

/** What private records fit: a whole predictor, the last layer of a perceptron, or a linear
 *  predictor whose coefficients lie in the span of the public rows. */
enum class Part { whole, last_layer, span };

/** A problem with private records, as far as public data and sizes go: coordinates, bounds and
 *  defaults come from the public sample, and where both are private from the options alone. */
class PrivateProblem {
  public:
    /** Borrows samples and control, reads no private record. Throws Error(DPA_E_NONFINITE) for the
     *  public sample, Error(DPA_E_OPTION) naming a number that must be given because no sample is
     *  public.
     *  @param part  The last layer: of a perceptron the records are what the public network's
     *               hidden units make of them, and the loss is that of the last layer. The span:
     *               records are projected onto it. */
    PrivateProblem(const Sample &source, const Sample &target, const Settings &settings,
                   Control &control, Part part = Part::whole);
    PrivateProblem &operator=(PrivateProblem &&) = delete;

    [[nodiscard]] privacy::Domains domains() const { return domains_; }
    [[nodiscard]] bool is_private(privacy::Domains domain) const {
        return (domains_ & domain) != 0;
    }
    /** Records of a sample, or the persons whom they belong to if it is private. */
    [[nodiscard]] std::size_t rows(privacy::Domains domain) const;

    /** How many of these have a label, or the sum of their weights, as far as it is public. */
    [[nodiscard]] double labelled_rows(privacy::Domains domain) const {
        const auto all = static_cast<double>(rows(domain));
        return is_private(domain) ? labelled_share_ * all : all;
    }

    /** W of private records with weights; 0: they have none. */
    [[nodiscard]] double weight_bound() const { return weight_bound_; }

    /** Whether the rows of the private target belong to persons, who are then protected. */
    [[nodiscard]] bool protects_persons() const {
        return is_private(privacy::kTarget) && target_.persons() != nullptr;
    }

    /** Null when both samples are private. */
    [[nodiscard]] const PublicSample *public_sample() const {
        if (last_) return &last_->sample();
        return public_ ? &*public_ : nullptr;
    }
    [[nodiscard]] const Preprocess &preprocess() const {
        return public_ ? public_->preprocess() : *plain_;
    }
    /** What the private records pass before the loss reads them; empty but of a last layer. */
    [[nodiscard]] loss::HiddenLayers hidden() const {
        return last_ ? last_->hidden() : loss::HiddenLayers{};
    }
    [[nodiscard]] std::size_t dimension() const {
        const std::size_t inputs = preprocess().dimension();
        return last_ ? last_->hidden().outputs(inputs) : inputs;
    }
    [[nodiscard]] const Clipping &clipping() const { return clipping_; }
    [[nodiscard]] const Hyperparameters &hyperparameters() const { return hyperparameters_; }

    /** The loss as it reads private records, and where steps start: the public fit. */
    [[nodiscard]] const loss::Loss &loss() const { return *loss_; }
    [[nodiscard]] const loss::Choice &choice() const {
        return public_sample() != nullptr ? public_sample()->choice() : choice_;
    }

    /** The loss and the parameters of the predictor that a fit of theta makes. */
    [[nodiscard]] const loss::Choice &predictor() const {
        return last_ ? last_->network() : choice();
    }
    [[nodiscard]] arma::vec parameters(const arma::vec &theta) const {
        return last_ ? last_->whole(theta) : theta;
    }
    [[nodiscard]] arma::vec start(std::uint64_t seed) const;

    /** Throws Error(DPA_E_UNSUPPORTED) for a method that needs the numbers of the private records,
     *  where these are elsewhere without. */
    void check_numbered(const char *method) const;

    /** Bound on the norm of a clipped record, the constant included; infinite without clipping. */
    [[nodiscard]] double record_radius() const;

    /** How private records are clipped: one that counts as nothing gets a label that the loss
     *  gives no meaning, where 0 may have one. */
    [[nodiscard]] Clipping record_clipping() const;

  private:
    void check_reach(const Settings &settings) const;

    friend records::Reader;  ///< the only door to private records

    [[nodiscard]] const Sample &sample(privacy::Domains domain) const {
        return domain == privacy::kSource ? source_ : target_;
    }

    const Sample &source_;
    const Sample &target_;
    privacy::Domains domains_;
    std::size_t threads_;
    double labelled_share_;
    double weight_bound_;
    std::optional<std::size_t> rows_per_person_;
    std::optional<PublicSample> public_;
    std::optional<LastLayer> last_;
    std::optional<Preprocess> plain_;
    Clipping clipping_;
    Hyperparameters hyperparameters_;
    loss::Choice choice_;
    std::unique_ptr<const loss::Loss> loss_;
};

/** Whether squares and products of numbers of that size neither overflow nor vanish, whatever the
 *  records are. */
[[nodiscard]] inline bool is_moderate(double size) { return size >= 1e-60 && size <= 1e60; }

}  // namespace dpadapt
