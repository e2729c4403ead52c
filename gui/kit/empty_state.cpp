// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/empty_state.h"

#include <QAbstractItemView>
#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace waferpair::gui {
namespace {

constexpr int kEdge = 12;
constexpr int kSpace = 8;

}  // namespace

EmptyState::EmptyState(QAbstractItemView* view, const QString& text, const QString& command)
    : QWidget(view->viewport()), view_(view), command_(command), button_(new QPushButton(this)) {
  Q_ASSERT(view->model());
  setObjectName(view->objectName() + QStringLiteral("Empty"));
  auto* label = new QLabel(text, this);
  label->setProperty("role", QStringLiteral("muted"));
  label->setWordWrap(true);
  button_->setObjectName(objectName() + QStringLiteral("Button"));
  button_->setProperty("role", QStringLiteral("small"));
  button_->hide();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kEdge, kEdge, kEdge, kEdge);
  column->setSpacing(kSpace);
  column->addWidget(label);
  column->addWidget(button_, 0, Qt::AlignLeft);
  column->addStretch();
  view->viewport()->installEventFilter(this);
  const QAbstractItemModel* model = view->model();
  connect(model, &QAbstractItemModel::rowsInserted, this, &EmptyState::look);
  connect(model, &QAbstractItemModel::rowsRemoved, this, &EmptyState::look);
  connect(model, &QAbstractItemModel::modelReset, this, &EmptyState::look);
  look();
}

void EmptyState::look() {
  resize(view_->viewport()->size());
  setVisible(view_->model()->rowCount(view_->rootIndex()) == 0);
}

bool EmptyState::eventFilter(QObject*, QEvent* event) {
  if (event->type() == QEvent::Resize) resize(view_->viewport()->size());
  return false;
}

// The window's commands may have been added since.
void EmptyState::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  auto* action = command_.isEmpty() ? nullptr : window()->findChild<QAction*>(command_);
  button_->setVisible(action != nullptr);
  if (!action || !button_->text().isEmpty()) return;
  button_->setText(action->text().remove(u'&'));
  button_->setToolTip(action->toolTip());
  button_->setEnabled(action->isEnabled());
  connect(action, &QAction::enabledChanged, button_, &QWidget::setEnabled);
  connect(button_, &QPushButton::clicked, action, &QAction::trigger);
}

}  // namespace waferpair::gui
