// SPDX-License-Identifier: GPL-3.0-or-later
// What the user does with files and commits of the project's repository, by the user's own git:
// each is a job, whose end is told in the notices where it went wrong. UI thread only.
#pragma once

#include <QObject>
#include <functional>

#include "gui/git/git_parts.h"
#include "workbench/git/git_actions.h"
#include "workbench/git/git_watch.h"

namespace waferpair::gui {

class FileActions : public QObject {
  Q_OBJECT
 public:
  using Done = std::function<void(bool isDone)>;

  // All outlive this.
  FileActions(const GitParts& parts, workbench::GitWatch* watch, workbench::GitJobs* jobs,
              QObject* parent = nullptr);

  // Paths are below the repository's work folder.
  void stage(const QStringList& paths);
  void unstage(const QStringList& paths);
  // What they were is kept, and a notice offers to put it back.
  void discard(const QVector<workbench::GitChange>& changes);
  // Lists what was discarded before, to be put back.
  void chooseDiscarded();
  void commit(const workbench::CommitWish& wish, const Done& done);

  void fetch();
  void pull();
  // A branch without an upstream gets one of its name; of several remotes the user chooses.
  void push();

  // Runs a job on the repository and tells what went wrong, with the state read anew at its end.
  void run(const QString& title, const workbench::GitJobs::Work& work, const Done& done = {});
  // The same as one call of git.
  void call(const QString& title, const QStringList& arguments, const Done& done = {});
  // Whether git may change the repository with this work folder; else a notice says why not and
  // offers to trust it, which calls `again`.
  bool mayWrite(const QString& at, const std::function<void()>& again);
  // Calls `then` once no open text has unsaved changes; asks about those that have.
  void whenSaved(const std::function<void()>& then);
  // Of the repository of the text in front; empty: there is none, which is told.
  QString folder();
  // What is to happen once the user has answered, in the repository that is in front now: where
  // another one is by then, nothing happens, and that is told.
  std::function<void()> inThisOne(const std::function<void()>& then);
  void say(const QString& text);

 private:
  void restore(const QString& name);
  void pushTo(const QString& remote);

  GitParts p_;
  workbench::GitWatch* watch_;
  workbench::GitJobs* jobs_;
};

}  // namespace waferpair::gui
