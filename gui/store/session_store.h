// SPDX-License-Identifier: GPL-3.0-or-later
// The files and folders that were open: one JSON file per folder, and one with the recent folders.
// A damaged file costs its content, never the start of the program. Files are a few kB. UI thread
// only, but for save() and saveLayout(), which any one thread at a time may call.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include "gui/store/session_panes.h"

namespace waferpair::gui {

struct SessionFile {
  QString path;
  int line = 0;            // of the cursor, from 0
  int column = 0;          // from 0, in characters
  int firstLine = 0;       // topmost visible
  QList<int> folded = {};  // first lines of what is folded

  bool operator==(const SessionFile&) const = default;
};

struct Session {
  QString folder;  // empty: files opened without a folder
  QList<SessionFile> files;
  int active = -1;                           // index into files
  QMap<QString, QList<int>> bookmarks = {};  // lines, from 0, by the path of their file
  SessionPane panes = {};                    // without parts: all files are in one pane
  QMap<QString, QJsonObject> tools = {};     // what tools keep, by their names
  QStringList others = {};                   // folders that were added to the first, in order

  bool operator==(const Session&) const = default;
};

// The window's place on screen and its docks, common to all folders: QWidget::saveGeometry and
// QMainWindow::saveState.
struct WindowLayout {
  QByteArray geometry;
  QByteArray state;
};

class SessionStore {
 public:
  // `directory` is made when first written to. The first window (0) and the others, each with a
  // number of its own, keep their places, last folders, and files without a folder apart.
  explicit SessionStore(const QString& directory, int window = 0);
  const QString& directory() const { return directory_; }

  // Each reads its file; when it is damaged the result is empty and `problem` says so.
  Session load(const QString& folder, QString* problem) const;
  WindowLayout loadLayout(QString* problem) const;
  // Most recent first, with those that are gone: they may come back, as a disk does. The first is
  // where the last run ended.
  QStringList recentFolders(QString* problem = nullptr) const;

  // Each returns an empty string, or what went wrong.
  QString save(const Session& session) const;
  QString saveLayout(const WindowLayout& layout) const;
  QString remember(const QString& folder) const;
  QString forget(const QString& folder) const;
  QString forgetRecent() const;

  // The last folder to reopen on a start without arguments; empty when the last run ended with
  // none.
  QString lastFolder() const;
  QString setLastFolder(const QString& folder) const;

  // The numbers of the windows that were open; none: nothing is known.
  QList<int> openWindows() const;
  QString setOpenWindows(const QList<int>& windows) const;

 private:
  QString sessionFile(const QString& folder) const;
  // The name, with the window's number in it for all but the first.
  QString numbered(const QString& name) const;

  QString directory_;
  int window_ = 0;
};

}  // namespace waferpair::gui
