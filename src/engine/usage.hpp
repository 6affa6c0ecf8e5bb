#pragma once

#include <atomic>

#include "base/error.hpp"

namespace dpadapt::engine {

/** Who is using a problem or a search: any number of readers, or one call that changes it or spends
 *  its budget. A callback or another thread that comes between gets Error(DPA_E_STATE) instead of
 *  waiting. */
class Usage {
  public:
    class Hold {
      public:
        Hold(Usage &usage, bool exclusive) : count_(usage.count_), exclusive_(exclusive) {
            int now = count_.load();
            do {
                if (now < 0 || (exclusive && now > 0))
                    throw Error(DPA_E_STATE,
                                "problem or search is in use by a call that has not returned");
            } while (!count_.compare_exchange_weak(now, exclusive ? -1 : now + 1));
        }
        Hold &operator=(Hold &&) = delete;
        ~Hold() { exclusive_ ? count_.store(0) : void(count_.fetch_sub(1)); }

      private:
        std::atomic<int> &count_;
        bool exclusive_;
    };

  private:
    std::atomic<int> count_{0};
};

}  // namespace dpadapt::engine
