// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/dock_title.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "gui/kit/icon_button.h"

namespace waferpair::gui {

DockTitle::DockTitle(QDockWidget* dock)
    : QWidget(dock), name_(new QLabel(dock->windowTitle(), this)), buttons_(new QHBoxLayout) {
  setObjectName(QStringLiteral("dockTitle"));
  setAttribute(Qt::WA_StyledBackground);
  connect(dock, &QDockWidget::windowTitleChanged, name_, &QLabel::setText);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 5, 6, 5);
  layout->setSpacing(2);
  layout->addWidget(name_, 1);
  buttons_->setSpacing(2);
  layout->addLayout(buttons_);
  QToolButton* close = addButton(dock->objectName() + QStringLiteral("Close"),
                                 QStringLiteral("close"), tr("Hide %1").arg(dock->windowTitle()));
  connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
  layout->addWidget(close);
  dock->setTitleBarWidget(this);
}

void DockTitle::setName(QWidget* widget) {
  auto* row = static_cast<QHBoxLayout*>(layout());
  row->setContentsMargins(0, 0, 6, 0);
  name_->hide();
  row->insertWidget(0, widget);
  row->insertStretch(1, 1);
}

QToolButton* DockTitle::addButton(const QString& name, const QString& symbol, const QString& text) {
  QToolButton* button = makeIconButton(name, symbol, text, this);
  button->setIconSize(QSize(15, 15));
  buttons_->addWidget(button);
  return button;
}

}  // namespace waferpair::gui
