// SPDX-License-Identifier: GPL-3.0-or-later
// Characters that one does not see, or that change the order in which others are seen: the table of
// them, and the form in which a text that is to be judged shows them. The model is VS Code's
// "Unicode highlight"; what a script needs (joiners between letters that join and in emoji,
// variation selectors behind what has variants, tags in flags) is left alone where it needs it.
#pragma once

#include <QString>
#include <QStringView>
#include <vector>

namespace waferpair::editor {

enum class Unseen {
  kNone,
  kControl,    // C0 but for tab and line ends, C1, DEL, and separators that are no line ends here
  kDirection,  // turns text round, or stands beside text that is turned
  kInvisible,  // has neither width nor ink, or looks like nothing
  kBlank,      // looks like U+0020
};

// What the character at `at` is, where it stands. `at` is not within a pair of surrogates.
Unseen unseenAt(QStringView text, qsizetype at);

// Those that are kDirection or kInvisible wherever they stand, but for planes of tags.
const std::vector<char32_t>& alwaysUnseen();

// "U+202E".
QString codeName(char32_t character);
// "U+202E RIGHT-TO-LEFT OVERRIDE".
QString characterName(char32_t character);

// Prose has blanks of other kinds for good reasons, commands and code do not.
enum class OtherBlanks { kMarked, kKept };

// The text with "⟨U+202E⟩" in place of each such character, and "\xe9" in place of a byte of a name
// that is no UTF-8 (path_bytes.h); line ends and tabs stay.
QString shownForm(QStringView text, OtherBlanks blanks = OtherBlanks::kMarked);
// The first that shownForm() would mark; -1: it would leave the text as it is.
qsizetype firstUnseen(QStringView text, OtherBlanks blanks = OtherBlanks::kMarked);
// The text without them: other blanks become U+0020.
QString withoutUnseen(QStringView text);

// As a text is shown that somebody is asked to agree to: shownForm(), and in place of many blanks
// in a row, or of many empty lines, how many they are, so that nothing hides behind them.
QString approvalForm(QStringView text);
// The same in one line: line ends and tabs are marked, too, and of what is marked often in a row is
// written how often: "make⟨60 × U+000A⟩rm".
QString oneLineForm(QStringView text);

}  // namespace waferpair::editor
