#include "random/key.hpp"

#include <sodium/core.h>
#include <sodium/utils.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

#include "base/error.hpp"
#include "base/platform/secret_page.hpp"

namespace dpadapt::random {

namespace {

/** Makes libsodium choose the vector code of this machine, four times as fast as its portable code.
 *  It seeds its own generator as well, and would end the process without entropy: hence the probe.
 */
void initialize_sodium() {
    static const int initialized = [] {
        std::uint8_t probe = 0;
        fill_with_entropy({&probe, 1});
        return sodium_init();
    }();
    static_cast<void>(initialized);  // without it the cipher is slow, but the same
}

}  // namespace

Key::Key(Empty /*empty*/) {
    initialize_sodium();
    const platform::SecretPage page = platform::take_secret_page(sizeof(Page));
    page_ = new (page.memory) Page{};
    page_->wiped_on_fork = page.wiped_on_fork;
    page_->process = platform::process_id();
}

Key::Key(Empty empty, std::span<const std::uint8_t, kSize> bytes) : Key(empty) {
    std::copy(bytes.begin(), bytes.end(), page_->bytes);
}

Key::Key(ReadRandom read) : Key(Empty{}) { fill_with_entropy(page_->bytes, read); }

Key Key::unsafe_from_bytes(std::span<const std::uint8_t, kSize> bytes) { return {Empty{}, bytes}; }

Key::~Key() {
    sodium_memzero(page_, sizeof(Page));
    platform::give_back_page(page_, sizeof(Page));
}

const std::uint8_t *Key::bytes() const {
    check_pid();
    return page_->bytes;
}

void Key::check_pid() const {
    if (page_->process != platform::process_id())
        throw Error(DPA_E_ENTROPY, "the process was forked after the noise key had been made");
}

void fill_with_entropy(std::span<std::uint8_t> bytes, ReadRandom read) {
    while (!bytes.empty()) {
        const std::ptrdiff_t count = read(bytes.data(), bytes.size());
        if (count > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(count));
        } else if (count == 0 || errno != EINTR) {
            const std::error_code reason(count == 0 ? EIO : errno, std::generic_category());
            throw Error(DPA_E_ENTROPY,
                        "the operating system gave no random bytes: " + reason.message());
        }
    }
}

}  // namespace dpadapt::random
