#pragma once

#include <functional>
#include <string>

#include "cli/handles.hpp"

namespace dpadapt::cli {

/** Makes a call that pays from the budget of the problem. If Ctrl-C ends it after that, the Failure
 *  says that it is paid for.
 *  @param what  That is paid for. */
void pay(const ProblemHandle &problem, const std::string &what, const std::function<void()> &call);

}  // namespace dpadapt::cli
