// SPDX-License-Identifier: GPL-3.0-or-later
// Commits that the user chooses to have reviewed: those of the branch, one, or a range, named or
// picked from lists, and resolved to their whole names before anything is done with them. UI thread
// only.
#pragma once

#include <QObject>

#include "gui/git/file_actions.h"
#include "gui/git/review_memory.h"
#include "pairing/review/reviewed_commits.h"
#include "workbench/git/commit_range.h"

namespace waferpair::gui {

class ReviewChoices : public QObject {
  Q_OBJECT
 public:
  static constexpr int kMostListed = 500;  // commits to choose from

  // All outlive this.
  ReviewChoices(const GitParts& parts, FileActions* actions, workbench::GitWatch* watch,
                workbench::GitJobs* jobs, QObject* parent = nullptr);

  // Lists branches and tags to compare the current branch with, the likely one first.
  void chooseBranch();
  // Lists the newest commits.
  void chooseCommit();
  // Asks for two, as git writes a range.
  void chooseRange();
  // This commit, in hex.
  void review(const QString& commit);

 Q_SIGNALS:
  void wanted(const pairing::ReviewedCommits& commits);

 private:
  using Find = std::function<editor::Result<workbench::CommitRange>()>;
  using Describe = std::function<pairing::ReviewedCommits(const workbench::CommitRange& range)>;

  // Finds the commits on the jobs' thread, and hands them on as they are described.
  void want(Find find, Describe describe);
  // `then` with the work folder, once there is a commit.
  void withCommits(const std::function<void(const QString& folder)>& then);
  void since(const QString& folder, const workbench::GitRef& base);

  GitParts p_;
  FileActions* actions_;
  workbench::GitWatch* watch_;
  workbench::GitJobs* jobs_;
  ReviewMemory memory_;
};

}  // namespace waferpair::gui
