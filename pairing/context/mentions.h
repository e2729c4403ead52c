// SPDX-License-Identifier: GPL-3.0-or-later
// The things that a question points at with "@": "@src/main.cpp" a file, "@src/" a folder,
// "@parseLine" a symbol, "@selection", "@open", "@diff", "@diagnostics" and "@terminal" what is at
// hand. Names with blanks stand in quotes.
#pragma once

#include <QString>
#include <QStringView>
#include <QVector>
#include <optional>

namespace waferpair::pairing {

struct Mention {
  enum class Kind { kName, kSelection, kOpenFiles, kDiff, kDiagnostics, kTerminal };
  Kind kind = Kind::kName;
  QString name;         // of a file, folder or symbol
  qsizetype start = 0;  // of the "@" in the text, and how long all of it is
  qsizetype length = 0;

  bool operator==(const Mention&) const = default;
};

// In order. An "@" within a word ("me@example.com") begins none.
QVector<Mention> mentionsIn(QStringView text);

// Returns whether more than one file is meant: two names, a folder, the open files, the git diff,
// the diagnostics.
bool mentionsSeveralFiles(QStringView text);

// The mention that is being typed: what stands between the "@" and the caret.
struct MentionStart {
  qsizetype start = 0;  // of the "@"
  QString typed;
};
std::optional<MentionStart> mentionAt(QStringView text, qsizetype caret);

// "@src/main.cpp", "@\"a file.txt\"".
QString mentionOf(const QString& name);

inline constexpr char kSelectionMention[] = "selection";
inline constexpr char kOpenFilesMention[] = "open";
inline constexpr char kDiffMention[] = "diff";
inline constexpr char kDiagnosticsMention[] = "diagnostics";
inline constexpr char kTerminalMention[] = "terminal";

}  // namespace waferpair::pairing
