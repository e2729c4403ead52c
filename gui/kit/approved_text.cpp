// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/approved_text.h"

#include <QEvent>
#include <QFontMetrics>
#include <QTextDocument>
#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/kit/seen_to_end.h"

namespace waferpair::gui {
namespace {

constexpr int kWidestHint = 320;  // pixels
constexpr int kSlack = 4;         // pixels that a text field wants beside its rows and margins

}  // namespace

void wrapAnywhere(QPlainTextEdit* field) {
  field->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  field->setWordWrapMode(QTextOption::WrapAnywhere);
  field->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  QTextOption option = field->document()->defaultTextOption();
  option.setWrapMode(QTextOption::WrapAnywhere);
  option.setTextDirection(Qt::LeftToRight);
  // Or blanks would hang over the edge, as many as there are.
  option.setFlags(option.flags() | QTextOption::IncludeTrailingSpaces);
  field->document()->setDefaultTextOption(option);
}

int rowsOf(const QPlainTextEdit& field) {
  return std::max(1, static_cast<int>(field.document()->size().height()));
}

int heightOf(const QPlainTextEdit& field, int rows) {
  const double margin = 2 * field.document()->documentMargin();
  const int frame = field.height() - field.viewport()->height();
  return rows * QFontMetrics(field.font()).lineSpacing() + static_cast<int>(margin) + kSlack +
         std::clamp(frame, 2 * field.frameWidth(), 16);
}

ApprovedText::ApprovedText(QWidget* parent) : QPlainTextEdit(parent), seen_(new SeenToEnd(this)) {
  setProperty("role", QStringLiteral("approved"));
  setReadOnly(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setTabChangesFocus(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  wrapAnywhere(this);
}

void ApprovedText::showText(const QString& text) {
  text_ = text;
  setPlainText(editor::approvalForm(text));
  fit();
  seen_->restart();
}

void ApprovedText::setMostRows(int rows) {
  mostRows_ = rows;
  fit();
}

QSize ApprovedText::sizeHint() const {
  return {kWidestHint, heightOf(*this, std::min(rowsOf(*this), mostRows_))};
}

QSize ApprovedText::minimumSizeHint() const { return {1, sizeHint().height()}; }

void ApprovedText::fit() {
  const int height = sizeHint().height();
  if (minimumHeight() != height) setFixedHeight(height);
}

void ApprovedText::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  // Another height may bring a scroll bar, for which the rows are laid out anew: not within this.
  QMetaObject::invokeMethod(this, &ApprovedText::fit, Qt::QueuedConnection);
}

void ApprovedText::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::FontChange) {
    document()->setDefaultFont(font());
    fit();
  }
}

}  // namespace waferpair::gui
