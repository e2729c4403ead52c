// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/status_row.h"

#include <QAbstractButton>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

namespace waferpair::gui {
namespace {

constexpr int kMessagePercent = 40;  // of the row

int leastWidth(const QWidget* field) {
  return std::max(field->minimumSizeHint().width(), field->minimumWidth());
}

}  // namespace

StatusRow::StatusRow(QWidget* parent)
    : QWidget(parent),
      layout_(new QHBoxLayout(this)),
      more_(new QToolButton(this)),
      menu_(new QMenu(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(0);
  // The hints below are the row's own: what is left out now must not make it ask for less.
  layout_->setSizeConstraint(QLayout::SetNoConstraint);
  more_->setObjectName(QStringLiteral("statusMore"));
  more_->setText(QStringLiteral("…"));
  more_->setAccessibleName(tr("More of the status bar"));
  more_->setFocusPolicy(Qt::TabFocus);
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setMenu(menu_);
  more_->hide();
  layout_->addStretch(1);  // takes the room that is left
  layout_->addWidget(more_);
  menu_->setObjectName(QStringLiteral("statusMoreMenu"));
  connect(menu_, &QMenu::aboutToShow, this, &StatusRow::fillMenu);
}

void StatusRow::addField(QWidget* field, StatusRank rank, const QString& caption,
                         std::function<void()> run) {
  layout_->addWidget(field);
  fields_.append({field, rank, caption, std::move(run)});
  updateGeometry();
}

void StatusRow::addRow(StatusRow* row) {
  layout_->addWidget(row);
  rows_.append(row);
  row->outer_ = this;
  row->more_->hide();
  arrange();
}

void StatusRow::addMessage(QWidget* message) {
  Q_ASSERT(!outer_ && !message_);
  message_ = message;
  delete layout_->takeAt(0);  // the stretch
  layout_->removeWidget(more_);
  layout_->addWidget(message, 1);
  layout_->addWidget(more_);
}

void StatusRow::setWanted(QWidget* field, bool wanted) {
  for (Field& one : fields_) {
    if (one.widget != field || one.wanted == wanted) continue;
    one.wanted = wanted;
    updateGeometry();
    arrange();
  }
}

QList<StatusRow::Field*> StatusRow::all() {
  QList<Field*> found;
  for (Field& field : fields_) found.append(&field);
  for (StatusRow* row : std::as_const(rows_)) {
    if (!row->isHidden()) found.append(row->all());
  }
  return found;
}

QList<const StatusRow::Field*> StatusRow::all() const {
  const QList<Field*> found = const_cast<StatusRow*>(this)->all();
  return {found.begin(), found.end()};
}

QList<QWidget*> StatusRow::leftOut() const {
  QList<QWidget*> out;
  for (const Field* field : all()) {
    if (field->wanted && !field->fits) out.append(field->widget);
  }
  return out;
}

QString StatusRow::textOf(const Field& field) {
  const QString text = field.widget->property("text").toString();
  return field.caption.isEmpty() ? text : tr("%1: %2").arg(field.caption, text);
}

void StatusRow::arrange() {
  if (outer_) {
    outer_->arrange();
    return;
  }
  // Showing a widget lays out all around it at once, which may give this row another width.
  again_ = true;
  if (arranging_) return;
  arranging_ = true;
  for (int round = 0; again_ && round < 4; ++round) {
    again_ = false;
    arrangeOnce();
  }
  arranging_ = false;
}

void StatusRow::arrangeOnce() {
  QList<Field*> fields = all();
  fields.removeIf([](const Field* field) { return !field->wanted; });
  std::stable_sort(fields.begin(), fields.end(),
                   [](const Field* a, const Field* b) { return a->rank < b->rank; });
  int needed = 0;
  for (const Field* field : std::as_const(fields)) needed += leastWidth(field->widget);
  bool changed = false, anyOut = false;
  int forFields = width();
  if (message_ && message_->property("text").toString().isEmpty()) {
    forFields -= message_->sizeHint().width();
  } else if (message_) {
    forFields -= width() * kMessagePercent / 100;
  }
  for (Field* field : std::as_const(fields)) {
    const int room = forFields - (anyOut ? more_->sizeHint().width() : 0);
    // The last one stays, whatever it looks like.
    const bool fits = needed <= room || field == fields.last();
    if (!fits) {
      needed -= leastWidth(field->widget);
      anyOut = true;
    }
    changed |= fits != std::exchange(field->fits, fits);
  }
  QStringList told;
  for (const Field* field : all()) {
    field->widget->setVisible(field->wanted && field->fits);
    if (field->wanted && !field->fits) told.append(textOf(*field));
  }
  more_->setVisible(anyOut);
  more_->setToolTip(told.join(QLatin1Char('\n')));
  more_->setAccessibleDescription(told.join(QStringLiteral(", ")));
  // Only a change updates the geometry: that leads to another look at the layout, and so here.
  if (!changed) return;
  for (StatusRow* row : std::as_const(rows_)) row->updateGeometry();
  updateGeometry();
}

void StatusRow::fillMenu() {
  menu_->clear();
  for (const Field* field : all()) {
    if (!field->wanted || field->fits) continue;
    QString text = textOf(*field);
    QAction* action = menu_->addAction(text.replace(QLatin1Char('&'), QStringLiteral("&&")));
    action->setObjectName(field->widget->objectName());
    auto* button = qobject_cast<QAbstractButton*>(field->widget);
    action->setEnabled(field->widget->isEnabled() && (field->run || button));
    // The action runs once the menu is gone, as what it starts takes the keyboard.
    if (field->run) {
      connect(action, &QAction::triggered, this, field->run, Qt::QueuedConnection);
    } else if (button) {
      connect(action, &QAction::triggered, button, &QAbstractButton::click, Qt::QueuedConnection);
    }
  }
}

// The outermost row asks for all that is wanted and does with one field; a row in it has been told
// what to show, and asks for that.
QSize StatusRow::sizeHint() const {
  QSize hint(0, more_->sizeHint().height());
  for (const Field* field : all()) {
    if (!field->wanted || (outer_ && !field->fits)) continue;
    const QSize one = field->widget->sizeHint();
    hint.rwidth() += std::max(one.width(), field->widget->minimumWidth());
    hint.setHeight(std::max(hint.height(), one.height()));
  }
  return hint;
}

QSize StatusRow::minimumSizeHint() const {
  int shown = 0;
  const Field* last = nullptr;
  for (const Field* field : all()) {
    if (!field->wanted) continue;
    if (field->fits) shown += leastWidth(field->widget);
    if (!last || field->rank > last->rank) last = field;
  }
  const int height = sizeHint().height();
  if (outer_) return {shown, height};
  return {more_->sizeHint().width() + (last ? leastWidth(last->widget) : 0), height};
}

void StatusRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (!outer_) arrange();
}

bool StatusRow::event(QEvent* event) {
  // A field's text is another now, or a row came or went.
  if (event->type() == QEvent::LayoutRequest && !outer_) arrange();
  return QWidget::event(event);
}

}  // namespace waferpair::gui
