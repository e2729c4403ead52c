// SPDX-License-Identifier: GPL-3.0-or-later
// The words in a comment, a string or a paragraph that a dictionary can judge. Left out is what is
// written like code: names with capitals inside, digits or underscores, abbreviations in capitals,
// calls, paths, addresses, options, tags, and what stands between backticks. Any thread.
#pragma once

#include <QString>
#include <QStringView>
#include <QVector>

namespace waferpair::editor {

// UTF-16 offsets within the text that was looked at.
struct ProseWord {
  qsizetype start = 0;
  qsizetype length = 0;

  bool operator==(const ProseWord&) const = default;
};

// Longer ones are no words of any language that dictionaries are made for.
inline constexpr qsizetype kLongestWord = 60;

QVector<ProseWord> proseWords(QStringView text);

// The word as dictionaries have it: with a straight apostrophe.
QString dictionaryForm(QStringView word);

}  // namespace waferpair::editor
