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
    const auto &other = domain == privacy::kSource ? target_ : source_;
    if (other && other->features() != sample.features())
        throw Error(DPA_E_DIMENSION, "cols must equal the other sample's " +
                                         std::to_string(other->features()) + ", but is " +
                                         std::to_string(sample.features()));
    const std::lock_guard lock(replacing_);
    (domain == privacy::kSource ? source_ : target_) = std::move(sample);
}

const Sample &Problem::source(const char *name) const { return present(source_, name, "source"); }

const Sample &Problem::target(const char *name) const { return present(target_, name, "target"); }

void Problem::check_complete() const {
    (void)source();
    (void)target();
}

Problem::Shape Problem::shape() const {
    const std::lock_guard lock(replacing_);
    const auto &any = source_ ? source_ : target_;
    return {source_ ? source_->rows() : 0, target_ ? target_->rows() : 0,
            any ? any->features() : 0};
}

}  // namespace dpadapt::engine
