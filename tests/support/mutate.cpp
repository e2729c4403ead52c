// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/mutate.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace waferpair::test {
namespace {

// Lengths, counts and offsets at the edges of their types and of sums with others.
constexpr std::uint64_t kAwkward[] = {0,
                                      1,
                                      2,
                                      7,
                                      8,
                                      9,
                                      31,
                                      32,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0x7fff,
                                      0xffff,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      0x1ffffffff,
                                      0x7fffffffffffffff,
                                      0x8000000000000000,
                                      0xffffffffffffffe0,
                                      0xffffffffffffffff};

class Damage {
 public:
  Damage(std::vector<std::byte>& bytes, std::uint32_t seed, std::size_t focus)
      : bytes_(bytes), random_(seed), focus_(focus) {}

  void once() {
    if (bytes_.empty()) return;
    const std::size_t at = place();
    switch (upTo(7)) {
      case 0:
        bytes_[at] ^= std::byte{1} << upTo(7);
        return;
      case 1:
        bytes_[at] = static_cast<std::byte>(upTo(255));
        return;
      case 2:
        return put(at, sizeof(std::uint32_t));
      case 3:
      case 4:
        return put(at, sizeof(std::uint64_t));
      case 5: {
        const std::size_t end = std::min(bytes_.size(), at + 1 + upTo(63));
        bytes_.erase(iterator(at), iterator(end));
        return;
      }
      case 6: {
        const std::size_t end = std::min(bytes_.size(), at + 1 + upTo(63));
        const std::vector<std::byte> part(iterator(at), iterator(end));
        bytes_.insert(iterator(at), part.begin(), part.end());
        return;
      }
      default:
        bytes_.resize(at);
        return;
    }
  }

 private:
  std::size_t upTo(std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(random_);
  }
  std::size_t place() {
    const bool focused = focus_ != 0 && upTo(3) != 0;
    return upTo((focused ? std::min(focus_, bytes_.size()) : bytes_.size()) - 1);
  }
  std::vector<std::byte>::iterator iterator(std::size_t at) {
    return bytes_.begin() + static_cast<std::ptrdiff_t>(at);
  }
  void put(std::size_t at, std::size_t size) {
    const std::uint64_t value = kAwkward[upTo(std::size(kAwkward) - 1)];
    std::memcpy(&bytes_[at], &value, std::min(size, bytes_.size() - at));
  }

  std::vector<std::byte>& bytes_;
  std::mt19937 random_;
  std::size_t focus_;
};

}  // namespace

std::vector<std::byte> mutate(const std::vector<std::byte>& bytes, std::uint32_t seed,
                              std::size_t focus) {
  std::vector<std::byte> out = bytes;
  Damage damage(out, seed, focus);
  for (std::uint32_t i = 0; i <= seed % 4; ++i) damage.once();
  return out;
}

}  // namespace waferpair::test
