// SPDX-License-Identifier: GPL-3.0-or-later
// Puts code that an answer has in a fence into a text: as all of it where it is all of it, else by
// what it defines. A definition takes the place of the one of the same name and kind, indented as
// that is; imports that are missing go to the others; lines that stand for what is left out become
// that. Code that could mean another place, or would lose what it does not name, is refused.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <optional>

#include "editor/text/result.h"
#include "pairing/next_edit/language_family.h"

namespace waferpair::pairing {

struct FencedCode {
  QByteArray code;      // each line ends with LF
  QByteArray language;  // as the fence names it; may be empty
  QByteArray lead;      // the line of prose before it
};

// What the code is for.
struct CodeTarget {
  QString path;  // tells the language
  // The lines that an instruction is about: [first, end); none where it is about the text.
  std::optional<std::pair<qint64, qint64>> lines;
  QString instruction;
};

struct PutCode {
  enum class Outcome {
    kPut,
    kUnchanged,  // it stands there as it is
    kForeign,    // it is of something else: a command, an output, an example
    kUnclear,
  };
  Outcome outcome = Outcome::kUnclear;
  QByteArray text;         // the whole text with the code in it; kPut
  QStringList replaced;    // the names of definitions that took another's place
  editor::Error why;       // kForeign, kUnclear
  bool isImports = false;  // nothing but imports came
};

PutCode putCode(const QByteArray& text, const FencedCode& code, const CodeTarget& target);

}  // namespace waferpair::pairing
