// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "gui/kit/icons.h"

namespace waferpair::gui {

TerminalFindBar::TerminalFindBar(QWidget* parent)
    : QWidget(parent), text_(new QLineEdit(this)), state_(new QLabel(this)) {
  setObjectName(QStringLiteral("terminalFindBar"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 4, 8, 4);
  row->setSpacing(4);
  text_->setObjectName(QStringLiteral("terminalFindText"));
  text_->setPlaceholderText(tr("Find in the terminal"));
  text_->setAccessibleName(tr("Find in the terminal"));
  text_->setMaximumWidth(320);
  text_->installEventFilter(this);
  row->addWidget(text_, 1);
  caseSensitive_ = addButton("terminalFindCase", "case", tr("Match case"));
  caseSensitive_->setCheckable(true);
  connect(caseSensitive_, &QToolButton::toggled, this, [this] { step(-1); });
  connect(addButton("terminalFindPrevious", "arrow-up", tr("The match above (Enter)")),
          &QToolButton::clicked, this, [this] { step(-1); });
  connect(addButton("terminalFindNext", "arrow-down", tr("The match below (Shift+Enter)")),
          &QToolButton::clicked, this, [this] { step(+1); });
  state_->setObjectName(QStringLiteral("terminalFindState"));
  state_->setProperty("role", QStringLiteral("muted"));
  row->addWidget(state_);
  row->addStretch(1);
  connect(addButton("terminalFindClose", "close", tr("Close (Esc)")), &QToolButton::clicked, this,
          &TerminalFindBar::close);
  connect(text_, &QLineEdit::textEdited, this, [this] { step(-1); });
  hide();
}

QToolButton* TerminalFindBar::addButton(const char* name, const char* symbol, const QString& text) {
  auto* button = new QToolButton(this);
  button->setObjectName(QLatin1String(name));
  button->setIcon(icon(QLatin1String(symbol)));
  button->setToolTip(text);
  button->setAccessibleName(text);
  layout()->addWidget(button);
  return button;
}

void TerminalFindBar::open(const QString& text) {
  if (!text.isEmpty()) text_->setText(text);
  show();
  text_->setFocus(Qt::ShortcutFocusReason);
  text_->selectAll();
  if (!text_->text().isEmpty()) step(-1);
}

void TerminalFindBar::step(int direction) {
  const bool isThere = find && find(text_->text(), caseSensitive_->isChecked(), direction);
  state_->setText(isThere || text_->text().isEmpty() ? QString() : tr("Not there"));
}

void TerminalFindBar::close() {
  hide();
  Q_EMIT closed();
}

bool TerminalFindBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == text_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape) {
      close();
      return true;
    }
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      step(key->modifiers().testFlag(Qt::ShiftModifier) ? +1 : -1);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::gui
