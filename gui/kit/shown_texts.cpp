// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/shown_texts.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QGroupBox>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QRegularExpression>
#include <QTabBar>
#include <typeinfo>

#include "editor/text/unseen.h"

namespace waferpair::gui {
namespace {

constexpr auto kShownProse = editor::OtherBlanks::kKept;

// Its end is behind so many blanks or empty lines that nobody sees it.
bool hidesItsEnd(const QString& text) {
  constexpr qsizetype kLeast = 20;  // characters
  static const QRegularExpression hides(QStringLiteral("[ \\t]{100}|(?:[ \\t]*\\n){20}"));
  return text.size() >= kLeast && hides.match(text).hasMatch();
}

// Calls `set` with the text as it is shown, if that is another one.
template <typename Set>
void show(const QString& text, const Set& set) {
  if (hidesItsEnd(text)) {
    set(editor::approvalForm(text));
  } else if (editor::firstUnseen(text, kShownProse) >= 0) {
    set(editor::shownForm(text, kShownProse));
  }
}

// What assistive technology is told of it.
void toldOf(QWidget* widget) {
  show(widget->accessibleName(), [&](const QString& shown) { widget->setAccessibleName(shown); });
  show(widget->accessibleDescription(),
       [&](const QString& shown) { widget->setAccessibleDescription(shown); });
}

// Its texts are set to what is shown of them: whoever sets one sets another, and this is asked
// again.
void showTextsOf(QWidget* widget) {
  toldOf(widget);
  if (auto* label = qobject_cast<QLabel*>(widget)) {
    show(label->text(), [&](const QString& shown) { label->setText(shown); });
  } else if (auto* button = qobject_cast<QAbstractButton*>(widget)) {
    show(button->text(), [&](const QString& shown) { button->setText(shown); });
  } else if (auto* tabs = qobject_cast<QTabBar*>(widget)) {
    for (int i = 0; i < tabs->count(); ++i)
      show(tabs->tabText(i), [&](const QString& shown) { tabs->setTabText(i, shown); });
  } else if (auto* group = qobject_cast<QGroupBox*>(widget)) {
    show(group->title(), [&](const QString& shown) { group->setTitle(shown); });
  } else if (auto* choice = qobject_cast<QComboBox*>(widget)) {
    for (int i = 0; i < choice->count(); ++i)
      show(choice->itemText(i), [&](const QString& shown) { choice->setItemText(i, shown); });
  } else if (auto* menu = qobject_cast<QMenu*>(widget)) {
    for (QAction* action : menu->actions())
      show(action->text(), [&](const QString& shown) { action->setText(shown); });
  }
}

class ShownTexts : public QObject {
 public:
  using QObject::QObject;

  bool eventFilter(QObject* watched, QEvent* event) override {
    auto* widget = watched->isWidgetType() ? static_cast<QWidget*>(watched) : nullptr;
    if (!widget) return false;
    switch (event->type()) {
      // A label is polished before it is measured for the first time; a tool tip is a label, too.
      case QEvent::Polish:
        begin(widget);
        break;
      case QEvent::Paint:
        showTextsOf(widget);
        // What it is the inside of may never be painted itself.
        if (auto* area = qobject_cast<QAbstractScrollArea*>(widget->parentWidget())) toldOf(area);
        break;
      case QEvent::Show:
        showTextsOf(widget);
        // It was measured before.
        if (widget->inherits("QTipLabel")) widget->resize(widget->sizeHint());
        break;
      case QEvent::ToolTipChange:
        show(widget->toolTip(), [&](const QString& shown) { widget->setToolTip(shown); });
        break;
      case QEvent::WindowTitleChange:
        show(widget->windowTitle(), [&](const QString& shown) { widget->setWindowTitle(shown); });
        break;
      default:
        break;
    }
    return false;
  }

 private:
  static void begin(QWidget* widget) {
    auto* label = qobject_cast<QLabel*>(widget);
    if (label && label->textFormat() == Qt::AutoText) label->setTextFormat(Qt::PlainText);
    auto* view = qobject_cast<QAbstractItemView*>(widget);
    if (!view || !view->itemDelegate()) return;
    const QAbstractItemDelegate& delegate = *view->itemDelegate();
    if (typeid(delegate) == typeid(QStyledItemDelegate))
      view->setItemDelegate(new ShownDelegate(view));
  }
};

}  // namespace

void keepTextsShown() {
  static QPointer<ShownTexts> shown;
  if (shown) return;
  shown = new ShownTexts(QCoreApplication::instance());
  QCoreApplication::instance()->installEventFilter(shown);
}

QString ShownDelegate::displayText(const QVariant& value, const QLocale& locale) const {
  return editor::shownForm(QStyledItemDelegate::displayText(value, locale), kShownProse);
}

}  // namespace waferpair::gui
