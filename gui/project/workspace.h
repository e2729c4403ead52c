// SPDX-License-Identifier: GPL-3.0-or-later
// The folders that are open, and the memory of them: which files, where the carets were, which
// folders before. It is written down by SessionKeeper. Which folder a file belongs to is said here,
// and nowhere else. UI thread only.
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>
#include <vector>

#include "gui/store/session_store.h"
#include "runtime/exclusions/open_folders.h"

namespace waferpair::gui {

class Attention;
class Document;
class EditorTabs;

class Workspace : public QObject {
  Q_OBJECT
 public:
  // State is kept below `stateDirectory`, some of it apart for each window's number. `tabs` outlive
  // this.
  Workspace(EditorTabs* tabs, const QString& stateDirectory, QObject* parent = nullptr,
            int window = 0);

  // More are not added: each has its files listed and watched.
  static constexpr qsizetype kMostFolders = 20;

  // The first folder; empty: none is open. What a window has once (its session, settings, questions
  // to models, tests, what is debugged) is of this one.
  const QString& folder() const { return folder_; }
  // All, in their order; the first one is folder(). One may be gone from the disk by now.
  const QStringList& folders() const { return folders_; }
  // The folder that a path is, or lies in; empty: none of them.
  QString folderOf(const QString& path) const;
  // Of the text in front; while that is in none of them, the one before it. Empty: none is open.
  const QString& frontFolder() const { return front_; }
  // For the title.
  QString name() const;
  // Latest first; some may be gone.
  QStringList recentFolders() const { return recent_; }
  SessionStore* store() { return &store_; }

  // Returns whether it is a folder one may read; problem() says so if not.
  bool mayOpen(const QString& folder);
  // Opens the files of its last session, and the folders that were added to it, unless `restores`
  // is false. The tabs must be closed, or belong to it. False as mayOpen().
  bool open(const QString& folder, bool restores = true);
  // Behind the others. Returns what speaks against it, a sentence; empty: it was added, and is
  // remembered with the first one. Nothing that is said of trust changes.
  QString add(const QString& folder);
  // Takes it out of the window; files and texts stay as they are. There are others.
  void remove(const QString& folder);
  void closeFolder();
  // Opens the files of this folder's last session; of those opened without a folder when there is
  // none. All of them come once the large ones are read, which the window does not wait for.
  void restoreSession();
  // Large files of it are being read: not all of it is open.
  bool isRestoring() const { return isRestoring_; }
  // Calls it when all of the session is open; now, where it is.
  void whenRestored(const std::function<void()>& call);
  // Returns what is open now.
  Session session() const;
  // What a tool keeps of its own for this folder.
  QJsonObject kept(const QString& tool) const { return tools_.value(tool); }
  void keep(const QString& tool, const QJsonObject& what);
  // Forget one of them, or all.
  void forgetRecent(const QString& folder);
  void forgetRecent();

 Q_SIGNALS:
  // The first one is another.
  void folderChanged(const QString& folder);
  // One came or went; after folderChanged(), where that is sent.
  void foldersChanged(const QStringList& folders);
  void frontFolderChanged(const QString& folder);
  void recentChanged();
  // Tools may take what they have kept.
  void sessionRestored();
  void keptChanged();
  void problem(const QString& text);

 private:
  void report(const QString& text);
  void setFolders(const QStringList& folders);
  QStringList withOthers(const QString& first, const QStringList& others) const;
  void lookAtFront();
  void restore(const Session& session, const QString& wrong);
  void reopen(const Session& session, const Attention& attention);
  void endRestoring();

  EditorTabs* tabs_;
  SessionStore store_;
  QString folder_;
  QStringList folders_;
  QString front_;
  exclusions::OpenFolders gated_;
  QStringList recent_;
  QMap<QString, QJsonObject> tools_;
  int sessions_ = 0;  // that were restored, or began to be
  bool isRestoring_ = false;
  std::vector<std::function<void()>> whenRestored_;
};

}  // namespace waferpair::gui
