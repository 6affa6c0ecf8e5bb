#pragma once

#include <vector>

#include "cli/file_identity.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {

/** Failure(kUsage) if a public file is the private one: what is told of public rows, such as their
 *  digest, would tell of private ones. */
void check_apart(const NamedFile &secret, const std::vector<NamedFile> &open);

/** The same of the files of both samples, where one of the two is private. */
void check_private_files(const DataArguments &arguments, const Settings &settings);

}  // namespace dpadapt::cli
