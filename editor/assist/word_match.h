// SPDX-License-Identifier: GPL-3.0-or-later
// Tells how well a word fits the letters that are typed of it. Pure functions.
#pragma once

#include <QByteArrayView>

namespace waferpair::editor {

// From the worst to the best.
enum class WordMatch {
  kNone,
  kParts,       // the letters begin its parts: "gT" and "gt" are getText and get_text
  kIgnoreCase,  // it begins with them but for the case
  kExact,       // it begins with them
};

// Everything fits exactly where nothing is typed.
WordMatch matchWord(QByteArrayView word, QByteArrayView typed);

}  // namespace waferpair::editor
