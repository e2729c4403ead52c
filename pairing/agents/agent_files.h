// SPDX-License-Identifier: GPL-3.0-or-later
// The files of the project as an agent gets at them through this program: only below the project's
// folder, whatever links there are, none that is kept from models, texts as they are in the window.
// Nothing comes through here that an agent does by itself, with the rights of the user.
#pragma once

#include <QHash>
#include <QString>
#include <functional>

#include "editor/text/result.h"
#include "pairing/changes/project_texts.h"

namespace waferpair::pairing {

class AgentFiles {
 public:
  // Longer texts are refused. Bytes.
  static constexpr qint64 kMostBytes = 8 << 20;

  // `texts` outlives this. `root`: the project's folder.
  AgentFiles(QString root, ProjectTexts* texts) : root_(std::move(root)), texts_(texts) {}

  // The state of a file when the agent was asked last; a text that it writes without having read it
  // here was made of that.
  using Before = std::function<FileText(const QString& relativePath)>;
  void beginTurn(const Before& before);

  // `exists` is false where there is no such file. Fails where the agent may not have it.
  editor::Result<FileText> read(const QString& path);
  // Merges what the agent changed with what was typed meanwhile, or is not saved; where that cannot
  // be done it fails, and nothing is lost.
  editor::Result<void> write(const QString& path, const QString& text);

 private:
  struct Place {
    QString relative;
    QString absolute;
    FileText now;
  };
  editor::Result<Place> look(const QString& path);

  QString root_;
  ProjectTexts* texts_;
  Before before_;
  QHash<QString, FileText> given_;  // what the agent was last given of a file, or wrote
};

// Lines `first` (from 1; -1: the first) and on, so many of them (-1: all).
QString linesOf(const FileText& text, qint64 first, qint64 limit);

}  // namespace waferpair::pairing
