#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

#include "base/platform/threads.hpp"

namespace dpadapt {

/** Threads that do the same work and are joined at the end of the scope. The host's signals are
 *  handled by the host's threads. */
class HelperThreads {
  public:
    /** As many as the system grants, at most count. */
    template <typename Work>
    HelperThreads(std::size_t count, const Work &work) {
        threads_.reserve(count);
        const SignalHold hold;
        try {
            while (threads_.size() < count) threads_.emplace_back(work);
        } catch (const std::exception &) {
            // The process is out of threads or memory: those at hand do all the work.
        }
    }
    HelperThreads(const HelperThreads &) = delete;
    HelperThreads &operator=(const HelperThreads &) = delete;
    ~HelperThreads() {
        for (std::thread &thread : threads_) thread.join();
    }

  private:
    std::vector<std::thread> threads_;  // std::jthread is not in libc++ 14
};

}  // namespace dpadapt
