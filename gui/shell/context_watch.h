// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the window's contexts are set: it watches the parts they are about.
#pragma once

#include <QObject>
#include <QPointer>

namespace waferpair::gui {

class Contexts;
class DebugRunner;
class Document;
class EditorTabs;
class FolderTree;
class PairDock;
class RuntimeService;
class SearchPanel;
class TaskRunner;
class TerminalPanel;
class WaferDock;
class Workspace;

class ContextWatch : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    EditorTabs* tabs;
    Workspace* workspace;
    FolderTree* tree;
    PairDock* pair;
    SearchPanel* search;
    TerminalPanel* terminals;
    TaskRunner* tasks;
    RuntimeService* runtime;  // may be null, and so may
    WaferDock* wafer;         // its view
    DebugRunner* debug;
  };
  // All of them outlive this.
  ContextWatch(Contexts* contexts, const Parts& parts);

 private:
  void watch(Document* document);
  void lookAtFocus();
  void lookAtGhost();
  void lookAtHunks();
  void lookAtBeside();
  void lookAtAsk();
  void lookAtPlan();
  void lookAtReview();
  void lookAtNextEdit();

  Contexts* contexts_;
  Parts p_;
  QPointer<Document> document_;  // the text in front
};

}  // namespace waferpair::gui
