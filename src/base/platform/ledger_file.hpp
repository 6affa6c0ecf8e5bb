#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/platform/threads.hpp"

namespace dpadapt::privacy {

/** The file of a ledger, locked as long as the object lives: for all others, or against writers.
 *  Every function throws Error(DPA_E_STORE) when the file system does not do it. */
class LedgerFile {
  public:
    enum class Access { read, write };

    LedgerFile(const std::string &path, Access access);
    LedgerFile &operator=(LedgerFile &&) = delete;
    ~LedgerFile();

    [[nodiscard]] std::vector<std::uint8_t> read() const { return read_from(0); }

    /** What follows that many bytes; nothing if there are no more. */
    [[nodiscard]] std::vector<std::uint8_t> read_from(std::size_t begin) const;

    /** Returns when the block is on the disk behind the others. If it cannot be written, the file
     *  is as it was; if the disk does not confirm it, it stays, and counts. */
    void append(std::span<const std::uint8_t> block);

    /** A new file with that content, on the disk; nothing is left of it if that fails. */
    static void create(const std::string &path, std::span<const std::uint8_t> content);

    /** The absolute path of a file that need not exist. */
    [[nodiscard]] static std::string new_path(const std::string &path);

    /** The path of an existing one, absolute, without symbolic links. */
    [[nodiscard]] static std::string real_path(const std::string &path);

  private:
    CancellationHold hold_;  // a charge is whole, and closing may not unwind
    std::string path_;
    std::intptr_t file_;  // a descriptor, or a handle of Windows
};

}  // namespace dpadapt::privacy
