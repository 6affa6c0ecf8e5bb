#pragma once

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

}  // namespace dpadapt::cli
