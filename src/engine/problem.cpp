#include "engine/problem.hpp"

#include <string>
#include <utility>

#include "engine/options.hpp"

namespace dpadapt::engine {
namespace {

const Sample &present(const std::optional<Sample> &sample, const char *name, const char *domain) {
    if (!sample) throw Error(DPA_E_STATE, std::string(name) + " has no " + domain + " sample yet");
    return *sample;
}

void check_one_each(std::size_t n, const Sample &rows, const char *name) {
    if (n == rows.rows()) return;
    throw Error(DPA_E_DIMENSION, "n must equal the " + std::string(name) + "'s rows, " +
                                     std::to_string(rows.rows()) + ", but is " + std::to_string(n));
}

Sample mapped(const SourceMap &map, const Sample &source) {
    if (source.remote() != nullptr)
        throw Error(DPA_E_UNSUPPORTED,
                    "the source's rows are elsewhere: map them there, without a map here");
    if (source.features() != map.from())
        throw Error(DPA_E_DIMENSION, "cols must equal the " + std::to_string(map.from()) +
                                         " columns that the map of the source reads, but is " +
                                         std::to_string(source.features()));
    return map.apply(source);
}

/** All that a call may read of a sample. */
void feed(const std::optional<Sample> &sample, const privacy::Job::Feed &bytes) {
    const std::size_t sizes[] = {sample ? sample->rows() : 0, sample ? sample->features() : 0,
                                 sample && sample->unlabelled() ? 1U : 0U,
                                 sample && sample->weights() ? 1U : 0U};
    bytes(sizes, sizeof sizes);
    if (!sample) return;
    if (sample->remote() != nullptr)
        throw Error(DPA_E_UNSUPPORTED,
                    "a job reads its rows again, so they must be in memory, not elsewhere");
    SecretVector<double> row(sample->features() + 2);
    const auto &weights = sample->weights();
    for (std::size_t i = 0; i < sample->rows(); ++i) {
        for (std::size_t j = 0; j < sample->features(); ++j) row[j] = sample->x()(i, j);
        row[sample->features()] = sample->y()[i];
        row[sample->features() + 1] = weights ? (*weights)[i] : 1.0;
        bytes(row.data(), row.size() * sizeof(double));
    }
    const Persons *persons = sample->persons();
    for (std::size_t k = 0; persons != nullptr && k < persons->count(); ++k) {
        const auto own = persons->rows(k);
        const std::size_t count = own.size();
        bytes(&count, sizeof count);
        bytes(own.data(), own.size_bytes());
    }
}

}  // namespace

void Problem::check_open(privacy::Domains domain) const {
    const bool is_set = domain == privacy::kSource ? has_source() : has_target();
    // mutant: unit_of_a_locked_problem
    if (locked_ && is_set)
        throw Error(DPA_E_STATE,
                    "the problem is locked: its samples, and what is told about their rows, stay "
                    "as they are");
}

void Problem::map_source(SourceMap map) {
    const Usage::Hold hold(usage, true);
    if (has_source())
        throw Error(DPA_E_STATE, "the source is set already: its map must come before its rows");
    if (has_target() && target().features() != map.to())
        throw Error(DPA_E_DIMENSION, "rows must equal the target's " +
                                         std::to_string(target().features()) + " columns, but is " +
                                         std::to_string(map.to()));
    map_ = std::move(map);
}

void Problem::replace(privacy::Domains domain, Sample sample) {
    std::optional<Sample> before;  // destroyed last: that may call the host, which may ask this
    const Usage::Hold hold(usage, true);
    before = put(domain, std::move(sample));
}

void Problem::replace_by_persons(Sample elsewhere, std::size_t persons) {
    std::optional<Sample> before;  // as in replace
    const Usage::Hold hold(usage, true);
    check_open(privacy::kTarget);
    check_persons_can_be_told(true);
    elsewhere.group(std::make_shared<const Persons>(Persons::elsewhere(persons)));
    before = put(privacy::kTarget, std::move(elsewhere));
    persons_ = true;
}

std::optional<Sample> Problem::put(privacy::Domains domain, Sample sample) {
    const bool is_source = domain == privacy::kSource;
    check_open(domain);
    if (is_source && map_) sample = mapped(*map_, sample);
    const Sample *other = nullptr;
    if (is_source ? has_target() : has_source()) other = is_source ? &target() : &source();
    if (other != nullptr && other->features() != sample.features())
        throw Error(DPA_E_DIMENSION, "cols must equal the other sample's " +
                                         std::to_string(other->features()) + ", but is " +
                                         std::to_string(sample.features()));
    if (map_ && map_->to() != sample.features())
        throw Error(DPA_E_DIMENSION, "cols must equal the " + std::to_string(map_->to()) +
                                         " columns that the source is mapped to, but is " +
                                         std::to_string(sample.features()));
    const Lock lock(replacing_);
    ledger.begin_records(domain);
    scored_ &= ~domain;
    if (is_source) sources_.reset();
    return std::exchange(this->sample(domain), std::move(sample));
}

void Problem::group_source(std::span<const std::int64_t> ids) {
    constexpr std::size_t kMostSources = 100;
    const Usage::Hold hold(usage, true);
    const Sample &rows = source();
    check_open(privacy::kSource);
    check_one_each(ids.size(), rows, "source");
    if (rows.remote() != nullptr) throw Error(DPA_E_UNSUPPORTED, "the source's rows are elsewhere");
    auto sources = std::make_shared<const Persons>(ids);
    if (sources->count() > kMostSources)
        throw Error(DPA_E_OVERFLOW, "there may be 100 sources at most, but there are " +
                                        std::to_string(sources->count()));
    sources_ = std::move(sources);
}

void Problem::set_scores(privacy::Domains domain, std::span<const double> scores) {
    std::optional<Sample> before;  // as in replace
    const Usage::Hold hold(usage, true);
    const Sample &rows = domain == privacy::kSource ? source() : target();
    check_open(domain);
    if ((scored_ & domain) != 0 || rows.persons() != nullptr)
        throw Error(DPA_E_STATE,
                    "the sample has scores or persons already: set it anew, then scores, then "
                    "persons");
    check_one_each(scores.size(), rows, "sample");
    if (rows.remote() != nullptr)
        throw Error(DPA_E_UNSUPPORTED, "the rows are elsewhere: their labels are not known here");
    SecretVector<double> left(rows.y(), rows.y() + rows.rows());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= scores[i];
    Sample scored = Sample::copy(rows.x(), rows.unlabelled() ? nullptr : left.data());
    scored.weigh(rows.weights());
    const Lock lock(replacing_);
    before = std::exchange(sample(domain), std::move(scored));
    scored_ |= domain;
}

void Problem::set_weights(privacy::Domains domain, std::span<const double> weights) {
    const Usage::Hold hold(usage, true);
    const Sample &rows = domain == privacy::kSource ? source() : target();
    check_open(domain);
    check_one_each(weights.size(), rows, "sample");
    if (rows.remote() != nullptr) throw Error(DPA_E_UNSUPPORTED, "the rows are elsewhere");
    auto kept = std::make_shared<const SecretVector<double>>(weights.begin(), weights.end());
    const Lock lock(replacing_);
    sample(domain)->weigh(std::move(kept));
}

void Problem::check_scores(const LossSettings &loss) const {
    if (scored_ == 0) return;
    if (scored_ != (privacy::kSource | privacy::kTarget))
        throw Error(DPA_E_STATE, "one sample has scores of a given model, but the other has none");
    if (!centers_labels(loss))
        throw Error(DPA_E_UNSUPPORTED,
                    "scores of a given model need a loss whose labels are numbers");
}

/** @param anew  The target is new: nothing was set for it or released about it. */
void Problem::check_persons_can_be_told(bool anew) const {
    if (unit_ == privacy::Unit::record)
        throw Error(DPA_E_STATE,
                    "the problem's budget, or ledger, is about unit = record, but persons are "
                    "unit = person");
    if (!ledger.entries().empty() && (!persons_ || !anew))
        throw Error(DPA_E_STATE, "set the persons before anything is released about the target");
}

void Problem::group_target(std::span<const std::int64_t> ids) {
    const Usage::Hold hold(usage, true);
    const Sample &rows = target();
    check_open(privacy::kTarget);
    check_one_each(ids.size(), rows, "target");
    if (rows.remote() != nullptr)
        throw Error(DPA_E_UNSUPPORTED,
                    "the target's rows are elsewhere, so their persons are unknown here: "
                    "use dpa_problem_set_passes with DPA_PERSONS");
    check_persons_can_be_told(rows.persons() == nullptr);
    auto persons = std::make_shared<const Persons>(ids);
    const Lock lock(replacing_);
    target_->group(std::move(persons));
    persons_ = true;
}

const Sample &Problem::source(const char *name) const {
    replacing_.assert_unchanging();
    return present(source_, name, "source");
}

const Sample &Problem::target(const char *name) const {
    replacing_.assert_unchanging();
    return present(target_, name, "target");
}

void Problem::check_complete() const {
    (void)source();
    (void)target();
}

void Problem::check_unit(privacy::Unit unit) const {
    if (unit == privacy::Unit::record && persons_)
        throw Error(DPA_E_STATE,
                    "the problem protects persons (unit = person), but the budget, or ledger, is "
                    "about unit = record");
    if (unit == privacy::Unit::person && has_target() && target().persons() == nullptr)
        throw Error(DPA_E_STATE,
                    "the problem protects records (unit = record), but the budget, or ledger, is "
                    "about unit = person: set the persons of the target's rows first");
}

void Problem::fix_unit(privacy::Unit unit) {
    unit_ = unit;
    if (unit == privacy::Unit::person) persons_ = true;
}

/** What a private call protects. Sources have no persons. */
privacy::Unit Problem::unit_of(privacy::Domains domains) const {
    return persons_ && domains == privacy::kTarget ? privacy::Unit::person : privacy::Unit::record;
}

void Problem::use(const std::shared_ptr<privacy::SharedLedger> &shared,
                  std::shared_ptr<const privacy::Job> job) {
    const Usage::Hold hold(usage, true);
    if (locked_) throw Error(DPA_E_STATE, "the problem is locked: its budget stays as it is");
    check_unit(shared->unit());
    const privacy::Domains domains = shared->locked_domains();
    if (domains != 0) ledger.check_domains(domains);
    ledger.use(shared, std::move(job));
    fix_unit(shared->unit());
    if (domains == 0) return;
    ledger.bind(domains);
    locked_ = true;
}

void Problem::lock(privacy::Domains domains) {
    const Usage::Hold hold(usage, true);
    // mutant: lock_without_a_budget
    if (!ledger.budget())
        throw Error(DPA_E_STATE,
                    "the problem has no budget yet: call dpa_problem_set_budget or "
                    "dpa_problem_use_ledger before the lock");
    ledger.bind(domains);
    locked_ = true;
}

void Problem::check_allowed(const PrivacySettings &settings) const {
    if (persons_ && (settings.domains & privacy::kTarget) != 0 && has_target() &&
        target().persons() == nullptr)
        throw Error(DPA_E_STATE,
                    "the problem protects persons (unit = person): set the persons of the "
                    "target's rows");
    const privacy::Unit unit = unit_of(settings.domains);
    for (const std::optional<privacy::Unit> &wanted : {settings.unit, unit_})
        if (settings.domains != 0 && wanted && *wanted != unit)
            throw Error(DPA_E_STATE,
                        std::string("option unit, the budget or the ledger is about ") +
                            "unit = " + name_of(*wanted) +
                            ", but the call would protect unit = " + name_of(unit));
    if (!locked_) return;
    if (settings.domains == 0)
        throw Error(DPA_E_STATE, "the problem is locked: private_domain cannot be none");
    ledger.check_domains(settings.domains);
    if (settings.unsafe_seed)
        throw Error(DPA_E_STATE, "the problem is locked: unsafe_seed must not be set");
}

void Problem::admit(const PrivacySettings &settings, const OptionValues &values,
                    const std::string &what, const Beside &beside) {
    check_allowed(settings);
    if (settings.domains == 0) return;  // others may run at the same time
    const bool custom = values[Option::loss].word == "custom";
    // mutant: loss_that_sees_locked_rows
    if (locked_ && custom)
        throw Error(DPA_E_STATE,
                    "the problem is locked: loss = custom would show its private rows to the "
                    "function of the caller");
    auto job = job_about_rows();
    // mutant: job_of_a_callers_loss
    if (job && custom)
        throw Error(DPA_E_UNSUPPORTED,
                    "the noise of a job is computed from all that its call reads, and what a "
                    "caller's loss reads is unknown: loss = custom needs a ledger without a job");
    // The noise follows from all of it, so that another model has other noise.
    if (job)
        job = job->about([&](const privacy::Job::Feed &bytes) {
            bytes(what.c_str(), what.size() + 1);
            if (beside) beside(bytes);
        });
    ledger.announce(
        {sizes(settings.domains), values.changed(), unit_of(settings.domains), std::move(job)});
}

/** The job with its key bound to the rows, so that other rows have other noise. */
std::shared_ptr<const privacy::Job> Problem::job_about_rows() const {
    const std::shared_ptr<const privacy::Job> job = ledger.job();
    if (!job) return nullptr;
    std::optional<Sample> source;
    std::optional<Sample> target;
    {
        const Lock lock(replacing_);
        source = source_;
        target = target_;
    }
    return job->about([&](const privacy::Job::Feed &bytes) {
        feed(source, bytes);
        feed(target, bytes);
    });
}

std::string Problem::mark_of_job() const {
    if (const auto job = job_about_rows()) return job->mark(ledger.paid().size());
    throw Error(DPA_E_STATE,
                "a search whose validation rows have a job needs one for its fits as well: else "
                "the noise of the fits differs in each run");
}

void Problem::follow_budget(Settings &settings) const {
    if (!ledger.budget()) return;
    if (!settings.baseline.samples) settings.baseline.samples = false;
    PrivacySettings &own = settings.privacy;
    if (own.discrepancy_noise || own.noise_multiplier ||
        own.calibration == privacy::Calibration::paper)
        return;
    own.discrepancy_noise = ledger.budget()->cap.laplace > 0 ? privacy::Mechanism::laplace
                                                             : privacy::Mechanism::gaussian;
}

privacy::SampleSizes Problem::sizes(privacy::Domains domains) const {
    privacy::SampleSizes result = rows();
    const Lock lock(replacing_);
    if ((domains & privacy::kTarget) != 0 && target_) result.target_rows = target_->units();
    return result;
}

privacy::SampleSizes Problem::rows() const {
    const Lock lock(replacing_);
    const auto &any = source_ ? source_ : target_;
    return {source_ ? source_->rows() : 0, target_ ? target_->rows() : 0,
            any ? any->features() : 0};
}

void Problem::use_public_target(const PrivacySettings &settings) {
    if (settings.domains == 0)
        ledger.unprotected_use().unprotected = true;
    else
        ledger.bind(settings.domains);
}

}  // namespace dpadapt::engine
