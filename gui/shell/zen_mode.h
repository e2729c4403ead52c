// SPDX-License-Identifier: GPL-3.0-or-later
// The text and nothing else: menus, tools, docks, tabs and the status bar are hidden and the window
// has the whole screen, until it is left by the same key or by Esc twice. Everything is then where
// it was. UI thread only.
#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QPointer>

class QMainWindow;

namespace waferpair::gui {

class CommandRegistry;
class Document;
class EditorTabs;
class SessionKeeper;

class ZenMode : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  ZenMode(QMainWindow* window, EditorTabs* tabs, SessionKeeper* session);

  bool isOn() const { return on_; }
  void set(bool on);

 Q_SIGNALS:
  void changed(bool on);

 private:
  void enter();
  void leave();
  void showBars(bool shown);

  QMainWindow* window_;
  EditorTabs* tabs_;
  SessionKeeper* session_;
  bool on_ = false;
  bool escaped_ = false;  // Esc was pressed, and nothing was done since
  QByteArray layout_;     // as it was
  Qt::WindowStates states_;
  QList<QPointer<QWidget>> hidden_;
};

void addZenCommand(CommandRegistry& commands, ZenMode* zen);

}  // namespace waferpair::gui
