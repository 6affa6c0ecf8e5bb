#include "random/entropy.hpp"

#include <cerrno>
#include <system_error>

#include "base/error.hpp"

namespace dpadapt::random {

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
