// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/variables_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include "gui/kit/shown_texts.h"
#include "gui/kit/theme.h"
#include "workbench/debug/variables_model.h"

namespace waferpair::gui {

using workbench::VariablesModel;

namespace {

// Colors tell values from names, and bold type those that have changed.
class ValueDelegate : public ShownDelegate {
 public:
  using ShownDelegate::ShownDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    ShownDelegate::initStyleOption(option, index);
    const WindowColors& colors = Theme::instance().colors();
    QColor color = index.column() == 0 ? colors.accent : colors.text;
    if (index.column() == 1 && index.data(VariablesModel::kVariableProblemRole).toBool())
      color = colors.muted;
    if (index.column() == 1 && index.data(VariablesModel::kVariableChangedRole).toBool()) {
      color = colors.warning;
      option->font.setBold(true);
    }
    option->palette.setColor(QPalette::Text, color);
    option->palette.setColor(QPalette::HighlightedText, color);
  }
};

}  // namespace

VariablesView::VariablesView(VariablesModel* model, QWidget* parent) : QTreeView(parent) {
  setModel(model);
  setItemDelegate(new ValueDelegate(this));
  setUniformRowHeights(true);
  setIndentation(14);
  setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
  header()->setStretchLastSection(true);
  header()->setSectionResizeMode(0, QHeaderView::Interactive);
  header()->resizeSection(0, 150);
}

QModelIndex VariablesView::valueIndex() const {
  return currentIndex().isValid() ? currentIndex().siblingAtColumn(1) : QModelIndex();
}

void VariablesView::copyValue() {
  if (valueIndex().isValid())
    QApplication::clipboard()->setText(
        valueIndex().data(VariablesModel::kVariableWholeRole).toString());
}

// F2 is the window's, too.
bool VariablesView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_F2) {
    event->accept();
    return true;
  }
  return QTreeView::event(event);
}

void VariablesView::keyPressEvent(QKeyEvent* event) {
  const bool isEditing = state() == QAbstractItemView::EditingState;
  if (!isEditing && event->matches(QKeySequence::Copy)) return copyValue();
  const QModelIndex value = valueIndex();
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_F2;
  if (!isEditing && isReturn && value.isValid() && value.flags().testFlag(Qt::ItemIsEditable)) {
    edit(value);
    return;
  }
  if (!isEditing && event->key() == Qt::Key_Delete && currentIndex().isValid() &&
      !currentIndex().parent().isValid()) {
    Q_EMIT removeWanted(currentIndex().row());
    return;
  }
  QTreeView::keyPressEvent(event);
}

void VariablesView::contextMenuEvent(QContextMenuEvent* event) {
  const QModelIndex value = valueIndex();
  if (!value.isValid()) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  QAction* set =
      menu->addAction(tr("&Set Value"), this, [this, value = QPersistentModelIndex(value)] {
        if (value.isValid()) edit(value);
      });
  set->setEnabled(value.flags().testFlag(Qt::ItemIsEditable));
  menu->addAction(tr("&Copy Value"), this, &VariablesView::copyValue);
  const QString expression = value.data(VariablesModel::kVariableExpressionRole).toString();
  QAction* watch =
      menu->addAction(tr("&Watch"), this, [this, expression] { Q_EMIT watchWanted(expression); });
  watch->setEnabled(!expression.isEmpty());
  menu->popup(event->globalPos());
}

}  // namespace waferpair::gui
