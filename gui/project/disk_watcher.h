// SPDX-License-Identifier: GPL-3.0-or-later
// Sees when other programs change the open files, or an .editorconfig that counts for them, and has
// the documents look. UI thread only.
#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>

#include "editor/text/path_watch.h"

namespace waferpair::gui {

class Document;
class EditorTabs;

class DiskWatcher : public QObject {
  Q_OBJECT
 public:
  // `tabs` outlives this.
  explicit DiskWatcher(EditorTabs* tabs);

  // Looks at every open file: after the program came to the front, say.
  void checkAll();

 private:
  void watch(Document* document);
  void watchConfigs(const QString& path);
  void lookForConfig(const QString& folder);
  void checkPending();
  void dropUnused();

  EditorTabs* tabs_;
  editor::PathWatch watch_;
  QSet<QString> pending_;  // changed, to be looked at when things have settled
  QSet<QString> configs_;  // the .editorconfig files that were there
  QTimer settle_{this};
};

}  // namespace waferpair::gui
