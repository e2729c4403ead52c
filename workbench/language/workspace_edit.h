// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of several files that a server answers with (LSP 3.17, WorkspaceEdit). Pure functions.
#pragma once

#include <QJsonValue>
#include <optional>

#include "workbench/language/text_edits.h"

namespace waferpair::workbench {

struct FileEdits {
  QString path;                   // absolute
  std::optional<qint64> version;  // of the open text that they are for; none: the server names none
  QJsonValue edits;               // as withEdits() reads them
};

inline constexpr qsizetype kMostEditedFiles = 2000;

// In the order of the answer, each file once; null is none. Fails, where all of it is to be
// refused: it would make, rename or remove files, names what is no file of this computer or a file
// twice, is malformed, or has more than kMostEditedFiles or kMostTextEdits.
editor::Result<QVector<FileEdits>> readWorkspaceEdit(const QJsonValue& edit);

}  // namespace waferpair::workbench
