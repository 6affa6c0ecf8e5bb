#include "base/platform/process.hpp"

#include <atomic>
#include <new>

#include "base/platform/secret_page.hpp"

namespace dpadapt::platform {

namespace {

using Stamp = std::atomic<std::uint64_t>;  // number of the process in the line of forks, its id

std::atomic<Stamp *> own{nullptr};        // the kernel wipes it in a forked child
std::atomic<std::uint64_t> forebears{0};  // at least as many as there were

/** Without a lock, which a fork could leave taken. It is never given back: other threads may be
 *  here until the process ends. */
Stamp &own_stamp() {
    if (Stamp *known = own.load()) return *known;
    const SecretPage page = take_secret_page(sizeof(Stamp));
    Stamp *fresh = new (page.memory) Stamp{0};
    Stamp *none = nullptr;
    if (own.compare_exchange_strong(none, fresh)) return *fresh;
    give_back_page(fresh, sizeof(Stamp));
    return *none;
}

}  // namespace

std::uint64_t process_stamp() {
    Stamp &stamp = own_stamp();
    const auto id = static_cast<std::uint32_t>(process_id());
    std::uint64_t now = stamp.load();
    while (static_cast<std::uint32_t>(now) != id) {  // 0 where it was wiped, else the parent's
        const std::uint64_t fresh = (forebears.fetch_add(1) + 1) << 32U | id;
        if (stamp.compare_exchange_weak(now, fresh)) return fresh;
    }
    return now;
}

}  // namespace dpadapt::platform
