#pragma once

#include <functional>
#include <string>

namespace dpadapt::cli {

/** What a command has computed, as text that can be written anywhere. */
struct Result {
    std::string text;
    bool paid = false;   // it has cost privacy, which nobody gives back
    bool saved = false;  // it is in its place
};

/** Calls what writes the result. If that fails, a paid result that is not saved yet is written to a
 *  temporary file, or to standard output if no folder takes it; the Failure tells where. */
void deliver(Result &result, const std::function<void()> &write);

}  // namespace dpadapt::cli
