// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/unseen_note.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextCursor>

#include "editor/text/unseen.h"
#include "gui/kit/small_button.h"

namespace waferpair::gui {

UnseenNote::UnseenNote(QPlainTextEdit* field, const QString& name, const QString& words,
                       QWidget* parent)
    : QWidget(parent), field_(field), words_(words), text_(new QLabel(this)) {
  text_->setObjectName(name + QStringLiteral("Unseen"));
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  text_->setProperty("role", QStringLiteral("warning"));
  auto* takeOut = makeSmallButton(qPrintable(name + QStringLiteral("TakeOut")), tr("Take Them Out"),
                                  tr("Take out what cannot be seen"), this);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(text_, 1);
  row->addWidget(takeOut, 0, Qt::AlignTop);
  hide();
  connect(takeOut, &QPushButton::clicked, this, [this] {
    QTextCursor all(field_->document());
    all.select(QTextCursor::Document);
    all.insertText(editor::withoutUnseen(field_->toPlainText()));
    field_->setFocus();
  });
  connect(field_, &QPlainTextEdit::textChanged, this, &UnseenNote::look);
  field_->installEventFilter(this);
  look();
}

bool UnseenNote::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ReadOnlyChange) look();
  return QWidget::eventFilter(watched, event);
}

void UnseenNote::look() {
  const QString text = field_->toPlainText();
  hasUnseen_ = editor::firstUnseen(text) >= 0;
  setVisible(hasUnseen_ && !field_->isReadOnly());
  if (hasUnseen_) text_->setText(words_.arg(editor::approvalForm(text)));
}

}  // namespace waferpair::gui
