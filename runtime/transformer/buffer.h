// SPDX-License-Identifier: GPL-3.0-or-later
// Uninitialized memory for activations. Private to this room.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace waferpair::transformer {

// Starts on a cache line of its own. The system gives pages when they are first written, so a large
// buffer costs nothing until it is used.
template <typename T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) {
    constexpr std::size_t kLine = 64;
    const std::size_t bytes = (size * sizeof(T) + kLine) / kLine * kLine;
    data_.reset(static_cast<T*>(std::aligned_alloc(kLine, bytes)));
    if (!data_) std::abort();  // as operator new does here: readConfig() has bounded the size
  }
  T* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T[], Free> data_;
};

// Elements of a matrix, and the place of row `a` in one with rows of `b`.
inline std::size_t area(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

}  // namespace waferpair::transformer
