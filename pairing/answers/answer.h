// SPDX-License-Identifier: GPL-3.0-or-later
// A model's answer, read: the changes of files that it proposes, and the prose between. Values.
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QString>
#include <QVector>
#include <variant>

namespace waferpair::pairing {

// One change of one file, as an answer has it: nothing here was compared with the file. Texts are
// UTF-8, and each line of them ends with LF whatever the answer's lines end with.
struct ProposedChange {
  enum class Kind {
    kReplace,  // oldText, which stands somewhere in the file, becomes newText
    kCode,     // newText is code of the file: all of it, or what takes the place of some of it
    kCreate,   // a file that is not there yet, or is empty, holds newText
    kDelete,   // the file goes; oldText is what the answer takes it to hold, or empty
    kRename,   // the file is at newPath from then on; what follows names it by `path`
  };

  Kind kind = Kind::kReplace;
  // The path as the answer has it: relative as a rule, but anything at all may stand here. Empty:
  // the answer names no file, and means the one that it was asked about.
  QString path;
  QString newPath;  // kRename
  QByteArray oldText;
  QByteArray newText;
  // The line, from 0, at which the answer takes oldText to begin; -1: it does not say. Where
  // oldText is empty, newText comes before this line.
  qint64 hintLine = -1;
  // Lines of the file behind which oldText stands, one within the other, as the answer names them.
  QByteArrayList under;
  // The line of the file that a hunk's head names behind its numbers: the last one before the hunk
  // that begins something.
  QByteArray heading;
  bool verbatim = false;    // oldText is a run of characters, rather than whole lines
  bool everywhere = false;  // wherever it stands
  // Of a hunk, for each line: '-', '+', ' ' or, where there was no sign, '?', which stays, too.
  QByteArray signs;
  // So many lines that begin with '-' stay, by the counts in the hunk's head.
  qint64 staying = 0;
  bool atEnd = false;  // oldText is what the file ends with
  // kCode: the language that its fence names, and the line of prose before that.
  QByteArray language;
  QByteArray lead;

  bool operator==(const ProposedChange&) const = default;
};

// The text around the changes; code that is no change is part of it.
struct Prose {
  QByteArray text;

  bool operator==(const Prose&) const = default;
};

// A part of an answer that could not be understood, and so is no change.
struct AnswerProblem {
  qint64 line = 0;          // of the answer, from 0
  QString what;             // a sentence
  bool isHarmless = false;  // nothing that was wanted is missing: a change that changes nothing

  bool operator==(const AnswerProblem&) const = default;
};

struct Answer {
  QVector<std::variant<Prose, ProposedChange>> parts;  // in the answer's order
  QVector<AnswerProblem> problems;

  QVector<ProposedChange> changes() const {
    QVector<ProposedChange> found;
    for (const auto& part : parts) {
      if (const auto* change = std::get_if<ProposedChange>(&part)) found.append(*change);
    }
    return found;
  }

  bool operator==(const Answer&) const = default;
};

}  // namespace waferpair::pairing
