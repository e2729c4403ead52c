// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the open texts, as they are in their editors, with what git has of them, and marks the
// changes in the margin, in second views too, and beside the scroll bar. Renewed as one types and
// when the repository changes; a thread reads and compares. UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <QQueue>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <memory>

#include "workbench/git/git_file.h"
#include "workbench/git/git_hunks.h"

namespace waferpair::gui {

class Document;
class EditorTabs;

// A text and what it was compared with.
struct ComparedWithGit {
  qint64 version = 0;  // of the document's buffer
  editor::Encoding encoding = editor::Encoding::kUtf8;
  editor::Snapshot text;
  editor::Snapshot clean;  // the text as git would store it
  workbench::GitFile file;
  QVector<workbench::GitHunk> hunks;  // empty where the file is not tracked
  editor::Error problem;              // why git's version could not be read
};

class ChangeBars : public QObject {
  Q_OBJECT
 public:
  // `tabs` outlives this.
  explicit ChangeBars(EditorTabs* tabs, QObject* parent = nullptr);
  // Waits for the thread.
  ~ChangeBars() override;

  // As it was compared last; null: not yet.
  std::shared_ptr<const ComparedWithGit> last(const Document* document) const;
  // Calls `then` once the text as it is now has been compared with what git has now; edits made
  // meanwhile are waited for, too. Not called where the document is closed first.
  using Then = std::function<void(const ComparedWithGit& compared)>;
  void whenCompared(Document* document, Then then);
  // The repository may be another: all texts are compared anew.
  void refresh();

 Q_SIGNALS:
  void compared(waferpair::gui::Document* document);

 private:
  struct Watched {
    std::shared_ptr<const ComparedWithGit> last;
    QTimer* soon = nullptr;  // until it is compared again
    bool isRunning = false;
    bool again = false;  // what runs is not up to date any more
    QVector<Then> then;
  };

  void watch(Document* document);
  void compareSoon(Document* document);
  void compare(Document* document);
  void take(Document* document, const std::shared_ptr<const ComparedWithGit>& compared,
            qint64 tookMs);
  void show(Document* document, const ComparedWithGit& compared);

  EditorTabs* tabs_;
  QHash<const Document*, Watched> watched_;
  workbench::GitFileReader reader_;  // the thread's
  QThreadPool thread_{this};
};

}  // namespace waferpair::gui
