// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/input_prompt.h"

#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QVBoxLayout>

namespace waferpair::gui {

InputPrompt::InputPrompt(QWidget* window)
    : Overlay(window),
      title_(new QLabel(this)),
      input_(new QLineEdit(this)),
      complaint_(new QLabel(this)) {
  setObjectName(QStringLiteral("inputPrompt"));
  title_->setProperty("role", "heading");
  input_->setObjectName(QStringLiteral("inputPromptField"));
  complaint_->setObjectName(QStringLiteral("inputPromptComplaint"));
  complaint_->setProperty("role", "muted");
  complaint_->setWordWrap(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 10, 12, 12);
  layout->setSpacing(7);
  layout->addWidget(title_);
  layout->addWidget(input_);
  layout->addWidget(complaint_);
  connect(input_, &QLineEdit::textChanged, this, &InputPrompt::checkText);
  connect(input_, &QLineEdit::returnPressed, this, &InputPrompt::accept);
}

void InputPrompt::open(const QString& title, const QString& text, qsizetype selected, Check check,
                       Accepted accepted) {
  check_ = std::move(check);
  accepted_ = std::move(accepted);
  setAccessibleName(title);
  title_->setText(title);
  input_->setAccessibleName(title);
  input_->setText(text);
  checkText();
  present(input_);
  input_->setSelection(0, static_cast<int>(selected));
}

void InputPrompt::checkText() {
  const QString text = input_->text();
  // An empty field is no mistake yet, just not acceptable.
  const QString complaint = text.isEmpty() ? QString() : check_(text);
  complaint_->setText(complaint);
  complaint_->setVisible(!complaint.isEmpty());
  input_->setProperty("invalid", !complaint.isEmpty());
  input_->style()->polish(input_);
  input_->setAccessibleDescription(complaint);
  if (isVisible()) place();
}

void InputPrompt::accept() {
  const QString text = input_->text();
  if (text.isEmpty() || !check_(text).isEmpty()) return;
  const Accepted accepted = accepted_;
  dismiss();
  accepted(text);
}

}  // namespace waferpair::gui
