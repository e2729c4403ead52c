// SPDX-License-Identifier: GPL-3.0-or-later
// A thing that went along with a question: a file, a part of one, a selection, a diff; or was meant
// to and did not, with the reason. Values.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>

namespace waferpair::pairing {

struct ContextItem {
  enum class Kind {
    kFile,
    kSymbol,
    kSelection,
    kDiff,
    kDiagnostics,
    kTerminal,
    // What goes along unasked:
    kRules,       // what a project or its user tells models
    kTree,        // the project's files, by name
    kOpenNames,   // of the open texts
    kFront,       // of the text in front: the caret's function, or all of it
    kDefinition,  // of a name that stands there
    kPassage,     // that has the question's words
    kProblem,     // found wrong at the caret
  };
  enum class Outcome {
    kSent,     // text is all of it
    kCut,      // text is its beginning; `why` says where it ends
    kKnown,    // an earlier message of the thread has it as it still is: not sent again
    kLeftOut,  // `why` says for what reason
    kStruck,   // by the user
  };

  Kind kind = Kind::kFile;
  Outcome outcome = Outcome::kSent;
  QString name;       // "src/a.cpp", "src/a.cpp:10-24"; for the user and the model
  QString path;       // absolute; empty: it has no file
  QString text;       // empty where nothing is sent
  QByteArray sha1;    // of the text before anything was cut from it
  qint64 tokens = 0;  // of `text`, estimated
  QString why;

  bool isUnasked() const { return kind >= Kind::kRules; }
  bool isSent() const { return outcome == Outcome::kSent || outcome == Outcome::kCut; }
  bool operator==(const ContextItem&) const = default;
};

qint64 tokensOf(const QVector<ContextItem>& items);
// Returns them as the model is given them, in Markdown; empty when there is nothing to give.
QString contextMarkdown(const QVector<ContextItem>& items);

}  // namespace waferpair::pairing
