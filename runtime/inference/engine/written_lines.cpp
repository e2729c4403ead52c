// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/written_lines.h"

#include <algorithm>

#include "runtime/inference/engine/line_text.h"
#include "runtime/inference/sampling/name_check.h"

namespace waferpair::inference {
namespace {

constexpr std::ptrdiff_t kFewLetters = 3;
constexpr std::string_view kClosing = ")]};, ";

std::string shapeOf(std::string_view line) {
  std::string shape;
  for (const char byte : line) {
    if (!isNameByte(byte)) {
      shape += byte;
    } else if (shape.empty() || shape.back() != 'x') {
      shape += 'x';
    }
  }
  return shape;
}

}  // namespace

void WrittenLines::add(std::string_view text) {
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos;) {
    begun_ += text.substr(0, end);
    text.remove_prefix(end + 1);
    if (const std::string_view line = solidPart(begun_); !line.empty()) {
      lines_.push_back({std::string(line), shapeOf(line)});
      if (lines_.size() > kKept) lines_.pop_front();
    }
    begun_.clear();
  }
  begun_ += text;
}

bool WrittenLines::isInLine() const { return !solidPart(begun_).empty(); }

bool WrittenLines::wouldRepeat(std::string_view rest) const {
  const std::string whole = begun_ + std::string(rest);
  const std::string_view line = solidPart(whole);
  if (line.find_first_not_of(kClosing) == std::string_view::npos) return false;
  const auto near =
      std::count_if(lines_.end() - static_cast<std::ptrdiff_t>(std::min(kNear, lines_.size())),
                    lines_.end(), [&](const Written& other) { return other.text == line; });
  const auto letters = std::ranges::count_if(line, isNameByte);
  if (letters == 0) return near > 1;
  if (letters < kFewLetters) {
    if (near > 1) return true;
  } else {
    const auto same = std::ranges::count(lines_, line, &Written::text);
    if (near > 0 || same > 1 || (same == 1 && line.size() >= kLong)) return true;
  }
  const std::string shape = shapeOf(line);
  const auto alike = [&](const Written& other) { return other.shape == shape; };
  if (lines_.size() >= kAlike && std::all_of(lines_.end() - kAlike, lines_.end(), alike))
    return true;
  return std::ranges::count_if(lines_, alike) >= std::ptrdiff_t{kAlike} && !tellsSomethingNew(line);
}

bool WrittenLines::tellsSomethingNew(std::string_view line) const {
  const auto stands = [&](std::string_view name) {
    return std::ranges::any_of(
        lines_, [&](const Written& other) { return other.text.find(name) != std::string::npos; });
  };
  bool isNew = false;
  forNames(line, [&](std::string_view name) {
    isNew = isNew || (name.size() >= kWord && !stands(name));
  });
  return isNew;
}

}  // namespace waferpair::inference
