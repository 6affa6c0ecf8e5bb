#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "cli/chunks.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {

/** The rows of a public source in a file, for which there is so much memory. Where they need more,
 *  and are more than the library keeps of rows elsewhere, they are read anew for each pass. */
class LargeSource {
  public:
    /** Reads the file once: the samples have its schema then, and its rows if they are few. The
     *  arguments and the samples must outlive it. */
    LargeSource(const DataArguments &arguments, const Settings &settings, std::size_t memory,
                Samples &samples);
    LargeSource(const LargeSource &) = delete;
    LargeSource &operator=(const LargeSource &) = delete;
    ~LargeSource() = default;

    /** A problem with that source alone, which this and the samples must outlive. */
    [[nodiscard]] ProblemHandle make_problem();

    /** Throws what ended a reading, if anything did. */
    void check_readings() const;

  private:
    void answer(dpa_partial *total);
    static int32_t answer(const std::uint8_t *request, std::size_t size, dpa_partial *total,
                          void *self);

    const DataArguments &arguments_;
    Samples &samples_;
    std::size_t memory_;
    Content content_;  // of the first pass
    std::exception_ptr failure_;
};

/** A number of bytes from text such as "256M"; Failure(kUsage) for anything else, and for less than
 *  1 MiB. */
[[nodiscard]] std::size_t parse_memory(const std::string &flag, const std::string &text);

/** The rows of a private target in a file, for which there is so much memory. Where they need more,
 *  they are read anew, some at a time, for each sum over them that a fit wants. */
class LargeTarget {
  public:
    /** Reads the file once. Rows that fit into half of the memory are put into the samples, whose
     *  source and schema are there. The arguments must outlive it. */
    LargeTarget(const DataArguments &arguments, std::size_t memory, Samples &samples);
    LargeTarget(const LargeTarget &) = delete;
    LargeTarget &operator=(const LargeTarget &) = delete;
    ~LargeTarget() = default;

    /** Adds the rows to a problem, which this and the samples must outlive. */
    void give(const ProblemHandle &problem);

    /** Throws what ended a reading, if anything did. */
    void check_readings() const;

  private:
    Content read(const ChunkTaker::See &see, bool notes_unused = false);
    void answer(dpa_partial *total);
    static int32_t answer(const std::uint8_t *request, std::size_t size, dpa_partial *total,
                          void *self);

    const DataArguments &arguments_;
    Samples &samples_;
    std::size_t fixed_rows_;  // 0: the file decides
    std::size_t at_a_time_;   // rows
    Content content_;
    bool in_memory_ = false;
    std::exception_ptr failure_;
};

/** Failure(kUsage) where files cannot be read several times, or are not for that. */
void check_memory(const DataArguments &arguments, const Settings &settings);

}  // namespace dpadapt::cli
