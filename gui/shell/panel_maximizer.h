// SPDX-License-Identifier: GPL-3.0-or-later
// The panel below the text (the terminal, the search, the problems, ...) takes nearly all of the
// height, until it is asked for again or the text gets the keyboard. Another panel that comes in
// its place is as high. The next start has the panel as it was before. UI thread only.
#pragma once

#include <QObject>

class QDockWidget;
class QMainWindow;

namespace waferpair::gui {

class BannerStack;
class CommandRegistry;
class SessionKeeper;

class PanelMaximizer : public QObject {
  Q_OBJECT
 public:
  // The window owns it; the others outlive it.
  PanelMaximizer(QMainWindow* window, SessionKeeper* session);

  bool isOn() const { return on_; }
  // False: no panel is shown that could be.
  bool set(bool on);
  // Gives the panel's head a button for it.
  void addButton(QDockWidget* panel);

 Q_SIGNALS:
  void changed(bool on);

 private:
  // The one below the text; null: none is shown.
  QDockWidget* panel() const;
  void fit();

  QMainWindow* window_;
  SessionKeeper* session_;
  bool on_ = false;
  bool isHigh_ = false;  // it was left so by a panel that was hidden
  int before_ = 0;       // pixels of height
};

void addPanelMaximizeCommand(CommandRegistry& commands, PanelMaximizer* maximizer,
                             BannerStack* notices);

}  // namespace waferpair::gui
