// SPDX-License-Identifier: GPL-3.0-or-later
// What the user does with a text's changes to git's version: goes from one to the next, looks at
// how it was, stages, unstages and takes back what the caret or the selection touches. Each acts on
// the text and the index as they are at that moment, compared anew. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>

#include "gui/git/change_bars.h"
#include "gui/git/git_parts.h"

namespace waferpair::workbench {
class GitJobs;
}

namespace waferpair::gui {

class FileActions;
class HunkPeek;

class HunkActions : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  HunkActions(const GitParts& parts, ChangeBars* bars, FileActions* actions,
              workbench::GitJobs* jobs, QObject* parent = nullptr);

  // Goes to the next change (1) or the one before (-1), around the ends.
  void step(int direction);
  void peek();
  void stage();
  void unstage();
  // As one undo step.
  void revert();

 private:
  using Act = std::function<void(Document* document, const ComparedWithGit& compared)>;

  // Compares the text in front, and calls `act` if there are changes; else says why not.
  void withChanges(const Act& act);
  void writeIndex(Document* document, const ComparedWithGit& compared, bool isStaging);
  QVector<qsizetype> touched(const Document* document, const ComparedWithGit& compared,
                             bool isStaged);
  void goTo(Document* document, const ComparedWithGit& compared, qsizetype hunk);
  HunkPeek* peekOf(Document* document);
  void followCompared(Document* document);
  void say(const QString& text);

  GitParts p_;
  ChangeBars* bars_;
  FileActions* actions_;
  workbench::GitJobs* jobs_;
  QPointer<HunkPeek> peek_;  // the one that was shown last
};

}  // namespace waferpair::gui
