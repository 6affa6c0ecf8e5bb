#include "base/platform/float_state.hpp"

namespace dpadapt {
namespace {

thread_local PlainFloats *innermost = nullptr;

#if defined(__x86_64__) && defined(__GNUC__)

constexpr std::uint32_t kPlainMxcsr = 0x1f80;   // all traps masked, nearest, no flush to zero
constexpr std::uint16_t kPlainControl = 0x37f;  // the same of the older unit, 64 bits of precision
constexpr std::uint16_t kFlags = 0x3f;          // in both units, that something was inexact, ...

/** What the older unit loads and stores. */
struct Environment {
    std::uint16_t control, unused_1, flags, unused_2;
    std::uint32_t others[5];
};

/** As slow as the rest of a small call together. */
std::uint16_t older_flags() noexcept {
    std::uint16_t flags = 0;
    __asm__ volatile("fnstsw %0" : "=m"(flags));
    return flags & kFlags;
}

FloatState read_state() noexcept {
    FloatState state;
    __asm__ volatile("stmxcsr %0" : "=m"(state.mxcsr) : : "memory");
    __asm__ volatile("fnstcw %0" : "=m"(state.control));
    if (state.control != kPlainControl) state.flags = older_flags();
    return state;
}

void set_newer(std::uint32_t mxcsr) noexcept {
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
}

/** Slow, so only where something changes. */
void set_older(std::uint16_t control, std::uint16_t flags) noexcept {
    constexpr std::uint16_t kSummaries = 0x80c0;  // busy, error, stack fault
    Environment all;
    __asm__ volatile("fnstenv %0" : "=m"(all) : : "memory");
    all.control = control;
    all.flags = static_cast<std::uint16_t>((all.flags & ~(kFlags | kSummaries)) | (flags & kFlags));
    __asm__ volatile("fldenv %0" : : "m"(all) : "memory");
}

/** Flags may stay: nothing here asks for them, and no trap waits for them. */
void make_plain(const FloatState &from) noexcept {
    if ((from.mxcsr & ~std::uint32_t{kFlags}) != kPlainMxcsr) set_newer(kPlainMxcsr);
    if (from.control != kPlainControl) set_older(kPlainControl, 0);
}

void restore(const FloatState &wanted) noexcept {
    if (wanted.control != kPlainControl) set_older(wanted.control, wanted.flags);
    set_newer(wanted.mxcsr);
}

#else

std::uint16_t older_flags() noexcept { return 0; }
void set_older(std::uint16_t /*control*/, std::uint16_t /*flags*/) noexcept {}
constexpr std::uint16_t kPlainControl = 0;

FloatState read_state() noexcept {
    FloatState state;
    std::fegetenv(&state);
    return state;
}

void make_plain(const FloatState & /*from*/) noexcept { std::fesetenv(FE_DFL_ENV); }

void restore(const FloatState &wanted) noexcept { std::fesetenv(&wanted); }

#endif

}  // namespace

PlainFloats::PlainFloats() noexcept : host_(read_state()), outer_(innermost) {
    innermost = this;
    make_plain(host_);
}

PlainFloats::~PlainFloats() {
    innermost = outer_;
    restore(host_);
}

OlderFlags::OlderFlags() noexcept : flags_(older_flags()) {}

OlderFlags::~OlderFlags() {
    if (older_flags() != flags_) set_older(kPlainControl, flags_);
}

HostFloats::HostFloats() noexcept : call_(innermost) {
    if (call_ != nullptr) restore(call_->host_);
}

HostFloats::~HostFloats() {
    if (call_ == nullptr) return;
    call_->host_ = read_state();
    make_plain(call_->host_);
}

}  // namespace dpadapt
