// SPDX-License-Identifier: GPL-3.0-or-later
// From the mentions in a question to what goes along with it: read, judged by the gate, and cut to
// what there is room for. Reads the disk, so it is for a thread of its own; values in, values out.
#pragma once

#include <QSet>
#include <QString>
#include <QVector>
#include <memory>
#include <optional>

#include "pairing/context/context_item.h"
#include "pairing/retrieval/project_passages.h"

namespace waferpair::pairing {

// The selection in the text in front.
struct SelectedText {
  QString path;  // absolute; empty: the text has no file
  QString title;
  int firstLine = 1;  // from 1
  int lastLine = 1;
  QString text;
};

// What a language server or a compiler found wrong.
struct ReportedProblem {
  QString path;  // absolute
  int line = 1;  // from 1
  QString text;  // "error: expected ';'"
};

// What a command printed in a terminal, or what of it is selected.
struct TerminalText {
  QString command;  // as it was typed; empty: it is not known
  QString folder;   // where it was run, absolute
  bool isSelection = false;
  QString text;
  QString around;  // what `text` is a part of: a secret in it holds all of it back
};

// The text in front, as far as it may go along unasked.
struct FrontText {
  QString path;  // absolute; empty: the text has no file
  QString title;
  QString language;  // by name; empty: plain text
  editor::Snapshot text;
  qint64 caret = 0;  // bytes
  // The lines that belong to the caret, from 0: its function, or all. `endLine` is past the last.
  qint64 firstLine = 0;
  qint64 endLine = 1;
};

// What goes along unasked (unasked_context.h).
struct UnaskedWish {
  qint64 budget = 0;  // estimated tokens; 0: nothing does
  std::optional<FrontText> front = {};
  QString ownRules = {};      // the user's own file of rules, absolute; there may be none
  QSet<QString> struck = {};  // names of items that do not
  // For an edit, whose request has the text itself: rules, definitions and what is wrong there.
  bool isOfEdit = false;
};

// Another folder of the window: what of it is mentioned goes along, and nothing else.
struct OtherFolder {
  QString label;      // with which its paths begin, as the user and the model know them
  QString root;       // absolute, without a trailing slash
  QStringList files;  // relative to it
};

struct ContextRequest {
  QString root;       // of the open folder, absolute, without a trailing slash; empty: none
  QStringList files;  // relative to it
  QString question;   // with its mentions
  QVector<OpenText> open;
  std::optional<SelectedText> selection;
  QVector<ReportedProblem> problems;                // those of a file one after another
  std::shared_ptr<const ProjectPassages> passages;  // for symbols; may be null
  QVector<ContextItem> known;  // what the model is going to be given of earlier messages
  qint64 budget = 0;           // estimated tokens, for all items together
  std::optional<TerminalText> terminal = {};
  UnaskedWish unasked = {};
  QVector<OtherFolder> others = {};
};

// Why a text with this path (empty: none) may not go to a model; empty: it may.
QString heldBack(const QString& root, const QString& path, QByteArrayView utf8);

// The paths of those items that may no longer go to a model.
QSet<QString> heldBackAmong(const QString& root, const QVector<ContextItem>& items);
bool isAnyOf(const QVector<ContextItem>& items, const QSet<QString>& paths);

// What goes along unasked, and then in the order of the mentions, each thing once. A text that is
// open is taken as it is in the window.
QVector<ContextItem> gatherContext(const ContextRequest& request);

}  // namespace waferpair::pairing
