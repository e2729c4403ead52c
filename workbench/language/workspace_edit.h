// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of several files that a server answers with (LSP 3.17, WorkspaceEdit). Pure functions.
#pragma once

#include <QJsonValue>
#include <optional>

#include "workbench/language/text_edits.h"

namespace waferpair::workbench {

struct FileEdits {
  QString path;                   // absolute; as it was called before any rename
  std::optional<qint64> version;  // of the open text that they are for; none: the server names none
  // Each as withEdits() reads them, and of the text behind the one before it.
  QVector<QJsonValue> lists;
  bool isNew = false;     // the file is to be made first
  bool mayExist = false;  // it may be there already
};

// A file or folder that gets another name. Both absolute.
struct FileMove {
  QString from;
  QString to;
  bool mayExist = false;  // where there is something at `to` already nothing is to be done

  bool operator==(const FileMove&) const = default;
};

struct WorkspaceEdit {
  QVector<FileEdits> files;
  QVector<FileMove> moves;  // in order, once the edits are made

  bool isEmpty() const { return files.isEmpty() && moves.isEmpty(); }
};

inline constexpr qsizetype kMostEditedFiles = 2000;

// In the order of the answer, each file once; null is none. Fails, where all of it is to be
// refused: it would remove or overwrite files, names what is no file of this computer, a file in
// two versions or in two ways, changes what it has given another name by the old one, is malformed,
// or has more than kMostEditedFiles or kMostTextEdits.
editor::Result<WorkspaceEdit> readWorkspaceEdit(const QJsonValue& edit);

struct EditedText {
  editor::Snapshot text;
  // Servers also mean several lists for one file to be of the text before all of them: here that
  // would be another text, so a person has to look.
  bool isDoubtful = false;
};
// `text` behind all of them; fails as withEdits() does.
editor::Result<EditedText> withFileEdits(const editor::Snapshot& text, const FileEdits& edits,
                                         ColumnUnit unit);

}  // namespace waferpair::workbench
