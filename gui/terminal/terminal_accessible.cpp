// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_accessible.h"

#include <QAccessibleWidget>
#include <algorithm>

#include "gui/terminal/terminal_view.h"
#include "workbench/terminal/terminal_session.h"

namespace waferpair::gui {
namespace {

class TerminalAccessible : public QAccessibleWidget, public QAccessibleTextInterface {
 public:
  explicit TerminalAccessible(TerminalView* view)
      : QAccessibleWidget(view, QAccessible::Terminal) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::TextInterface) return static_cast<QAccessibleTextInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }

  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.multiLine = true;
    state.readOnly = true;
    return state;
  }

  int characterCount() const override { return static_cast<int>(all().size()); }
  QString text(int start, int end) const override { return all().mid(start, end - start); }
  using QAccessibleWidget::text;
  int cursorPosition() const override { return std::max(0, view().visibleCursor()); }
  void setCursorPosition(int) override {}

  int selectionCount() const override { return 0; }
  void selection(int, int* start, int* end) const override { *start = *end = 0; }
  void addSelection(int, int) override {}
  void setSelection(int, int, int) override {}
  void removeSelection(int) override {}
  void scrollToSubstring(int, int) override {}

  QString attributes(int, int* start, int* end) const override {
    *start = 0;
    *end = characterCount();
    return {};
  }

  // The n-th character of a row is taken to be in its n-th cell.
  QRect characterRect(int offset) const override {
    const QString before = all().left(offset);
    const qsizetype row = before.count(u'\n');
    const qsizetype column = before.size() - (before.lastIndexOf(u'\n') + 1);
    const QRect cell = view().cellRect({row, static_cast<int>(column)});
    const QRect first = view().cellRect({0, 0});
    const QPoint at(cell.left(), cell.top() - first.top() + kTop);
    return {view().viewport()->mapToGlobal(at), cell.size()};
  }

  int offsetAtPoint(const QPoint& point) const override {
    const QPoint local = view().viewport()->mapFromGlobal(point);
    const QRect cell = view().cellRect({0, 0});
    const int row = (local.y() - kTop) / std::max(1, cell.height());
    const int column = (local.x() - cell.left()) / std::max(1, cell.width());
    const QStringList rows = all().split(u'\n');
    if (row < 0 || row >= rows.size() || column < 0) return -1;
    qsizetype offset = std::min<qsizetype>(column, rows[row].size());
    for (int i = 0; i < row; ++i) offset += rows[i].size() + 1;
    return static_cast<int>(offset);
  }

 private:
  static constexpr int kTop = 2;  // pixels above the first row

  TerminalView& view() const { return *static_cast<TerminalView*>(object()); }
  QString all() const { return view().visibleText(); }
};

QAccessibleInterface* makeTerminalAccessible(const QString&, QObject* object) {
  auto* view = qobject_cast<TerminalView*>(object);
  return view ? new TerminalAccessible(view) : nullptr;
}

}  // namespace

void installTerminalAccessibility() {
  static const bool once = [] {
    QAccessible::installFactory(makeTerminalAccessible);
    return true;
  }();
  Q_UNUSED(once);
}

}  // namespace waferpair::gui
