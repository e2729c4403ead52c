// SPDX-License-Identifier: GPL-3.0-or-later
// A commit's message as a model drafts it from what would be committed, where the user has set up
// one that follows instructions. What the gate holds back (secrets, ignored files) does not go
// along. UI thread only.
#pragma once

#include <QObject>
#include <memory>

#include "gui/git/git_parts.h"
#include "workbench/git/git_jobs.h"

namespace waferpair::pairing {
class ModelReply;
class ModelRoster;
}  // namespace waferpair::pairing

namespace waferpair::gui {

class ChangesPanel;
class FileActions;

class CommitDraft : public QObject {
  Q_OBJECT
 public:
  // Of so many bytes of changes, the most that are sent of one file, and of all.
  static constexpr qsizetype kMostOfFile = 8 << 10;
  static constexpr qsizetype kMostOfAll = 40 << 10;

  // All outlive this.
  CommitDraft(ChangesPanel* panel, FileActions* actions, workbench::GitJobs* jobs,
              pairing::ModelRoster* roster, QObject* parent = nullptr);
  ~CommitDraft() override;

  // Drafts into the panel's message, which is empty or the last draft as it came; one that is on
  // its way is stopped.
  void draft();
  bool isDrafting() const { return reply_ != nullptr; }

 private:
  void ask(const QByteArray& changes);
  void take();
  void showWaiting();
  void end();

  ChangesPanel* panel_;
  FileActions* actions_;
  workbench::GitJobs* jobs_;
  pairing::ModelRoster* roster_;
  std::unique_ptr<pairing::ModelReply> reply_;
  QString last_;
  bool keepsForms_ = false;  // what was asked is held to its form
};

}  // namespace waferpair::gui
