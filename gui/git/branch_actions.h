// SPDX-License-Identifier: GPL-3.0-or-later
// What the user does with branches, tags and stashes: chosen from lists, done by the user's own
// git. Nothing that is not saved, committed or merged is lost by it: git refuses, and then it can
// be stashed; what is deleted can be put back from the notice that tells of it. UI thread only.
#pragma once

#include <QObject>
#include <functional>

#include "gui/git/file_actions.h"
#include "workbench/git/refs.h"

namespace waferpair::gui {

class BranchActions : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  BranchActions(const GitParts& parts, FileActions* actions, workbench::GitJobs* jobs,
                QObject* parent = nullptr);

  // Lists what can be switched to: branches, those of remotes, tags.
  void choose();
  void create();
  // From this commit; empty: from HEAD.
  void createAt(const QString& commit);
  void rename();
  void remove();
  void merge();
  void rebase();

  void createTag();
  void createTagAt(const QString& commit);
  void removeTag();

  void stash();
  // Lists stashes: to be applied and dropped where that went well.
  void popStash();
  void dropStash();

 private:
  using Take = std::function<void(const QVector<workbench::GitRef>& refs)>;
  using Chosen = std::function<void(const workbench::GitRef& ref)>;

  void withRefs(const Take& take);
  // Of the refs that `fits`; `none` is said where there are none.
  void pick(const QString& name, const QString& prompt, const QString& none,
            const std::function<bool(const workbench::GitRef&)>& fits, const Chosen& chosen);
  void pickStash(const QString& name, const QString& prompt,
                 const std::function<void(const workbench::GitStash&)>& chosen);
  void drop(const workbench::GitStash& stash);
  void switchTo(const workbench::GitRef& ref);
  void checkOut(const QStringList& arguments, const QString& name);
  void ask(const QString& title, const QString& text,
           const std::function<void(const QString& name)>& accepted);

  GitParts p_;
  FileActions* actions_;
  workbench::GitJobs* jobs_;
};

}  // namespace waferpair::gui
