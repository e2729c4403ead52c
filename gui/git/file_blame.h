// SPDX-License-Identifier: GPL-3.0-or-later
// Beside the lines of a text, when asked: the commit that each is of, who made it and how long ago.
// It follows the text: git reads it anew a moment after an edit. A click opens the commit. UI
// thread only; a thread waits for git.
#pragma once

#include <QHash>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <memory>

#include "gui/git/git_parts.h"
#include "workbench/git/blame.h"
#include "workbench/git/git_watch.h"

namespace waferpair::gui {

class Document;
class FileActions;

// "3 days", "2 months": roughly, as a column has room for; `seconds` are from the commit to now.
QString ageText(qint64 seconds);

class FileBlame : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  FileBlame(const GitParts& parts, FileActions* actions, workbench::GitWatch* watch,
            QObject* parent = nullptr);
  // Ends git, and waits for the thread.
  ~FileBlame() override;

  // Shows it beside the text in front, or hides it.
  void toggle();
  bool isShown(const Document* document) const { return shown_.contains(document); }
  // The commit that the line was of when git was asked last, in hex; empty: none, or not known.
  QByteArray commitAt(const Document* document, int line) const;

 Q_SIGNALS:
  // In hex; and the file, absolute.
  void commitWanted(const QByteArray& commit, const QString& path);

 private:
  struct Shown {
    QVector<workbench::BlamedLine> lines;  // of the text at `version`
    qint64 version = -1;
    QTimer* soon = nullptr;
    std::shared_ptr<std::atomic<bool>> reading;  // true: cancelled; null: none is
    bool again = false;
  };

  void hide(Document* document);
  void read(Document* document);
  void show(Document* document, Shown* shown);

  GitParts p_;
  FileActions* actions_;
  QHash<const Document*, Shown> shown_;
  QThreadPool thread_{this};
};

}  // namespace waferpair::gui
