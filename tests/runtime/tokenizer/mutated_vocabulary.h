// SPDX-License-Identifier: GPL-3.0-or-later
// Checks both kinds of vocabulary when the file that holds them is damaged.
#pragma once

#include <QtTest>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/gguf/file.h"
#include "runtime/tokenizer/tokenizer.h"
#include "tests/support/mutate.h"

namespace waferpair::tokenizer {

// Damages `sound` with each seed below `seeds`: it is refused with a reason, or encodes `text` to
// ids that it has. Both must have happened often.
inline void mutationsDoNoHarm(const std::vector<std::byte>& sound, std::uint32_t seeds,
                              std::string_view text) {
  int usable = 0, refused = 0;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const auto bytes = test::mutate(sound, seed);
    const auto file = gguf::File::parse(bytes, "mutated.gguf");
    if (!file) continue;
    const auto tokenizer = Tokenizer::fromGguf(*file);
    if (!tokenizer) {
      ++refused;
      QVERIFY(!tokenizer.error().what.empty());
      continue;
    }
    ++usable;
    for (const std::int32_t id : tokenizer->encode(text, SpecialText::kParse)) {
      QVERIFY(id >= 0 && id < tokenizer->vocabSize());
    }
  }
  QVERIFY2(usable > 100 && refused > 20, qPrintable(QString("%1 %2").arg(usable).arg(refused)));
}

}  // namespace waferpair::tokenizer
