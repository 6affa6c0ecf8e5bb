#include "problem/private_problem.hpp"

#include <cmath>

#include "base/error.hpp"
#include "problem/public_sample.hpp"

namespace dpadapt {
namespace {

[[noreturn]] void must_be_given(const char *name, const char *what) {
    throw Error(DPA_E_OPTION, std::string("option ") + name + " must be " + what +
                                  " when both samples are private: no public data can supply it");
}

double given_bound(const Bound &bound, const char *name) {
    if (bound.kind == Bound::Kind::absent) return std::numeric_limits<double>::infinity();
    if (bound.kind == Bound::Kind::quantile) must_be_given(name, "a number");
    return bound.value;
}

double given(const std::optional<double> &number, const char *name) {
    if (!number) must_be_given(name, "a number");
    return *number;
}

}  // namespace

PrivateProblem::PrivateProblem(const Sample &source, const Sample &target, const Settings &settings,
                               Control &control, Part part)
    : source_(source),
      target_(target),
      domains_(settings.privacy.domains),
      threads_(settings.threads),
      labelled_share_(settings.privacy.labelled_share.value_or(1.0)),
      weight_bound_(settings.privacy.row_weight_bound.value_or(0.0)),
      rows_per_person_(settings.privacy.rows_per_person) {
    check_reach(settings);
    // Nothing beside the public rows: the span is theirs alone.
    const auto beside_public = [&](const Sample &sample) {
        return part == Part::span ? &sample : nullptr;
    };
    const double alpha = settings.alpha
                             ? *settings.alpha
                             : default_alpha(rows(privacy::kSource), rows(privacy::kTarget));
    if (!is_private(privacy::kSource)) {
        public_.emplace(source, "source", settings, control, beside_public(source));
    } else if (!is_private(privacy::kTarget)) {
        public_.emplace(target, "target", settings, control, beside_public(target));
    }
    if (public_) {
        clipping_ = public_->clipping();
        if (part == Part::last_layer) last_.emplace(*public_, settings, control);
        hyperparameters_ = dpadapt::hyperparameters(settings, alpha, public_sample());
        loss_ = make_loss(choice(), loss::Reading::private_records);
        return;
    }
    if (settings.preprocess != PreprocessKind::none) must_be_given("preprocess", "none");
    plain_.emplace(source, settings);
    clipping_ = {given_bound(settings.feature_radius, "feature_radius"),
                 given_bound(settings.label_bound, "label_bound")};
    (void)given(settings.radius, "radius");
    hyperparameters_ = dpadapt::hyperparameters(settings, alpha, nullptr);
    choice_ =
        choose_loss(settings.loss, "when both samples are private: no public data can supply it");
    center_rates(choice_, *plain_);
    loss_ = make_loss(choice_, loss::Reading::private_records);
}

std::size_t PrivateProblem::rows(privacy::Domains domain) const {
    const Sample &rows = sample(domain);
    if (is_private(domain)) return rows.units();
    return rows.population() != nullptr ? rows.population()->rows() : rows.rows();
}

/** What private records elsewhere cannot be asked for. */
void PrivateProblem::check_reach(const Settings &settings) const {
    const bool custom = settings.loss.kind == loss::Kind::custom;
    for (const privacy::Domains domain : {privacy::kSource, privacy::kTarget})
        if (custom && is_private(domain) && sample(domain).remote() != nullptr)
            throw Error(DPA_E_UNSUPPORTED,
                        "loss = custom is a function of the caller, which cannot be sent to "
                        "private records in another place");
}

void PrivateProblem::check_numbered(const char *method) const {
    for (const privacy::Domains domain : {privacy::kSource, privacy::kTarget}) {
        const RemoteRecords *remote = is_private(domain) ? sample(domain).remote() : nullptr;
        if (remote != nullptr && !remote->knows_numbers())
            throw Error(DPA_E_UNSUPPORTED,
                        std::string(method) +
                            " needs private records by their number, and passes have none");
    }
}

arma::vec PrivateProblem::start(std::uint64_t seed) const {
    return public_ ? public_sample()->fit() : arma::vec(loss_->start(dimension(), seed));
}

double PrivateProblem::record_radius() const {
    if (last_) return std::sqrt(static_cast<double>(dimension()));  // tanh is at most 1
    return std::hypot(clipping_.feature_radius, preprocess().has_intercept() ? 1.0 : 0.0);
}

Clipping PrivateProblem::record_clipping() const {
    Clipping clipping = clipping_;
    // A record that counts as nothing has no label where 0 is a class, or a caller's loss reads it.
    if (choice().kind == loss::Kind::custom || loss::predicts_classes(choice()))
        clipping.neutral_label = std::numeric_limits<double>::quiet_NaN();
    return clipping;
}

}  // namespace dpadapt
