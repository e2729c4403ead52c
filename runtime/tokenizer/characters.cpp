// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/characters.h"

#include <unicode/uchar.h>

#include <array>

#include "runtime/base/utf8.h"

namespace waferpair::tokenizer {
namespace {

std::uint8_t classify(char32_t character) {
  struct Class {
    std::uint32_t categories;
    std::uint8_t flag;
  };
  static constexpr Class kClasses[] = {
      {U_GC_LU_MASK | U_GC_LT_MASK, kCapital},
      {U_GC_LL_MASK, kSmall},
      {U_GC_LM_MASK | U_GC_LO_MASK, kOtherLetter},
      {U_GC_M_MASK, kMark},
      {U_GC_N_MASK, kNumber},
      {U_GC_P_MASK, kPunctuation},
      {U_GC_S_MASK, kSymbol},
  };
  const auto c = static_cast<UChar32>(character);
  const std::uint32_t category = U_GET_GC_MASK(c);
  std::uint8_t classes = u_isUWhiteSpace(c) ? kSpace : 0;
  for (const Class& known : kClasses) {
    if ((category & known.categories) != 0) classes |= known.flag;
  }
  return classes;
}

}  // namespace

Characters readCharacters(std::string_view text) {
  // Code is nearly all ASCII: asking ICU about each of its characters would take most of the time.
  static const auto ascii = [] {
    std::array<std::uint8_t, 128> classes{};
    for (char32_t c = 0; c < 128; ++c) classes[c] = classify(c);
    return classes;
  }();
  Characters characters;
  characters.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const base::Utf8 next = base::decodeUtf8(text.substr(at));
    at += next.length;
    const std::uint8_t classes =
        next.character < 128 ? ascii[next.character] : classify(next.character);
    characters.push_back({next.character, classes, at});
  }
  return characters;
}

}  // namespace waferpair::tokenizer
