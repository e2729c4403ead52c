// SPDX-License-Identifier: GPL-3.0-or-later
// A mutex whose guarded data clang's thread-safety analysis knows: code that touches a guarded
// member without the lock does not compile (-Wthread-safety, an error in builds with clang; other
// compilers read nothing of it). https://clang.llvm.org/docs/ThreadSafetyAnalysis.html
//
//   base::Mutex mutex_;
//   int jobs_ WAFERPAIR_GUARDED_BY(mutex_) = 0;
//   void count() WAFERPAIR_REQUIRES(mutex_);
#pragma once

#include <mutex>

#if defined(__clang__)
#define WAFERPAIR_THREAD_ANNOTATION(...) __attribute__((__VA_ARGS__))
#else
#define WAFERPAIR_THREAD_ANNOTATION(...)
#endif

#define WAFERPAIR_GUARDED_BY(mutex) WAFERPAIR_THREAD_ANNOTATION(guarded_by(mutex))
// Marks a function whose caller holds the mutex.
#define WAFERPAIR_REQUIRES(...) WAFERPAIR_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
// Marks a function whose caller does not hold the mutex.
#define WAFERPAIR_EXCLUDES(...) WAFERPAIR_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))

namespace waferpair::base {

class WAFERPAIR_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void lock() WAFERPAIR_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  bool try_lock() WAFERPAIR_THREAD_ANNOTATION(try_acquire_capability(true)) {
    return mutex_.try_lock();
  }
  void unlock() WAFERPAIR_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// Holds it from here to the end of the block, but between unlock() and lock().
class WAFERPAIR_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) WAFERPAIR_THREAD_ANNOTATION(acquire_capability(mutex))
      : lock_(mutex.mutex_) {}
  ~MutexLock() WAFERPAIR_THREAD_ANNOTATION(release_capability()) = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() WAFERPAIR_THREAD_ANNOTATION(release_capability()) { lock_.unlock(); }
  void lock() WAFERPAIR_THREAD_ANNOTATION(acquire_capability()) { lock_.lock(); }

  // The native lock, for waiting on a std::condition_variable, which gives it back locked.
  std::unique_lock<std::mutex>& native() { return lock_; }

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace waferpair::base
