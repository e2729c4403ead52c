// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/incremental_encoder.h"

#include <algorithm>

namespace waferpair::tokenizer {
namespace {

constexpr std::size_t kPiece = 64;  // bytes, at least

std::size_t pieceEnd(const Tokenizer& tokenizer, std::string_view text, std::size_t from) {
  for (std::size_t at = from + kPiece; at < text.size(); ++at)
    if (tokenizer.isCut(text, at)) return at;
  return text.size();
}

}  // namespace

const std::vector<std::int32_t>& IncrementalEncoder::encode(std::string_view text) {
  const auto same = static_cast<std::size_t>(
      std::mismatch(text_.begin(), text_.end(), text.begin(), text.end()).first - text_.begin());
  if (same == text.size() && same == text_.size()) return ids_;
  // A piece ends there because of the byte behind it too.
  while (!pieces_.empty() && pieces_.back().end >= same) pieces_.pop_back();
  text_.replace(same, std::string::npos, text.substr(same));
  ids_.resize(pieces_.empty() ? 0 : pieces_.back().ids);
  for (std::size_t from = pieces_.empty() ? 0 : pieces_.back().end; from < text.size();) {
    const std::size_t end = pieceEnd(*tokenizer_, text, from);
    tokenizer_->encode(text.substr(from, end - from), SpecialText::kPlain, ids_,
                       from == 0 ? start_ : TextStart::kContinues);
    if (end < text.size()) pieces_.push_back({end, ids_.size()});
    from = end;
  }
  return ids_;
}

}  // namespace waferpair::tokenizer
