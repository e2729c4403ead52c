// SPDX-License-Identifier: GPL-3.0-or-later
// The git repository of a window's project: what it says of the files stands in the tree. UI thread
// only.
#pragma once

#include <QObject>

#include "workbench/git/git_watch.h"

namespace waferpair::gui {

class FolderTree;
class Workspace;

class GitTools : public QObject {
  Q_OBJECT
 public:
  // Both outlive this.
  GitTools(Workspace* workspace, FolderTree* tree, QObject* parent = nullptr);

  workbench::GitWatch* watch() { return &watch_; }

 private:
  void showMarks();

  FolderTree* tree_;
  workbench::GitWatch watch_;
};

}  // namespace waferpair::gui
