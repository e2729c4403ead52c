// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/accessible.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAccessibleWidget>
#include <QComboBox>
#include <utility>

namespace waferpair::view {
namespace {

// Before there were announcements, a notification was what is read out when it comes up.
constexpr QAccessible::Role kBandRole =
    QT_VERSION >= QT_VERSION_CHECK(6, 8, 0) ? QAccessible::Grouping : QAccessible::Notification;

// A combo box that cannot be typed into. Its name is the accessible name at any time; the current
// text is its value, and the text that it shows.
class ComboBoxAccessible final : public QAccessibleWidget, public QAccessibleTextInterface {
 public:
  explicit ComboBoxAccessible(QComboBox* box) : QAccessibleWidget(box, QAccessible::ComboBox) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::TextInterface) return static_cast<QAccessibleTextInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }

  QString text(QAccessible::Text kind) const override {
    if (kind == QAccessible::Value) return shown();
    const QString own = QAccessibleWidget::text(kind);
    return kind == QAccessible::Name && own.isEmpty() ? shown() : own;
  }

  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.expandable = true;
    state.expanded = isOpen();
    return state;
  }

  // The list of choices is the only child.
  int childCount() const override { return 1; }
  QAccessibleInterface* child(int index) const override {
    return index == 0 ? QAccessible::queryAccessibleInterface(box()->view()) : nullptr;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    return child->object() == box()->view() ? 0 : -1;
  }

  QStringList actionNames() const override { return {showMenuAction(), pressAction()}; }
  QString localizedActionDescription(const QString& action) const override {
    return actionNames().contains(action) ? QComboBox::tr("Open the combo box selection popup")
                                          : QAccessibleWidget::localizedActionDescription(action);
  }
  void doAction(const QString& action) override {
    if (!actionNames().contains(action)) return QAccessibleWidget::doAction(action);
    isOpen() ? box()->hidePopup() : box()->showPopup();
  }
  QStringList keyBindingsForAction(const QString&) const override { return {}; }

  // -- The text shown: nothing in it can be selected, and there is no caret.

  using QAccessibleWidget::text;
  QString text(int start, int end) const override {
    return shown().mid(start, end < 0 ? -1 : end - start);
  }
  int characterCount() const override { return static_cast<int>(shown().size()); }
  void selection(int, int* start, int* end) const override { *start = *end = 0; }
  int selectionCount() const override { return 0; }
  void addSelection(int, int) override {}
  void removeSelection(int) override {}
  void setSelection(int, int, int) override {}
  int cursorPosition() const override { return 0; }
  void setCursorPosition(int) override {}
  QRect characterRect(int) const override { return rect(); }
  int offsetAtPoint(const QPoint&) const override { return -1; }
  void scrollToSubstring(int, int) override {}
  QString attributes(int, int* start, int* end) const override {
    *start = 0;
    *end = characterCount();
    return {};
  }

 private:
  QComboBox* box() const { return static_cast<QComboBox*>(widget()); }
  QString shown() const { return box()->currentText(); }
  // view() would make a list that was never asked for.
  bool isOpen() const {
    const auto* list = box()->findChild<QAbstractItemView*>();
    return list && list->isVisible();
  }
};

QAccessibleInterface* make(const QString& className, QObject* object) {
  auto* widget = qobject_cast<QWidget*>(object);
  if (!widget) return nullptr;
  if (className == QLatin1String("QComboBox")) {
    auto* box = qobject_cast<QComboBox*>(object);
    return box && !box->isEditable() ? new ComboBoxAccessible(box) : nullptr;
  }
  static constexpr std::pair<const char*, QAccessible::Role> kRoles[] = {
      {"waferpair::view::WaferView", QAccessible::Canvas},
      {"waferpair::view::StripChart", QAccessible::Chart},
      {"waferpair::view::ModelCard", QAccessible::Graphic},
      {"waferpair::view::ShadowBand", kBandRole},
  };
  for (const auto& [name, role] : kRoles)
    if (className == QLatin1String(name)) return new QAccessibleWidget(widget, role);
  return nullptr;
}

}  // namespace

void installAccessibles() {
  // The factory installed last is asked first, so Qt's own comes after this one.
  [[maybe_unused]] static const bool once = (QAccessible::installFactory(make), true);
}

void announcePolitely(QWidget* widget, const QString& text) {
  if (!QAccessible::isActive()) return;
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
  QAccessibleAnnouncementEvent said(widget, text);
  said.setPoliteness(QAccessible::AnnouncementPoliteness::Polite);
#else
  // The event is that of a notification coming up. An alert would interrupt, and ring on some
  // systems.
  Q_UNUSED(text);
  QAccessibleEvent said(widget, QAccessible::ObjectShow);
#endif
  QAccessible::updateAccessibility(&said);
}

}  // namespace waferpair::view
