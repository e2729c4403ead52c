// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/no_model_note.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <utility>

#include "gui/kit/small_button.h"

namespace waferpair::gui {

NoModelNote::NoModelNote(const QString& panel, QWidget* parent)
    : QWidget(parent),
      text_(new QLabel(this)),
      choose_(makeSmallButton("", tr("Choose a Model…"), {}, this)),
      get_(makeSmallButton("", tr("Get One…"), {}, this)) {
  setObjectName(panel + QStringLiteral("NoModel"));
  text_->setObjectName(panel + QStringLiteral("NoModelText"));
  text_->setProperty("role", QStringLiteral("muted"));
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  choose_->setObjectName(panel + QStringLiteral("ChooseModel"));
  get_->setObjectName(panel + QStringLiteral("GetModel"));
  get_->setAccessibleName(tr("Get a model"));
  auto* ways = new QHBoxLayout;
  for (QPushButton* button : {choose_, get_}) {
    button->hide();
    ways->addWidget(button);
  }
  ways->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 2, 8, 2);
  column->setSpacing(6);
  column->addWidget(text_);
  column->addLayout(ways);
}

void NoModelNote::setText(const QString& text) { text_->setText(text); }

QString NoModelNote::text() const { return text_->text(); }

void NoModelNote::setModelActions(QAction* choose, QAction* get) {
  for (const auto& [button, action] : {std::pair(choose_, choose), std::pair(get_, get)}) {
    button->setVisible(action != nullptr);
    if (action) connect(button, &QPushButton::clicked, action, &QAction::trigger);
  }
}

}  // namespace waferpair::gui
