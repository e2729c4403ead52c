// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the steps of a plan, one after another, and tells what becomes of each test as soon as that
// is known. The programs end with this object. UI thread only; files of results are read by a
// thread.
#pragma once

#include <QObject>
#include <QQueue>
#include <QTemporaryDir>
#include <memory>
#include <optional>

#include "workbench/testing/test_plan.h"

namespace waferpair::programs {
class ChildProcess;
}

namespace waferpair::workbench {

// How a step ended.
struct StepEnd {
  std::optional<int> status;  // none: it was ended by a signal, or could not be started
  QString how;                // a sentence
  QByteArray output;          // the end of it
  qsizetype failed = 0;       // tests, as far as it told of any
  bool isFine() const { return status == 0; }
};

class TestRun : public QObject {
  Q_OBJECT
 public:
  static constexpr qsizetype kMostKept = 4 << 20;  // bytes of a step's output

  explicit TestRun(QObject* parent = nullptr);
  ~TestRun() override;

  // Behind those that wait. May be called while it runs, from stepEnded(), too.
  void add(const QVector<TestStep>& steps);
  void start();
  // Until release() it does not end, though nothing waits: more is on its way.
  void hold() { ++holds_; }
  void release();
  // Ends what runs; nothing behind it is begun.
  void cancel();
  bool isRunning() const { return isRunning_; }
  bool wasCancelled() const { return wasCancelled_; }

 Q_SIGNALS:
  void stepBegan(const waferpair::workbench::TestStep& step);
  void wrote(const QByteArray& bytes);
  void took(const QVector<waferpair::workbench::TestOutcome>& outcomes);
  // Where a build failed, none follows.
  void stepEnded(const waferpair::workbench::TestStep& step,
                 const waferpair::workbench::StepEnd& end);
  void ended();

 private:
  void next();
  void take(const QByteArray& bytes);
  void tell(const QVector<TestOutcome>& outcomes);
  void programEnded(const QString& how);
  void finishStep(const QVector<TestOutcome>& outcomes);

  QQueue<TestStep> waiting_;
  TestStep step_;
  StepEnd end_;
  std::unique_ptr<OutputReader> reader_;
  programs::ChildProcess* process_ = nullptr;  // of the step that runs
  QTemporaryDir folder_;                       // for files of results
  QString resultFile_;
  int begun_ = 0;
  int holds_ = 0;
  bool isRunning_ = false;
  bool isIdle_ = false;  // it is held, and nothing runs
  bool wasCancelled_ = false;
};

// What the user can do about a step that told of no test, judging by what it printed; empty: that
// is not known.
QString remedyFor(const TestStep& step, const StepEnd& end);

}  // namespace waferpair::workbench
