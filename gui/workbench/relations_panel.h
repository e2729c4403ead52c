// SPDX-License-Identifier: GPL-3.0-or-later
// How the name at the caret stands to the rest of the project, as a tree to go through by keys: its
// uses by file, who calls it and whom it calls, what it inherits from and what inherits from it.
// Rows of calls and types have theirs below, asked for when they are opened. The row that is
// current is shown in the preview tab; Return goes there. UI thread only.
#pragma once

#include <QPersistentModelIndex>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "gui/workbench/language_guide.h"
#include "workbench/language/hierarchy.h"

class QLabel;
class QStandardItem;
class QStandardItemModel;
class QTreeView;

namespace waferpair::gui {

class RelationsPanel : public QWidget {
  Q_OBJECT
 public:
  enum class Relation { kUses, kCallers, kCallees, kSupertypes, kSubtypes };

  // What the parts point at outlives this.
  RelationsPanel(const LanguageGuideParts& parts, QWidget* parent);

  // Asks about the name at the caret of the text in front. Once there is something to see, wanted()
  // is sent; else a notice says why not.
  void ask(Relation relation);
  // Gives the tree the keyboard.
  void enter();

 Q_SIGNALS:
  void wanted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void askForUses(workbench::LanguageClient* client, Document* document);
  void askForItems(workbench::LanguageClient* client, Document* document);
  void showUses(const QVector<workbench::Location>& uses, const QString& name);
  void showItems(const QVector<workbench::HierarchyItem>& items);
  QStandardItem* makeRow(const workbench::HierarchyItem& item) const;
  void fill(const QModelIndex& index);
  void showAt(const QModelIndex& index, bool isPreview);
  QString title(const QString& name) const;
  void present(const QString& title);

  LanguageGuideParts p_;
  Relation relation_ = Relation::kUses;
  QPointer<workbench::LanguageClient> client_;
  qint64 question_ = 0;  // the latest; answers to others are of no interest
  int generation_ = 0;   // of what is shown
  QLabel* title_;
  QStandardItemModel* model_;
  QTreeView* tree_;
  QTimer previewSoon_{this};
};

}  // namespace waferpair::gui
