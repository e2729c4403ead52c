// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps what is open (tabs, carets, the window's layout) on disk while the program runs, so that
// after a kill the next start looks as after a clean end. UI thread only: there it is collected, a
// moment after a change and never while a key is handled; a thread of its own writes it, and only
// what differs from what was written last.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <optional>

#include "gui/store/session_store.h"

class QMainWindow;

namespace waferpair::gui {

class Document;
class EditorTabs;
class Workspace;

class SessionKeeper : public QObject {
  Q_OBJECT
 public:
  // All three outlive this.
  SessionKeeper(EditorTabs* tabs, Workspace* workspace, QMainWindow* window);
  // Waits for what is being written.
  ~SessionKeeper() override;

  // Call when what was open last time has been opened. Before this nothing is kept, lest a
  // half-opened session take the place of the whole one.
  void begin();
  // While it is held, the window's layout on disk stays as it was before.
  void holdLayout(bool hold);
  // Returns when all of it is on disk.
  void store();
  // The same for the last time: what follows is the end of the program. Touches no window when the
  // layout has not changed since it was kept.
  void end();

 Q_SIGNALS:
  void problem(const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void track(Document* document);
  void storeWithin(int ms);
  void layoutChanged();
  WindowLayout layoutNow() const;
  void write();

  EditorTabs* tabs_;
  Workspace* workspace_;
  QMainWindow* window_;
  QTimer timer_{this};
  bool keeping_ = false;
  bool layoutDirty_ = true;
  std::optional<WindowLayout> held_;  // the layout to keep in place of the window's own
  std::optional<Session> written_;
  QThreadPool thread_{this};  // of one thread, so that the newest is written last
};

}  // namespace waferpair::gui
