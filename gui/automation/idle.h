// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether anything is still under way that will change what the program shows: the model at
// work, a folder being read, a search, text not highlighted yet, an animation. UI thread only.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QStringList>

class QMainWindow;

namespace waferpair::gui {

class RuntimeService;

class Idle : public QObject {
  Q_OBJECT
 public:
  // `runtime` may be null. Neither is owned, both outlive this.
  Idle(QMainWindow* window, RuntimeService* runtime, QObject* parent = nullptr);

  // The work under way, in words; empty: none. Work that events in the queue will begin is not
  // known of: ask again after they have been dealt with.
  QStringList busyWith() const;

 private:
  QMainWindow* window_;
  RuntimeService* runtime_;
  // A last, quiet frame of telemetry is due after a completion; it is not waited for long.
  bool quietFrameDue_ = false;
  QElapsedTimer sinceCompletion_;
};

}  // namespace waferpair::gui
