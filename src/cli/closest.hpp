#pragma once

#include <string>
#include <vector>

namespace dpadapt::cli {

/** The name that is nearest to what was written, if it is near; else empty. */
[[nodiscard]] std::string closest(const std::string &written,
                                  const std::vector<std::string> &names);

/** Asks whether it was meant; empty if none is near. */
[[nodiscard]] std::string did_you_mean(const std::string &written,
                                       const std::vector<std::string> &names);

}  // namespace dpadapt::cli
