// SPDX-License-Identifier: GPL-3.0-or-later
// Runs tests by their own programs, builds them first where they are compiled, and tells what
// became of them: to the book of tests, to the list of problems, and to whoever shows how far it
// is. UI thread only; what is to be run is worked out by a thread.
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <functional>

#include "gui/testing/test_book.h"
#include "workbench/testing/test_run.h"

namespace waferpair::gui {

class TestRunner : public QObject {
  Q_OBJECT
 public:
  static constexpr qsizetype kMostOutput = 1 << 20;  // bytes of the end of what a run printed

  // `book` outlives this.
  TestRunner(const TestParts& parts, TestBook* book, QObject* parent = nullptr);

  // Each saves open files first. While tests run, none of these does anything but say so.
  void run(const QVector<workbench::WantedTest>& wanted);
  void runAll();
  // Has what run() would run debugged, once it is built.
  void debug(const workbench::WantedTest& wanted);
  void runFailed();
  // What was run last.
  void again();
  void cancel();
  // Has the project's own programs list tests that files do not show.
  void list();

  bool isRunning() const { return run_ && run_->isRunning(); }
  bool hasRun() const { return hasRun_; }
  // What runs just now: "cmake --build".
  const QString& step() const { return step_; }
  // Tests that have ended, and that there are in this run; 0: that is not known.
  int done() const { return static_cast<int>(done_.size()); }
  int total() const { return total_; }
  // Of those that have ended.
  int count(workbench::TestState state) const;
  // Of the run that is under way, or was last.
  qint64 took() const { return isRunning() ? clock_.elapsed() : took_; }
  // The end of what its programs printed.
  const QByteArray& output() const { return output_; }

  // The worst failure of the test or what is in it, given to the model to fix in its place. False:
  // there is none whose place is known.
  bool fix(const workbench::TestId& id);
  // The line of a test's failure, from 1, as the text is by now, and its file; 0: it is not known.
  int failedLine(const workbench::TestId& id, QString* path) const;
  // What a test is run for, with the file that it stands in.
  workbench::WantedTest wantedOf(const workbench::TestId& id) const;

 Q_SIGNALS:
  // Of what runs, how far it is, or how it ended.
  void changed();

 private:
  // What is to be run: all, or these.
  struct Wish {
    bool isAll = false;
    bool isList = false;
    QVector<workbench::WantedTest> wanted;
    bool isDebug = false;
  };

  void start(const Wish& wish);
  void startTrusted(const Wish& wish);
  void begin(const Wish& wish);
  void plan(const std::function<workbench::TestPlan()>& work);
  void beginDebugging();
  void take(const QVector<workbench::TestOutcome>& outcomes);
  void stepEnded(const workbench::TestStep& step, const workbench::StepEnd& end);
  void buildEnded(const workbench::TestStep& step, const workbench::StepEnd& end);
  void ended();
  void report(const workbench::TestId& id);
  void retract(const workbench::TestId& group);
  void say(const QString& text);

  TestParts p_;
  TestBook* book_;
  workbench::TestRun* run_ = nullptr;  // the last one
  Wish last_;
  bool hasRun_ = false;
  std::optional<workbench::TestStep> debugged_;  // what is left for the debugger
  QString step_;
  QHash<QString, workbench::TestState> done_;  // by the keys of tests
  int total_ = 0;
  QElapsedTimer clock_;
  qint64 took_ = 0;
  QByteArray output_;
  QVector<workbench::TestId> listedByPytest_;
  // What the list of problems has of tests, by their keys.
  struct Reported {
    workbench::TestId id;
    QString path;
    QJsonValue told;
  };
  QHash<QString, Reported> reported_;
};

}  // namespace waferpair::gui
