// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of a project are noise (build outputs, caches): the .gitignore files in it, as git
// reads them, and version control's own folders. Used for listing only; what may reach the model is
// another matter (excluded_files.h). Values: copies may be used on any thread.
#pragma once

#include <QList>
#include <QString>
#include <QStringView>

namespace waferpair::gui {

// One pattern of .gitignore against a path relative to the folder of that file. `*` and `?` stop at
// '/', `**` does not. Cost is at most O(pattern x path).
bool globMatches(QStringView pattern, QStringView path);

class IgnoreRules {
 public:
  // Adds the rules of one .gitignore in `folder` (relative to the project, "" for its root, no
  // trailing slash). Add outer folders before inner ones: later rules win.
  void add(const QString& folder, const QString& text);
  // Adds `directory`/.gitignore if there is one; files over 1 MiB are left out.
  void addFile(const QString& folder, const QString& directory);

  // `path` is relative to the project's root. The folders above it are not looked at: a caller that
  // walks down does not enter an ignored folder.
  bool isIgnored(QStringView path, bool isFolder) const;

 private:
  struct Rule {
    QString folder;  // with a trailing slash, or empty
    QString pattern;
    bool anchored;  // to `folder`; else it holds for the name alone, at any depth
    bool foldersOnly;
    bool lets;  // "!": not ignored after all
  };
  QList<Rule> rules_;
};

}  // namespace waferpair::gui
