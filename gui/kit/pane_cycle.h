// SPDX-License-Identifier: GPL-3.0-or-later
// F6: the keyboard goes from one part of the window to the next. UI thread only.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <functional>

class QWidget;

namespace waferpair::gui {

// Gives the keyboard to the first widget in `root` that the Tab key would reach, or to `root`
// itself; false if there is none.
bool focusFirst(QWidget* root);

class PaneCycle : public QObject {
  Q_OBJECT
 public:
  explicit PaneCycle(QObject* parent);

  // Parts are visited in the order in which they are added, those that cannot be seen are passed
  // over. A part may lie within another: the keyboard is then in the inner one. `enter` gives it
  // the keyboard and says whether it took it; without one it goes to where it was there last, or
  // first. The root outlives this.
  void add(QWidget* root, std::function<bool()> enter = {});

  // Goes one part on (+1) or back (-1), around the ends.
  void step(int direction);

 private:
  struct Pane {
    QWidget* root;
    std::function<bool()> enter;
    QPointer<QWidget> last;  // had the keyboard when it left
  };
  // The innermost pane that `widget` is in; -1: none.
  qsizetype paneOf(const QWidget* widget) const;
  static bool goInto(const Pane& pane);

  QList<Pane> panes_;
};

}  // namespace waferpair::gui
