// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/edited_text.h"

#include <algorithm>
#include <cassert>

namespace waferpair::server {
namespace {

// About the square root of what a large text has: then finding a chunk costs what an edit in one
// does.
constexpr std::size_t kChunk = 8 << 10;

std::vector<std::string> chunksOf(std::string_view text) {
  std::vector<std::string> chunks;
  for (std::size_t at = 0; at < text.size(); at += kChunk)
    chunks.emplace_back(text.substr(at, kChunk));
  return chunks;
}

}  // namespace

EditedText::EditedText(std::string_view utf8) : chunks_(chunksOf(utf8)), size_(utf8.size()) {}

bool EditedText::isCharacterBoundary(std::size_t offset) const {
  assert(offset <= size_);
  if (offset == size_) return true;
  const auto [chunk, place] = find(offset);
  return (static_cast<unsigned char>(chunks_[chunk][place]) & 0xC0) != 0x80;
}

void EditedText::replace(std::size_t start, std::size_t end, std::string_view with) {
  assert(start <= end && end <= size_);
  size_ = size_ - (end - start) + with.size();
  auto [chunk, place] = find(start);
  // Text that is added at a chunk's beginning may as well go to the end of the one before it.
  if (place == 0 && chunk > 0) place = chunks_[--chunk].size();
  std::size_t left = end - start;
  if (chunk < chunks_.size()) {
    std::string& first = chunks_[chunk];
    const std::size_t here = std::min(left, first.size() - place);
    first.replace(place, here, with);
    left -= here;
  } else {
    chunks_.emplace_back(with);
  }
  std::size_t gone = chunk + 1;
  while (left > 0 && chunks_[gone].size() <= left) left -= chunks_[gone++].size();
  if (left > 0) chunks_[gone].erase(0, left);
  const auto at = [this](std::size_t index) {
    return chunks_.begin() + static_cast<std::ptrdiff_t>(index);
  };
  chunks_.erase(at(chunk + 1), at(gone));
  if (chunks_[chunk].empty()) {
    chunks_.erase(at(chunk));
  } else if (chunks_[chunk].size() > 2 * kChunk) {
    const std::vector<std::string> parts = chunksOf(chunks_[chunk]);
    chunks_.insert(chunks_.erase(at(chunk)), parts.begin(), parts.end());
  }
}

std::string EditedText::whole() const {
  std::string text;
  text.reserve(size_);
  for (const std::string& chunk : chunks_) text += chunk;
  return text;
}

std::pair<std::size_t, std::size_t> EditedText::find(std::size_t offset) const {
  for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    if (offset < chunks_[chunk].size()) return {chunk, offset};
    offset -= chunks_[chunk].size();
  }
  return {chunks_.size(), 0};
}

}  // namespace waferpair::server
