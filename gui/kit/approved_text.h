// SPDX-License-Identifier: GPL-3.0-or-later
// The one box for what the user is asked to agree to (a command, its environment, a file): all of
// it can be read. Characters that one does not see stand there by their codes, long runs of blanks
// and of empty lines as how many they are, lines are wrapped, and the text runs from left to right.
// What is longer than the box is scrolled, and buttons that consent wait until its end was in
// sight. UI thread only.
#pragma once

#include <QPlainTextEdit>

namespace waferpair::gui {

class SeenToEnd;

class ApprovedText : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit ApprovedText(QWidget* parent);

  // Shows another text; its end has not been in sight.
  void showText(const QString& text);
  // As it was passed.
  const QString& text() const { return text_; }
  // Tells when all of it was seen, and holds buttons back until then.
  SeenToEnd* seen() const { return seen_; }

  // As high as its rows, up to these.
  void setMostRows(int rows);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fit();

  QString text_;
  int mostRows_ = 8;
  SeenToEnd* seen_;
};

// Sets up a field in which such a text can be edited: it wraps and scrolls as the box does.
void wrapAnywhere(QPlainTextEdit* field);
// The rows that its text takes at its width, and the height that so many rows take.
int rowsOf(const QPlainTextEdit& field);
int heightOf(const QPlainTextEdit& field, int rows);

}  // namespace waferpair::gui
