// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/replaced_lines.h"

#include <algorithm>
#include <cassert>

#include "runtime/inference/engine/line_text.h"

namespace waferpair::inference {
namespace {

std::size_t lineBegin(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t lineEnd(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = lineEnd(text, at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

void ReplacedLines::edited(std::string_view text, const DocumentEdit& edit) {
  assert(edit.start <= edit.end && edit.end <= text.size());
  const std::size_t begin = lineBegin(text, edit.start), end = lineEnd(text, edit.end);
  if (end - begin > kMostBytes || edit.text.size() > kMostBytes) {
    known_ = false;
    return;
  }
  if (!known_ || edit.start > end_ || edit.end < begin_) {
    known_ = true;
    begin_ = begin;
    end_ = end;
    before_ = text.substr(begin, end - begin);
  } else {
    if (begin < begin_) before_.insert(0, text.substr(begin, begin_ - begin));
    if (end > end_) before_ += text.substr(end_, end - end_);
    begin_ = std::min(begin, begin_);
    end_ = std::max(end, end_);
  }
  end_ += edit.text.size() - (edit.end - edit.start);
  known_ = before_.size() <= kMostBytes;
}

std::vector<std::string> ReplacedLines::gone(std::string_view text) const {
  std::vector<std::string> runs;
  if (!known_) return runs;
  assert(begin_ <= end_ && end_ <= text.size());
  const std::vector<std::string_view> now = linesOf(text.substr(begin_, end_ - begin_));
  bool together = false;
  for (const std::string_view line : linesOf(before_)) {
    const std::string_view words = solidPart(line);
    const bool stands = words.empty() || std::ranges::any_of(now, [&](std::string_view other) {
                          return solidPart(other).starts_with(words);
                        });
    if (!stands) {
      if (!together) runs.emplace_back();
      runs.back().append(line) += '\n';
    }
    together = !stands;
  }
  return runs;
}

}  // namespace waferpair::inference
