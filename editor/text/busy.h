// SPDX-License-Identifier: GPL-3.0-or-later
// The work that is still under way below an object. The tree of objects is the register: a timer
// and a pool of threads are children of what they serve, and a timer runs only while there is
// something for it to do. What works in another way says so itself. UI thread only.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

class QObject;
class QTimer;

namespace waferpair::editor {

// Implemented by objects whose work neither a timer nor a pool shows: a process that was asked,
// say.
class Busy {
 public:
  virtual ~Busy() = default;
  // The work under way, in words; empty: none.
  virtual QString busyWith() const = 0;
};

// The name of a timer whose work nobody waits for.
inline constexpr char kUnawaited[] = "unawaited";

// A pause that somebody waits for; a timer with a longer one looks at disks again, say.
inline constexpr int kLongestPauseMs = 1500;

// The timers below it that will soon change something: neither such as have longer pauses nor such
// as only show that time passes.
QVector<QTimer*> awaitedTimers(const QObject& root);

// The threads at work below it, and what says itself that it is busy, in words; empty: neither.
QStringList workBelow(const QObject& root);

// All of it, with the timers.
QStringList busyBelow(const QObject& root);

// Work that belongs to no tree, for as long as this lives: a reply that its reader owns, say.
class BusyMark {
 public:
  explicit BusyMark(QString work);
  ~BusyMark();
  BusyMark(const BusyMark&) = delete;
  BusyMark& operator=(const BusyMark&) = delete;

 private:
  friend QStringList markedWork();
  QString work_;
};
QStringList markedWork();

}  // namespace waferpair::editor
