// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens that are found in the text by their whole spelling, before it is cut into words. Private
// to this room.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace waferpair::tokenizer {

class WholeTokens {
 public:
  // The spelling must outlive this. Of equal ones the first stays; an empty one is never found.
  void add(std::string_view spelling, std::int32_t id) {
    if (spelling.empty() || !ids_.emplace(spelling, id).second) return;
    auto& lengths = lengths_[static_cast<unsigned char>(spelling[0])];
    const auto place =
        std::lower_bound(lengths.begin(), lengths.end(), spelling.size(), std::greater<>());
    if (place == lengths.end() || *place != spelling.size()) lengths.insert(place, spelling.size());
  }
  bool empty() const { return ids_.empty(); }
  // The longest that stands at `at` < text.size(); -1 if there is none. Takes as many look-ups as
  // there are lengths of spellings with this first byte: some vocabularies have thousands of those.
  std::int32_t find(std::string_view text, std::size_t at) const {
    for (const std::size_t length : lengths_[static_cast<unsigned char>(text[at])]) {
      if (length > text.size() - at) continue;
      const auto it = ids_.find(text.substr(at, length));
      if (it != ids_.end()) return it->second;
    }
    return -1;
  }

 private:
  std::unordered_map<std::string_view, std::int32_t> ids_;
  std::array<std::vector<std::size_t>, 256> lengths_;  // by first byte, longest first
};

}  // namespace waferpair::tokenizer
