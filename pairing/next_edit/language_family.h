// SPDX-License-Identifier: GPL-3.0-or-later
// The facts about a language that tell its code, strings and comments apart, and show which
// lines belong to one function. One row a family.
#pragma once

#include <QStringList>
#include <span>

namespace waferpair::pairing {

struct LanguageFamily {
  std::span<const char* const> lineComments;
  const char* blockOpen;  // empty: the language has no block comments
  const char* blockClose;
  const char* quotes;     // each begins a string that ends at the same character or at the line end
  const char* rawQuotes;  // likewise, but such a string goes on over line ends: `...`
  bool tripleQuotes;      // """...""" and '''...''' go on over line ends
  bool lifetimes;         // 'a is no string (Rust)
  bool indented;          // scopes are told by indentation, not by braces
  bool dollars;           // names may hold $
  bool pairs;             // brackets in its code come in pairs
  bool shell = false;     // functions are "name() {", as shells have them
};

// By the name that the editor has for it ("C++", "Python", ...); plain words for any other.
const LanguageFamily& languageFamily(const QString& language);
// By the suffix of a file's name.
const LanguageFamily& familyOfFile(const QString& path);

// The suffixes of files that are searched together with one of this suffix: "h" and "cpp", "js" and
// "tsx"; of any other, itself alone.
QStringList suffixesLike(const QString& suffix);

}  // namespace waferpair::pairing
