// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/rest.h"

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QHash>
#include <QTest>
#include <QThread>
#include <QThreadPool>
#include <QTimer>
#include <QTimerEvent>
#include <QWidget>
#include <optional>

#include "editor/text/busy.h"

namespace waferpair::test {
namespace {

constexpr qint64 kNoRestMs = 30'000;       // of real time
constexpr qint64 kNoRestSkipped = 60'000;  // milliseconds that the timers' clock was moved on

using Roots = QVector<const QObject*>;

Roots rootsOf(std::initializer_list<const QObject*> more) {
  Roots roots(more);
  roots.append(QCoreApplication::instance());
  if (qobject_cast<QApplication*>(QCoreApplication::instance()))
    for (const QWidget* window : QApplication::topLevelWidgets())
      if (!window->parent()) roots.append(window);
  return roots;
}

struct Due {
  QObject* object = nullptr;
  int timer = 0;
  qint64 at = 0;  // on the timers' clock
};

class Clock {
 public:
  // The timer that fires next.
  std::optional<Due> next(const Roots& roots) {
    std::optional<Due> first;
    const auto look = [&](QObject* object, int timer, int left) {
      auto known = due_.find({object, timer});
      if (known == due_.end()) known = due_.insert({object, timer}, now_ + left);
      if (!first || *known < first->at) first = Due{object, timer, *known};
    };
    for (const QObject* root : roots)
      for (QTimer* timer : editor::awaitedTimers(*root))
        look(timer, timer->timerId(), timer->remainingTime());
    // QTimer::singleShot() has objects of its own.
    auto* dispatcher = QAbstractEventDispatcher::instance();
    for (QObject* object : dispatcher->children())
      for (const auto& timer : dispatcher->registeredTimers(object))
        if (timer.interval <= editor::kLongestPauseMs)
          look(object, timer.timerId, dispatcher->remainingTime(timer.timerId));
    return first;
  }
  void fire(const Due& due) {
    now_ = std::max(now_, due.at);
    due_.remove({due.object, due.timer});
    QTimerEvent event(due.timer);
    QCoreApplication::sendEvent(due.object, &event);
  }
  qint64 now() const { return now_; }

 private:
  qint64 now_ = 0;  // milliseconds
  QHash<std::pair<QObject*, int>, qint64> due_;
};

// What no timer of ours moves on; it ends by itself.
QStringList working(const Roots& roots, qsizetype dueBefore) {
  QStringList busy = editor::markedWork().mid(dueBefore);
  if (QThreadPool::globalInstance()->activeThreadCount() > 0)
    busy.append(QStringLiteral("threads of the program"));
  for (const QObject* root : roots) busy += editor::workBelow(*root);
  return busy;
}

}  // namespace

void dealWithEvents() {
  auto* dispatcher = QAbstractEventDispatcher::instance();
  for (int i = 0; i < 1000; ++i) {
    const bool dealt = dispatcher->processEvents(QEventLoop::AllEvents);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    if (!dealt) return;
  }
}

void rest(std::initializer_list<const QObject*> more) {
  const qsizetype dueBefore = editor::markedWork().size();
  Clock clock;
  QElapsedTimer real;
  real.start();
  for (;;) {
    dealWithEvents();
    const Roots roots = rootsOf(more);
    const QStringList busy = working(roots, dueBefore);
    const std::optional<Due> due = clock.next(roots);
    if (busy.isEmpty() && !due) return;
    if (real.elapsed() > kNoRestMs || clock.now() > kNoRestSkipped) {
      QStringList left = busy;
      for (const QObject* root : roots) left += editor::busyBelow(*root);
      left.removeDuplicates();
      return QTest::qFail(
          qPrintable(QStringLiteral("There is no rest: ") + left.join(QStringLiteral(", "))),
          __FILE__, __LINE__);
    }
    if (busy.isEmpty()) {
      clock.fire(*due);
    } else {
      QThread::msleep(1);
    }
  }
}

}  // namespace waferpair::test
