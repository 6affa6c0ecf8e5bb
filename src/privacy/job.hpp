#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/secret.hpp"
#include "random/key.hpp"

namespace dpadapt::privacy {

/** Calls that are paid once, however often they are made: their noise and the marks of their
 *  entries in a ledger follow from one secret key. The caller has made it, by a pseudorandom
 *  function, from all that the calls read. So the same key means the same releases, which a second
 *  call does not make again. */
class Job {
  public:
    /** Throws Error(DPA_E_INVALID_ARGUMENT) for other names than 1 to 64 letters, digits, '.', '-'
     *  and '_', and for keys of other sizes than random::Key has. */
    Job(std::string name, std::span<const std::uint8_t> key);

    /** The same about one input: about another one, the keys differ.
     *  @param input  Calls its argument with each part of the input, in a fixed order. */
    using Feed = std::function<void(const void *bytes, std::size_t size)>;
    [[nodiscard]] std::shared_ptr<const Job> about(
        const std::function<void(const Feed &)> &input) const;

    /** Of the call of that number on a problem, from 0, with these options. */
    [[nodiscard]] random::Key noise_key(std::uint64_t call, std::string_view options) const;

    /** How the options of an entry begin that pays for that call, of whatever key. */
    [[nodiscard]] std::string label(std::uint64_t call) const;

    /** The same of this key alone, which it does not tell. */
    [[nodiscard]] std::string mark(std::uint64_t call) const;

  private:
    std::string name_;
    SecretVector<std::uint8_t> key_;
};

}  // namespace dpadapt::privacy
