// SPDX-License-Identifier: GPL-3.0-or-later
// Which texts in sight have characters that one does not see (editor/text/unseen.h), or hide their
// ends behind empty lines or blanks.
#pragma once

#include <QAbstractButton>
#include <QAbstractItemDelegate>
#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QStringList>
#include <QTabBar>
#include <QTextEdit>
#include <QWidget>

#include "editor/text/unseen.h"
#include "editor/widget/code_editor.h"
#include "gui/kit/shown_texts.h"

namespace waferpair::test {

inline bool isUnmarked(const QString& text) {
  constexpr qsizetype kMostBlanks = 200, kMostEmptyLines = 20;
  return editor::firstUnseen(text, editor::OtherBlanks::kKept) >= 0 ||
         text.contains(QString(kMostBlanks, u' ')) ||
         text.contains(QString(kMostEmptyLines, u'\n'));
}

class UnmarkedTexts {
 public:
  QStringList in(QWidget* window) {
    look(window);
    for (QWidget* each : window->findChildren<QWidget*>())
      if (each->isVisible()) look(each);
    lookAt(QAccessible::queryAccessibleInterface(window));
    found_.removeDuplicates();
    return found_;
  }
  qsizetype looked() const { return looked_; }

 private:
  void take(const QObject* of, const char* what, const QString& text) {
    if (text.isEmpty()) return;
    ++looked_;
    if (isUnmarked(text))
      found_ += QStringLiteral("%1 of %2 %3: %4")
                    .arg(QLatin1String(what), QLatin1String(of->metaObject()->className()),
                         of->objectName(), editor::oneLineForm(text).left(120));
  }

  void look(QWidget* widget) {
    take(widget, "tool tip", widget->toolTip());
    take(widget, "status tip", widget->statusTip());
    take(widget, "accessible name", widget->accessibleName());
    take(widget, "accessible description", widget->accessibleDescription());
    take(widget, "window title", widget->windowTitle());
    if (auto* label = qobject_cast<QLabel*>(widget)) take(label, "text", label->text());
    if (auto* button = qobject_cast<QAbstractButton*>(widget)) take(button, "text", button->text());
    if (auto* group = qobject_cast<QGroupBox*>(widget)) take(group, "title", group->title());
    if (auto* choice = qobject_cast<QComboBox*>(widget)) {
      for (int i = 0; i < choice->count(); ++i) take(choice, "entry", choice->itemText(i));
    }
    if (auto* tabs = qobject_cast<QTabBar*>(widget)) {
      for (int i = 0; i < tabs->count(); ++i) {
        take(tabs, "tab", tabs->tabText(i));
        take(tabs, "tab's tool tip", tabs->tabToolTip(i));
      }
    }
    if (auto* text = qobject_cast<QTextEdit*>(widget)) take(text, "text", text->toPlainText());
    // What the user types is the user's, with a note below it.
    if (auto* text = qobject_cast<QPlainTextEdit*>(widget); text && text->isReadOnly())
      take(text, "text", text->toPlainText());
    if (auto* line = qobject_cast<QLineEdit*>(widget)) take(line, "text", line->text());
    for (const QAction* action : widget->actions()) {
      take(widget, "action", action->text());
      take(widget, "action's tool tip", action->toolTip());
    }
    if (auto* view = qobject_cast<QAbstractItemView*>(widget); view && view->model())
      rows(view, view->rootIndex());
  }

  void rows(QAbstractItemView* view, const QModelIndex& parent) {
    const QAbstractItemModel* model = view->model();
    // A delegate of ours marks what it draws (scripts/check_shown.py), and a tool tip is a label.
    const QAbstractItemDelegate* delegate = view->itemDelegate();
    const bool isMarked = delegate->metaObject() != &QStyledItemDelegate::staticMetaObject;
    for (int row = 0; row < std::min(model->rowCount(parent), 200); ++row) {
      for (int column = 0; column < std::max(1, model->columnCount(parent)); ++column) {
        const QModelIndex index = model->index(row, column, parent);
        if (!isMarked) take(view, "row", index.data(Qt::DisplayRole).toString());
        take(view, "row's accessible text", index.data(Qt::AccessibleTextRole).toString());
      }
      rows(view, model->index(row, 0, parent));
    }
  }

  // As assistive technology is told.
  void lookAt(QAccessibleInterface* element) {
    if (!element || element->state().invisible || !element->object()) return;
    take(element->object(), "told name", element->text(QAccessible::Name));
    take(element->object(), "told description", element->text(QAccessible::Description));
    for (int i = 0; i < element->childCount(); ++i) {
      QAccessibleInterface* child = element->child(i);
      // A text is read as it is.
      if (child && !qobject_cast<editor::CodeEditor*>(child->object())) lookAt(child);
    }
  }

  QStringList found_;
  qsizetype looked_ = 0;
};

}  // namespace waferpair::test
