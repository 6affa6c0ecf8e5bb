#pragma once

#include <string>
#include <vector>

#include "cli/record_taker.hpp"
#include "cli/sample_sink.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {

/** What the arguments and the loss (or the baseline) say about columns and labels. */
[[nodiscard]] schema::Wishes make_wishes(const DataArguments &arguments, const Settings &settings,
                                         const std::string &baseline);

/** Learns from public rows of a file; what is wrong with it is a Failure(kBadData).
 *  @param names  of the columns */
[[nodiscard]] schema::Schema learn_schema(const std::vector<std::string> &names,
                                          const TableTaker &rows, const SampleSink &file,
                                          const schema::Wishes &wishes);

/** Which of the names the columns of the schema have. */
[[nodiscard]] std::vector<std::size_t> places_of(const schema::Schema &schema,
                                                 const std::vector<std::string> &names);

}  // namespace dpadapt::cli
