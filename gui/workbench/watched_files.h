// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the language servers that want to know which files of the project were made, written or
// deleted, by whomever. Nothing is watched while none does. UI thread only.
#pragma once

#include <QThreadPool>
#include <QTimer>

#include "editor/text/folder_watch.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

class FileIndex;

class WatchedFiles : public QObject {
  Q_OBJECT
 public:
  // Both outlive this. The folders are those in which `files` knows files.
  WatchedFiles(workbench::LanguageService* service, const FileIndex* files,
               QObject* parent = nullptr);
  ~WatchedFiles() override;

 private:
  void followServers();
  void watchFolders();
  void take(const QString& path, editor::FolderWatch::Event event);
  void tell();

  workbench::LanguageService* service_;
  const FileIndex* files_;
  editor::FolderWatch watch_;
  QThreadPool pool_{this};
  bool on_ = false;
  QHash<QString, workbench::FileChange> changes_;  // that nobody was told of
  QTimer soon_{this};
};

}  // namespace waferpair::gui
