// SPDX-License-Identifier: GPL-3.0-or-later
// A box below the caret's line that shows places without going there: the text around one, and
// where there are several a list of them. Return goes there; Esc closes it. UI thread only.
#pragma once

#include "gui/documents/peek_box.h"
#include "gui/workbench/quoted_lines.h"

class QListWidget;

namespace waferpair::gui {

class PlacePeek : public PeekBox {
  Q_OBJECT
 public:
  // Lies over the document's text, which owns it.
  PlacePeek(Document* document, EditorTabs* tabs);

  // At least one; `what` they are ("Definition"), paths are told as seen from `folder`. Gets the
  // keyboard.
  void showPlaces(const QString& what, const QVector<workbench::Location>& places,
                  const QString& folder);

 Q_SIGNALS:
  void wanted(const waferpair::workbench::Location& place);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void step(int direction);
  void showPlace(int index);
  void goThere();

  EditorTabs* tabs_;
  QString what_;
  QVector<workbench::Location> places_;
  QString folder_;
  QHash<QString, editor::Snapshot> texts_;  // that were shown
  QString shown_;                           // the path of the one that is
  QToolButton* previous_;
  QToolButton* next_;
  editor::CodeEditor* reader_;
  QListWidget* list_;
};

}  // namespace waferpair::gui
