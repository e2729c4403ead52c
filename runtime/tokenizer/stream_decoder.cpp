// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/utf8.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::tokenizer {
namespace {

constexpr const char* kReplacementText = "\xef\xbf\xbd";

}  // namespace

std::string StreamDecoder::push(std::int32_t id) {
  held_ += tokenizer_->bytes(id);
  std::string shown;
  std::size_t at = 0;
  while (at < held_.size()) {
    const std::string_view rest = std::string_view(held_).substr(at);
    const base::Utf8 next = base::decodeUtf8(rest);
    if (next.kind == base::Utf8::kTruncated) break;  // the rest may come with the next token
    if (next.kind == base::Utf8::kCharacter) {
      shown += rest.substr(0, next.length);
    } else {
      shown += kReplacementText;
    }
    at += next.length;
  }
  held_.erase(0, at);
  return shown;
}

std::string StreamDecoder::finish() {
  const bool incomplete = !held_.empty();
  held_.clear();
  return incomplete ? kReplacementText : "";
}

}  // namespace waferpair::tokenizer
