// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own snippets, of the program's configuration and of the project: LANGUAGE.json for one
// language, NAME.code-snippets for those that each snippet's scope names. Read anew when a file
// changes. UI thread only.
#pragma once

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QTimer>

#include "editor/assist/user_snippets.h"

namespace waferpair::editor {

inline constexpr qint64 kLargestSnippetFile = 1 << 20;  // bytes

class SnippetStore : public QObject {
  Q_OBJECT
 public:
  // `folder` need not be there yet. It is read when the event loop runs.
  explicit SnippetStore(const QString& folder, QObject* parent = nullptr);

  // Reads all anew. The project's snippets come before the others; empty: there is no project.
  void setProjectFolder(const QString& folder);

  // By name (see CodeEditor::language()), the project's first.
  QVector<UserSnippet> snippetsFor(const QString& language) const;
  // The file that a language's own are in, or are to be put in: it need not be there.
  QString fileFor(const QString& language) const;

 Q_SIGNALS:
  // A file is wrong, in words that name it and the line; empty: it is well by now.
  void problemChanged(const QString& file, const QString& problem);

 private:
  struct File {
    QString path;
    QString language;  // "cpp"; empty: the snippets' scopes count
    QVector<UserSnippet> snippets;
    QString problem;
  };

  void readAll();
  File read(const QString& path) const;

  QString folder_;
  QString projectFolder_;
  QVector<File> files_;
  QFileSystemWatcher watcher_;
  QTimer readSoon_{this};
};

}  // namespace waferpair::editor
