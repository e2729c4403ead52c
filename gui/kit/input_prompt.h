// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for one line of text: a file name, a line number. What is wrong with it is said below the
// field as it is typed.
#pragma once

#include <functional>

#include "gui/kit/overlay.h"

class QLabel;
class QLineEdit;

namespace waferpair::gui {

class InputPrompt : public Overlay {
  Q_OBJECT
 public:
  // Empty when the text may be accepted, else what is wrong with it.
  using Check = std::function<QString(const QString& text)>;
  using Accepted = std::function<void(const QString& text)>;

  explicit InputPrompt(QWidget* window);

  // `text` is there at first, `selected` characters of it marked. Accepted with Return only when
  // `check` has no complaint; `accepted` runs after the panel has closed.
  void open(const QString& title, const QString& text, qsizetype selected, Check check,
            Accepted accepted);

 protected:
  int preferredWidth() const override { return 460; }

 private:
  void checkText();
  void accept();

  QLabel* title_;
  QLineEdit* input_;
  QLabel* complaint_;
  Check check_;
  Accepted accepted_;
};

}  // namespace waferpair::gui
