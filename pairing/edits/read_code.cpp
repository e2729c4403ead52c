// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/read_code.h"

namespace waferpair::pairing {

ReadCode::ReadCode(const QByteArray& code, const LanguageFamily& family) : text(code, family) {
  for (const Token& token : text.tokens()) {
    if (token.region != Region::kCode) continue;
    words.append(text.view(token).toByteArray());
    ++counts[words.last()];
  }
}

}  // namespace waferpair::pairing
