// SPDX-License-Identifier: GPL-3.0-or-later
// The row with which a terminal's text is searched. UI thread only.
#pragma once

#include <QWidget>
#include <functional>

class QLabel;
class QLineEdit;
class QToolButton;

namespace waferpair::gui {

class TerminalFindBar : public QWidget {
  Q_OBJECT
 public:
  explicit TerminalFindBar(QWidget* parent);

  // With this text to look for; empty: what was there stays.
  void open(const QString& text);
  // Goes to the match above (-1) or below (+1).
  void step(int direction);

  // Looks for a text; returns whether it is there.
  std::function<bool(const QString& text, bool isCaseSensitive, int direction)> find;

 Q_SIGNALS:
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QToolButton* addButton(const char* name, const char* symbol, const QString& text);
  void close();

  QLineEdit* text_;
  QToolButton* caseSensitive_;
  QLabel* state_;
};

}  // namespace waferpair::gui
