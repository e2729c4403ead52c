// SPDX-License-Identifier: GPL-3.0-or-later
// A note below a field that one types in: it says which characters in it one does not see, and
// takes them out. Hidden while there are none. UI thread only.
#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace waferpair::gui {

class UnseenNote : public QWidget {
  Q_OBJECT
 public:
  // `words`: "It has characters that one does not see: %1"; `name` begins the names of its parts
  // ("commit": "commitUnseen", "commitTakeOut"). `field` outlives this.
  UnseenNote(QPlainTextEdit* field, const QString& name, const QString& words, QWidget* parent);

  // The field has some.
  bool hasUnseen() const { return hasUnseen_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void look();

  QPlainTextEdit* field_;
  QString words_;
  QLabel* text_;
  bool hasUnseen_ = false;
};

}  // namespace waferpair::gui
