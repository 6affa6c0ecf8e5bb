#pragma once

#include <mutex>

// What a mutex guards, in words that Clang checks (-Wthread-safety); other compilers see nothing.
#if defined(__clang__)
#define DPA_THREAD_SAFETY(words) __attribute__((words))
#else
#define DPA_THREAD_SAFETY(words)
#endif
#define DPA_GUARDED_BY(mutex) DPA_THREAD_SAFETY(guarded_by(mutex))
#define DPA_REQUIRES(mutex) DPA_THREAD_SAFETY(requires_capability(mutex))
#define DPA_ACQUIRE(mutex) DPA_THREAD_SAFETY(acquire_capability(mutex))
#define DPA_RELEASE(mutex) DPA_THREAD_SAFETY(release_capability(mutex))

namespace dpadapt {

/** A mutex of the standard library that Clang knows as one. */
template <typename Standard>
class DPA_THREAD_SAFETY(capability("mutex")) BasicMutex {
  public:
    void lock() DPA_THREAD_SAFETY(acquire_capability()) { mutex_.lock(); }
    void unlock() DPA_THREAD_SAFETY(release_capability()) { mutex_.unlock(); }

    /** Tells Clang that nobody else changes now what is guarded, so that it may be read. */
    void assert_unchanging() const DPA_THREAD_SAFETY(assert_shared_capability(this)) {}

  private:
    Standard mutex_;
};

using Mutex = BasicMutex<std::mutex>;
using RecursiveMutex = BasicMutex<std::recursive_mutex>;

/** Holds a mutex to the end of the scope. */
template <typename Standard>
class DPA_THREAD_SAFETY(scoped_lockable) Lock {
  public:
    explicit Lock(BasicMutex<Standard> &mutex) DPA_THREAD_SAFETY(acquire_capability(mutex))
        : mutex_(mutex) {
        mutex_.lock();
    }
    Lock &operator=(Lock &&) = delete;
    ~Lock() DPA_THREAD_SAFETY(release_capability()) { mutex_.unlock(); }

  private:
    BasicMutex<Standard> &mutex_;
};

}  // namespace dpadapt
