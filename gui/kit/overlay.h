// SPDX-License-Identifier: GPL-3.0-or-later
// A panel that floats over the top of the window for one short interaction. It is a child of the
// window, not a window of its own (no window manager is involved, and the keyboard stays put). It
// closes on Esc and when the focus goes elsewhere; where the focus was it is again (KeyboardHome).
#pragma once

#include <QFrame>

namespace waferpair::gui {

class Overlay : public QFrame {
  Q_OBJECT
 public:
  explicit Overlay(QWidget* window);

  bool isOpen() const { return isVisible(); }
  void dismiss();

 Q_SIGNALS:
  void closed();

 protected:
  // Shows the panel at the top center and gives `focus` the keyboard.
  void present(QWidget* focus);
  // Keeps the panel within the window; called again when either changes size.
  void place();
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  // Called by place(): makes the panel no higher than this, in pixels.
  virtual void fit(int /*height*/) {}
  // The widest useful width in pixels; the window may allow less.
  virtual int preferredWidth() const { return 620; }

 private:
  void focusMoved(QWidget* from, QWidget* to);
};

}  // namespace waferpair::gui
