#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "cli/read/columns.hpp"
#include "cli/read/sample.hpp"
#include "cli/read/sample_sink.hpp"
#include "cli/read/samples.hpp"

namespace dpadapt::cli {

/** Rows of a file that are read anew, some at a time, for each sum over them that a fit wants. */
class FilePasses {
  public:
    /** The schema must outlive it.
     *  @param memory  Half of it holds the rows that are read at a time.
     *  @param fixed   As in Encoder::gives_away(). */
    FilePasses(std::string path, ColumnChoice choice, const schema::Schema &schema, bool is_private,
               std::size_t memory, std::size_t fixed);

    /** One reading, whose rows must be those of the first one.
     *  @param seen  Gets the file when it has been read, with its choice of columns. */
    using Seen = std::function<void(const SampleSink &file, const ColumnChoice &choice)>;
    void read(const Encoder::See &see, const Seen &seen = {});

    /** So many rows must be there, also in the first reading. */
    void expect(std::size_t rows) { rows_ = rows; }

    /** A problem gets them as its sample of that domain, and reads them anew for each pass. */
    void lend(const ProblemHandle &problem, std::int32_t domain);
    /** Throws what ended a reading, if anything did. */
    void check_readings() const;

  private:
    /** Answers a pass of the library; `self` is a FilePasses. */
    static int32_t answer(const std::uint8_t *request, std::size_t size, dpa_partial *total,
                          void *self) noexcept;

    std::string path_;
    ColumnChoice choice_;
    const schema::Schema &schema_;
    bool is_private_;
    std::size_t at_a_time_;  // rows
    std::size_t fixed_;
    std::optional<std::size_t> rows_;      // of the first reading
    std::optional<std::uint64_t> digest_;  // the same
    std::exception_ptr failure_;
};

/** A private target and a public source in files, for whose rows there is so much memory. Rows that
 *  need more are not in the samples. */
class LargeSamples {
  public:
    /** Reads each file once: the samples have the schema then, and rows that are few. All arguments
     *  must outlive it; Failure(kUsage) where files cannot be read several times. */
    LargeSamples(const DataArguments &arguments, const Settings &settings, std::size_t memory,
                 Samples &samples);

    /** A problem with both samples, which this and they must outlive. */
    [[nodiscard]] ProblemHandle make_problem();
    void check_readings() const;

  private:
    void read_target(const DataArguments &arguments);

    Samples &samples_;
    ColumnMap map_;
    std::optional<FilePasses> source_;  // none: its rows are in the samples
    std::optional<FilePasses> target_;
};

}  // namespace dpadapt::cli
