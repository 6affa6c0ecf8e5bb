#pragma once

#include <cstdint>
#include <span>
#include <string>

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

    /** Of the call of that number on a problem, from 0. */
    [[nodiscard]] random::Key noise_key(std::uint64_t call) const;

    /** How the options of an entry begin that pays for that call, of whatever key. */
    [[nodiscard]] std::string label(std::uint64_t call) const;

    /** The same of this key alone, which it does not tell. */
    [[nodiscard]] std::string mark(std::uint64_t call) const;

  private:
    std::string name_;
    SecretVector<std::uint8_t> key_;
};

}  // namespace dpadapt::privacy
