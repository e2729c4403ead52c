// SPDX-License-Identifier: GPL-3.0-or-later
// The folder that is open, and the memory of it: which files, where the carets were, which folders
// before. It is written down by SessionKeeper. UI thread only.
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>
#include <vector>

#include "gui/store/session_store.h"

namespace waferpair::gui {

class Attention;
class EditorTabs;

class Workspace : public QObject {
  Q_OBJECT
 public:
  // State is kept below `stateDirectory`, some of it apart for each window's number. `tabs` outlive
  // this.
  Workspace(EditorTabs* tabs, const QString& stateDirectory, QObject* parent = nullptr,
            int window = 0);

  // Empty: none.
  const QString& folder() const { return folder_; }
  QString name() const;
  // Latest first; some may be gone.
  QStringList recentFolders() const { return recent_; }
  SessionStore* store() { return &store_; }

  // Returns whether it is a folder one may read; problem() says so if not.
  bool mayOpen(const QString& folder);
  // Opens the files of its last session unless `restore` is false. The tabs must be closed, or
  // belong to it. False as mayOpen().
  bool open(const QString& folder, bool restore = true);
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
  void folderChanged(const QString& folder);
  void recentChanged();
  // Tools may take what they have kept.
  void sessionRestored();
  void keptChanged();
  void problem(const QString& text);

 private:
  void report(const QString& text);
  void reopen(const Session& session, const Attention& attention);
  void endRestoring();

  EditorTabs* tabs_;
  SessionStore store_;
  QString folder_;
  QStringList recent_;
  QMap<QString, QJsonObject> tools_;
  int sessions_ = 0;  // that were restored, or began to be
  bool isRestoring_ = false;
  std::vector<std::function<void()>> whenRestored_;
};

}  // namespace waferpair::gui
