// SPDX-License-Identifier: GPL-3.0-or-later
// What the text in front declares, as a tree beside it: the row that the caret is in is marked,
// Return goes to a name, letters typed in the field above leave out what has them not. UI thread
// only.
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "workbench/language/symbols.h"

class QLabel;
class QLineEdit;
class QStandardItem;
class QStandardItemModel;
class QTreeView;

namespace waferpair::workbench {
class DocumentOutlines;
}

namespace waferpair::gui {

class Document;
class EditorTabs;

class OutlinePanel : public QWidget {
  Q_OBJECT
 public:
  // Both outlive this.
  OutlinePanel(workbench::DocumentOutlines* outlines, EditorTabs* tabs, QWidget* parent);

  // Gives the tree the keyboard.
  void enter();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void setDocument(Document* document);
  void refresh();
  void rebuild(const QVector<workbench::OutlineSymbol>& symbols);
  void markCaret();
  void goTo(const QModelIndex& index);

  workbench::DocumentOutlines* outlines_;
  EditorTabs* tabs_;
  QPointer<Document> document_;
  QVector<workbench::OutlineSymbol> shown_;  // what the rows are of
  QString filtered_;                         // by these letters
  QVector<QStandardItem*> rows_;             // by the index of their symbol; null: left out
  QLineEdit* filter_;
  QLabel* note_;
  QStandardItemModel* model_;
  QTreeView* tree_;
  QTimer soon_{this};
  QTimer caretSoon_{this};
};

}  // namespace waferpair::gui
