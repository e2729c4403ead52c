// SPDX-License-Identifier: GPL-3.0-or-later
// A project's files as tools get at them: only what lies below its folder, wherever links lead,
// nothing that is kept from models, open texts as they are in the window. Reads the disk; one
// thread.
#pragma once

#include <QHash>

#include "pairing/changes/project_texts.h"
#include "pairing/tools/project_tools.h"
#include "runtime/exclusions/exclusions.h"

namespace waferpair::pairing {

class ToolFiles {
 public:
  // `project` outlives this.
  explicit ToolFiles(const ToolProject& project);

  struct Text {
    QString path;  // relative to the project
    editor::Snapshot text;
  };
  // A text file, in whatever encoding. Fails in words for the model, which tell nothing of what
  // may not be seen.
  editor::Result<Text> read(const QString& path);
  // The bytes of a listed file for a search: empty where it is kept from models (by its name: what
  // it holds is for holdsSecret()), larger than `most`, or no text in UTF-8.
  QByteArray listed(const QString& relative, qint64 most);
  // Whether a model may be told its name.
  bool isShown(const QString& relative);
  // Whether no link on the way leads elsewhere.
  bool isInside(const QString& relative) const;

  // The listed files below this folder of the project ("": all of it); nothing: there is no such
  // folder. One file's own path is a list of one.
  std::optional<QStringList> below(const QString& folder) const;

 private:
  const ToolProject& project_;
  QHash<QString, const editor::Snapshot*> open_;  // by absolute path
  exclusions::Exclusions gate_;
};

bool holdsSecret(const QByteArray& utf8);

}  // namespace waferpair::pairing
