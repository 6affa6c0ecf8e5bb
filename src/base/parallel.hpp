#pragma once

#include <algorithm>
#include <atomic>
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
    HelperThreads(std::size_t count, const auto &work) {
        threads_.reserve(count);
        const SignalHold hold;
        try {
            while (threads_.size() < count) threads_.emplace_back(work);
        } catch (const std::exception &) {
            // The process is out of threads or memory: those at hand do all the work.
        }
    }
    HelperThreads &operator=(HelperThreads &&) = delete;
    ~HelperThreads() {
        for (std::thread &thread : threads_) thread.join();
    }

  private:
    std::vector<std::thread> threads_;  // std::jthread is not in libc++ 14
};

/** Calls work(chunk) for every chunk in [0, chunks), on the calling thread and threads - 1 others
 *  that live no longer than the call. What a chunk computes must not depend on the thread that
 *  computes it, so results are the same for every number of threads. The first exception of a
 *  worker is rethrown here. If the system grants fewer threads, fewer are used. */
void parallel_for(std::size_t chunks, std::size_t threads, const auto &work) {
    const std::size_t wanted = std::min(threads, chunks);
    if (wanted <= 1) {
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) work(chunk);
        return;
    }
    const CancellationHold hold;
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;
    const auto drain = [&]() noexcept {
        try {
            for (std::size_t chunk = next++; chunk < chunks && !failed; chunk = next++) work(chunk);
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    {
        const HelperThreads helpers(wanted - 1, drain);
        drain();
    }
    if (failure) std::rethrow_exception(failure);
}

/** The same for the blocks [begin, end) of n, each of so many but the last. */
void parallel_blocks(std::size_t n, std::size_t block, std::size_t threads, const auto &work) {
    parallel_for((n + block - 1) / block, threads,
                 [&](std::size_t k) { work(k * block, std::min(n, (k + 1) * block)); });
}

}  // namespace dpadapt
