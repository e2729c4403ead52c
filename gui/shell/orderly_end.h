// SPDX-License-Identifier: GPL-3.0-or-later
// Lets the program leave in order when it is ended from outside: by SIGTERM, SIGINT or SIGHUP, or
// because its display is gone (Qt calls exit() for X11 and _exit() for Wayland then) or cannot go
// on (qFatal). What cannot be caught is left to the recovery copies.
#pragma once

#include <QObject>
#include <functional>

namespace waferpair::gui {

class OrderlyEnd : public QObject {
  Q_OBJECT
 public:
  // `keep` puts on disk what is not there yet. It is called on the main thread, with the windows as
  // they are, and for a lost display from within exit() or a Qt message: so it asks nothing, draws
  // nothing and runs no event loop. At most one of these at a time.
  explicit OrderlyEnd(std::function<void()> keep);
  // Restores signals, exit() and messages.
  ~OrderlyEnd() override;

  // Keeps, once at a time.
  void keepNow();

 private:
  void onSignal();

  std::function<void()> keep_;
  bool busy_ = false;
};

}  // namespace waferpair::gui
