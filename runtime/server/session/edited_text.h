// SPDX-License-Identifier: GPL-3.0-or-later
// A text while many edits are made to it, each at an offset that the ones before it left: in
// chunks, so that an edit moves some kilobytes and not the rest of the text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace waferpair::server {

class EditedText {
 public:
  explicit EditedText(std::string_view utf8);

  std::size_t size() const { return size_; }
  // Whether an offset, which is at most the size, lies between characters.
  bool isCharacterBoundary(std::size_t offset) const;
  // Replaces bytes [start, end), which lie in the text.
  void replace(std::size_t start, std::size_t end, std::string_view with);
  std::string whole() const;

 private:
  // The chunk of the byte at `offset`, and its place there; behind the last one at the end.
  std::pair<std::size_t, std::size_t> find(std::size_t offset) const;

  std::vector<std::string> chunks_;  // none is empty
  std::size_t size_ = 0;
};

}  // namespace waferpair::server
