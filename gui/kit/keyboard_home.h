// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that the user did not ask to go to gets the keyboard. Where what has it is hidden,
// disabled or deleted, Qt gives it to whatever comes next in the order of the Tab key: a notice's
// Dismiss, the tool bar, a terminal. Here it goes back to what had it before, or to the window's
// text. UI thread only.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QWidget>
#include <functional>

namespace waferpair::gui {

class KeyboardHome : public QObject {
 public:
  // Watches over `window`, which outlives this. `goHome` gives the keyboard to the text: called
  // where nothing that had it before can be gone back to.
  KeyboardHome(QWidget* window, std::function<void()> goHome);

 private:
  void moved(QWidget* from, QWidget* to);
  void giveBack(const QWidget* surface);
  QWidget* backTo(const QWidget* surface) const;

  QWidget* window_;
  std::function<void()> goHome_;
  QList<QPointer<QWidget>> before_;  // what had the keyboard, the latest last
  bool givesBack_ = false;
};

}  // namespace waferpair::gui
