#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/platform/secret_page.hpp"

namespace dpadapt::random {

/** Reads at most `size` random bytes; returns how many, or -1 with errno, as getrandom(2). */
using ReadRandom = std::ptrdiff_t (*)(void *bytes, std::size_t size);

using platform::read_system_random;

/** Fills all bytes, or throws Error(DPA_E_ENTROPY): there is no weaker source to fall back on. */
void fill_with_entropy(std::span<std::uint8_t> bytes, ReadRandom read = read_system_random);

/** A 256-bit key of ChaCha20, for one call of the library.
 *
 *  It lives on a page of its own that is not swapped (if the process may lock memory), is in no
 *  core file, and is wiped by the kernel in a forked child; and it knows the process that made it:
 *  anywhere else its use throws Error(DPA_E_ENTROPY), so a child cannot draw the noise of its
 *  parent. The next call in the child takes a key of its own. */
class Key {
  public:
    static constexpr std::size_t kSize = 32;

    /** A fresh key from the operating system. */
    explicit Key(ReadRandom read = read_system_random);

    /** A known key gives known noise, which protects nothing: for experiments and tests. */
    [[nodiscard]] static Key unsafe_from_bytes(std::span<const std::uint8_t, kSize> bytes);

    Key &operator=(Key &&) = delete;
    ~Key();

    [[nodiscard]] const std::uint8_t *bytes() const;

    /** Throws in a forked child; where the kernel wipes the page this is one load from memory. */
    void check_process() const {
        if (!page_->wiped_on_fork) check_pid();
    }

  private:
    struct Page {
        std::uint8_t bytes[kSize];
        int process;         ///< 0 when wiped, which no process has
        bool wiped_on_fork;  ///< false when wiped
    };
    struct Empty {};

    explicit Key(Empty empty);
    Key(Empty empty, std::span<const std::uint8_t, kSize> bytes);
    void check_pid() const;

    Page *page_;
};

}  // namespace dpadapt::random
