// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/busy.h"

#include <QLatin1String>
#include <QMetaObject>
#include <QThreadPool>
#include <QTimer>
#include <utility>

namespace waferpair::editor {
namespace {

constexpr int kClockMs = 500;  // one that repeats as slowly shows time, as a caret does

QString servedBy(const QObject& part, const char* what) {
  const QObject* served = part.parent();
  return QLatin1String(what) + QLatin1String(" of ") +
         QLatin1String(served ? served->metaObject()->className() : "the program");
}

QList<const BusyMark*>& marks() {
  static QList<const BusyMark*> all;
  return all;
}

}  // namespace

QVector<QTimer*> awaitedTimers(const QObject& root) {
  QVector<QTimer*> awaited;
  for (QTimer* timer : root.findChildren<QTimer*>()) {
    const int pause = timer->interval();
    const bool isAwaited = timer->isSingleShot() ? pause <= kLongestPauseMs : pause < kClockMs;
    if (timer->isActive() && isAwaited && timer->objectName() != QLatin1String(kUnawaited))
      awaited.append(timer);
  }
  return awaited;
}

QStringList workBelow(const QObject& root) {
  QStringList busy;
  for (const QThreadPool* pool : root.findChildren<QThreadPool*>())
    if (pool->activeThreadCount() > 0) busy.append(servedBy(*pool, "threads"));
  for (const QObject* object : root.findChildren<QObject*>()) {
    const auto* worker = dynamic_cast<const Busy*>(object);
    const QString work = worker ? worker->busyWith() : QString();
    if (!work.isEmpty()) busy.append(work);
  }
  return busy;
}

QStringList busyBelow(const QObject& root) {
  QStringList busy;
  for (const QTimer* timer : awaitedTimers(root)) busy.append(servedBy(*timer, "timer"));
  return busy + workBelow(root);
}

BusyMark::BusyMark(QString work) : work_(std::move(work)) { marks().append(this); }

BusyMark::~BusyMark() { marks().removeOne(this); }

QStringList markedWork() {
  QStringList work;
  for (const BusyMark* mark : marks()) work.append(mark->work_);
  return work;
}

}  // namespace waferpair::editor
