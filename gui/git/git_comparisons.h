// SPDX-License-Identifier: GPL-3.0-or-later
// The text in front beside what git has of it: in the index, the last commit, or any other. UI
// thread only.
#pragma once

#include <QObject>

#include "gui/git/git_parts.h"
#include "workbench/git/git_jobs.h"

namespace waferpair::gui {

class Document;
class FileActions;

class GitComparisons : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  GitComparisons(const GitParts& parts, FileActions* actions, workbench::GitJobs* jobs,
                 QObject* parent = nullptr);

  void withIndex();
  void withHead();
  // Asks for one: of those that changed the file, or as the user names it.
  void withCommit();
  // As it was in a commit, which may be named in any way that git knows.
  void with(Document* document, const QString& revision, const QString& title);

 private:
  GitParts p_;
  FileActions* actions_;
  workbench::GitJobs* jobs_;
};

}  // namespace waferpair::gui
