#pragma once

#include "base/platform/float_state.hpp"

namespace dpadapt::linalg {

/** While one of these lives, OpenBLAS uses the calling thread alone: its other threads are ended by
 *  a fork of any thread of the process, and whoever waits for them then waits for ever. The last
 *  one gives the host its number back, unless the host has set another one meanwhile. No thread is
 *  started for that. Other libraries are left alone. */
class OneBlasThread {
  public:
    OneBlasThread();
    OneBlasThread(const OneBlasThread &) = delete;
    OneBlasThread &operator=(const OneBlasThread &) = delete;
    ~OneBlasThread();

  private:
    OlderFlags flags_;
};

}  // namespace dpadapt::linalg
