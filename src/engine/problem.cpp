#include "engine/problem.hpp"

#include <string>

namespace dpadapt::engine {
namespace {

const Sample &present(const std::optional<Sample> &sample, const char *name, const char *domain) {
    if (!sample) throw Error(DPA_E_STATE, std::string(name) + " has no " + domain + " sample yet");
    return *sample;
}

}  // namespace

void Problem::replace(privacy::Domains domain, Sample sample) {
    const Usage::Hold hold(usage, true);
    if (locked_ && (domain == privacy::kSource ? source_ : target_))
        throw Error(DPA_E_STATE, "the problem is locked: its samples cannot be replaced");
    const auto &other = domain == privacy::kSource ? target_ : source_;
    if (other && other->features() != sample.features())
        throw Error(DPA_E_DIMENSION, "cols must equal the other sample's " +
                                         std::to_string(other->features()) + ", but is " +
                                         std::to_string(sample.features()));
    const std::lock_guard lock(replacing_);
    (domain == privacy::kSource ? source_ : target_) = std::move(sample);
}

void Problem::group_target(std::span<const std::int64_t> ids) {
    const Usage::Hold hold(usage, true);
    const Sample &rows = target();
    if (ids.size() != rows.rows())
        throw Error(DPA_E_DIMENSION, "n must equal the target's rows, " +
                                         std::to_string(rows.rows()) + ", but is " +
                                         std::to_string(ids.size()));
    if (rows.place() != nullptr)
        throw Error(DPA_E_UNSUPPORTED,
                    "the target's rows are elsewhere: who has them is not known");
    if (ledger.shared())
        throw Error(DPA_E_UNSUPPORTED,
                    "the problem is paid from a ledger that protects records, not persons");
    if (!ledger.entries().empty() && (!persons_ || rows.persons() != nullptr))
        throw Error(DPA_E_STATE,
                    "persons must be told before anything is released about the target");
    auto persons = std::make_shared<const Persons>(ids);
    const std::lock_guard lock(replacing_);
    target_->group(std::move(persons));
    persons_ = true;
}

const Sample &Problem::source(const char *name) const { return present(source_, name, "source"); }

const Sample &Problem::target(const char *name) const { return present(target_, name, "target"); }

void Problem::check_complete() const {
    (void)source();
    (void)target();
}

void Problem::use(const std::shared_ptr<privacy::SharedLedger> &shared) {
    const Usage::Hold hold(usage, true);
    if (persons_)
        throw Error(
            DPA_E_UNSUPPORTED,
            "the problem protects persons, but a ledger that others share protects records");
    const privacy::Domains domains = shared->locked_domains();
    if (domains != 0) ledger.check_domains(domains);
    ledger.use(shared);
    if (domains == 0) return;
    ledger.bind(domains);
    locked_ = true;
}

void Problem::lock(privacy::Domains domains) {
    const Usage::Hold hold(usage, true);
    ledger.bind(domains);
    locked_ = true;
}

void Problem::check_allowed(const PrivacySettings &settings) const {
    if (persons_ && (settings.domains & privacy::kTarget) != 0 && target_ &&
        target_->persons() == nullptr)
        throw Error(DPA_E_STATE,
                    "the problem protects persons: tell whose rows those of its new target are");
    if (!locked_) return;
    if (settings.domains == 0)
        throw Error(DPA_E_STATE, "the problem is locked: private_domain cannot be none");
    ledger.check_domains(settings.domains);
    if (settings.unsafe_seed)
        throw Error(DPA_E_STATE, "the problem is locked: unsafe_seed must not be set");
}

void Problem::admit(const PrivacySettings &settings, const OptionValues &values) {
    check_allowed(settings);
    if (settings.domains == 0) return;  // others may run at the same time
    ledger.announce({sizes(settings.domains), values.changed()});
}

privacy::SampleSizes Problem::sizes(privacy::Domains domains) const {
    privacy::SampleSizes result = rows();
    const std::lock_guard lock(replacing_);
    if ((domains & privacy::kTarget) != 0 && target_) result.target_rows = target_->units();
    return result;
}

privacy::SampleSizes Problem::rows() const {
    const std::lock_guard lock(replacing_);
    const auto &any = source_ ? source_ : target_;
    return {source_ ? source_->rows() : 0, target_ ? target_->rows() : 0,
            any ? any->features() : 0};
}

void Problem::use_public_target(const PrivacySettings &settings) {
    if (settings.domains == 0)
        ledger.exposure().unprotected = true;
    else
        ledger.bind(settings.domains);
}

}  // namespace dpadapt::engine
