// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions with a scripted adapter: at work, absent, broken, slow, lying and killed.
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>

#include "tests/workbench/debug/session_watch.h"
#include "workbench/debug/variables_model.h"

using namespace waferpair;
using namespace waferpair::workbench;
namespace programs = waferpair::programs;
using namespace std::chrono_literals;

namespace {

DebugSession::Start scripted(const QString& how) {
  DebugSession::Start start;
  start.adapter.adapter.id = "scripted";
  start.adapter.adapter.name = "Scripted";
  const QString script =
      QString::fromStdString(test::sourceDir()) + "/tests/workbench/debug/scripted_adapter.py";
  start.adapter.command = {"python3", {script, how}, {}};
  start.launch.name = "program";
  start.launch.program = "/p/program";
  start.launch.folder = "/";
  return start;
}

Breakpoint plainAt(int line) {
  Breakpoint one;
  one.path = "/p/a.c";
  one.line = line - 1;
  return one;
}

}  // namespace

class TestDebugSession : public QObject {
  Q_OBJECT
 private:
  // Stands at the first breakpoint.
  void stopAt(SessionWatch& watch, int line) {
    watch->begin();
    QTRY_COMPARE(watch.topLine(), line);
    QCOMPARE(watch->state(), DebugState::kStopped);
  }
  static QString cell(const QAbstractItemModel& model, int row, const QModelIndex& in = {},
                      int role = Qt::DisplayRole) {
    return model.index(row, 1, in).data(role).toString();
  }

 private Q_SLOTS:
  void itStopsGoesOnAndEnds() {
    Breakpoints breakpoints;
    breakpoints.put(plainAt(5));
    breakpoints.put(plainAt(9));
    SessionWatch watch(scripted({}), &breakpoints);
    QSignalSpy states(watch.get(), &DebugSession::stateChanged);
    stopAt(watch, 5);
    QCOMPARE(watch->reason(), "at a breakpoint");
    QCOMPARE(watch->threads().size(), 2);
    QCOMPARE(watch->threads()[1].thread.name, "worker");
    QVERIFY(watch->threads()[1].isStopped);
    QCOMPARE(watch->threads()[0].frames.size(), 3);
    QCOMPARE(watch->currentFrame()->name, "inner");
    QCOMPARE(watch.value("x"), "5");
    QCOMPARE(watch.value("nothing"), "!There is no nothing.");
    // Exceptions are those that the adapter has on at first.
    QCOMPARE(watch.value("filters"), "uncaught");
    watch->setExceptions({"raised", "unknown"});
    QCOMPARE(watch.value("filters"), "raised");
    watch->select(1, 2);
    QCOMPARE(watch->currentFrame()->name, "main");
    watch->step(DebugSession::Step::kOver);
    QTRY_COMPARE(watch.topLine(), 6);
    QCOMPARE(watch->reason(), "after a step");
    watch->step(DebugSession::Step::kIn);
    QTRY_COMPARE(watch.topLine(), 16);
    watch->step(DebugSession::Step::kOut);
    QTRY_COMPARE(watch.topLine(), 15);
    watch->resume();
    QTRY_VERIFY(watch->isOver());
    QCOMPARE(watch->exitCode(), 7);
    QVERIFY2(watch->problem().isEmpty(), qPrintable(watch->problem()));
    QVERIFY(watch.said().contains("console|launching /p/program\n"));
  }

  void breakpointsAreToldAsTheyChange() {
    Breakpoints breakpoints;
    breakpoints.put(plainAt(5));
    Breakpoint off = plainAt(7);
    off.isOn = false;
    breakpoints.put(off);
    Breakpoint conditional = plainAt(20);
    conditional.condition = "x > 1";
    conditional.hits = "3";
    breakpoints.put(conditional);
    breakpoints.put(plainAt(300));
    SessionWatch watch(scripted({}), &breakpoints);
    stopAt(watch, 5);
    const auto lines = [&] {
      const QJsonObject all = QJsonDocument::fromJson(watch.value("lines").toUtf8()).object();
      return QString::fromUtf8(
          QJsonDocument(all["/p/a.c"].toArray()).toJson(QJsonDocument::Compact));
    };
    QCOMPARE(lines(),
             R"([{"line":5},{"condition":"x > 1","hitCondition":"3","line":20},{"line":300}])");
    const qint64 far = breakpoints.at("/p/a.c", 299)->id;
    QVERIFY(!watch->bound(far)->isVerified);
    QCOMPARE(watch->bound(far)->message, "no code there");
    // It does not count hits, and says so.
    const auto counted = watch->bound(breakpoints.at("/p/a.c", 19)->id);
    QVERIFY(counted->isVerified && counted->message.contains("does not count"));
    breakpoints.toggle("/p/a.c", 4);
    breakpoints.toggle("/p/a.c", 10);
    QTRY_COMPARE(
        lines(),
        R"([{"line":11},{"condition":"x > 1","hitCondition":"3","line":20},{"line":300}])");
    // To the caret: a breakpoint that goes once it was reached.
    watch->runTo("/p/a.c", 7);
    QTRY_COMPARE(watch.topLine(), 8);
    QTRY_COMPARE(
        lines(),
        R"([{"line":11},{"condition":"x > 1","hitCondition":"3","line":20},{"line":300}])");
  }

  // This adapter cannot log: the session does it.
  void whatIsLoggedDoesNotStop() {
    Breakpoints breakpoints;
    Breakpoint log = plainAt(5);
    log.log = "x is {x}, {nothing}";
    breakpoints.put(log);
    breakpoints.put(plainAt(9));
    SessionWatch watch(scripted({}), &breakpoints);
    QVector<int> stops;
    connect(watch.get(), &DebugSession::frameChanged, watch.get(), [&] {
      if (watch.topLine() > 0) stops.append(watch.topLine());
    });
    watch->begin();
    QTRY_COMPARE(watch.topLine(), 9);
    QCOMPARE(stops, QVector<int>({9}));
    QVERIFY2(watch.said().contains("log|x is 5, {There is no nothing.}\n"),
             qPrintable(watch.said()));
  }

  void valuesAreATreeThatTellsWhatChanged() {
    Breakpoints breakpoints;
    breakpoints.put(plainAt(5));
    SessionWatch watch(scripted({}), &breakpoints);
    stopAt(watch, 5);
    VariablesModel model(VariablesModel::Kind::kFrame);
    VariablesModel watches(VariablesModel::Kind::kWatches);
    model.setSession(watch.get());
    watches.setSession(watch.get());
    watches.setWatches({"x", "nothing"});
    model.refresh(true);
    QTRY_COMPARE(model.rowCount(), 2);
    const QPersistentModelIndex locals = model.index(0, 0);
    QCOMPARE(locals.data().toString(), "Locals");
    QTRY_COMPARE(model.rowCount(locals), 4);
    QCOMPARE(cell(model, 0, locals), "5");
    QTRY_COMPARE(cell(watches, 0), "5");
    QTRY_COMPARE(cell(watches, 1), "There is no nothing.");
    // Registers take long: they are asked for when they are opened.
    QVERIFY(model.canFetchMore(model.index(1, 0)) && model.rowCount(model.index(1, 0)) == 0);
    const QPersistentModelIndex list = model.index(2, 0, locals);
    QVERIFY(model.hasChildren(list) && model.canFetchMore(list));
    model.fetchMore(list);
    QCOMPARE(model.rowCount(list), 3);
    QCOMPARE(model.index(2, 0, list).data().toString(), "[200 … 249]");
    const QPersistentModelIndex page = model.index(1, 0, list);
    model.fetchMore(page);
    QTRY_COMPARE(model.rowCount(page), 100);
    QCOMPARE(model.index(3, 0, page).data().toString(), "[103]");
    QCOMPARE(cell(model, 3, page), "515");
    const QPersistentModelIndex point = model.index(3, 0, locals);
    model.fetchMore(point);
    QTRY_COMPARE(cell(model, 0, point), "10");
    // After a step the rows are the same ones, and those with other values are marked.
    watch->step(DebugSession::Step::kOver);
    QTRY_COMPARE(watch.topLine(), 6);
    model.refresh(true);
    watches.refresh(true);
    QTRY_COMPARE(cell(model, 0, locals), "6");
    QTRY_COMPARE(cell(model, 0, point), "12");
    QTRY_COMPARE(cell(model, 3, page), "618");
    QTRY_COMPARE(cell(watches, 0), "6");
    const auto isChanged = [&](int row, const QModelIndex& in) {
      return model.index(row, 1, in).data(VariablesModel::kVariableChangedRole).toBool();
    };
    QVERIFY(isChanged(0, locals));
    QVERIFY(!isChanged(1, locals));
    QVERIFY(isChanged(0, point) && !isChanged(1, point) && isChanged(3, page));
    QVERIFY(watches.index(0, 1).data(VariablesModel::kVariableChangedRole).toBool());
    QCOMPARE(model.index(0, 1, locals).data(Qt::AccessibleTextRole).toString(), "6, changed");
    // A value is set; what cannot be set is said.
    QSignalSpy problems(&model, &VariablesModel::problem);
    QVERIFY(model.flags(model.index(0, 1, locals)).testFlag(Qt::ItemIsEditable));
    QVERIFY(!model.flags(model.index(0, 1)).testFlag(Qt::ItemIsEditable));
    model.setData(model.index(0, 1, locals), "42", Qt::EditRole);
    QTRY_COMPARE(cell(model, 0, locals), "42");
    QCOMPARE(watch.value("x"), "42");
    model.setData(model.index(0, 1, locals), "many", Qt::EditRole);
    QTRY_COMPARE(problems.size(), 1);
    QCOMPARE(problems[0][0].toString(), "That is no number.");
    QCOMPARE(cell(model, 0, locals), "42");
    QCOMPARE(model.locals().size(), 4);
  }

  void hugeValuesAreHeldToLimits() {
    Breakpoints breakpoints;
    breakpoints.put(plainAt(5));
    SessionWatch watch(scripted("huge"), &breakpoints);
    stopAt(watch, 5);
    VariablesModel model(VariablesModel::Kind::kFrame);
    model.setSession(watch.get());
    model.refresh(true);
    QTRY_COMPARE(model.rowCount(model.index(0, 0)), 4);
    const QModelIndex locals = model.index(0, 0);
    QCOMPARE(cell(model, 0, locals).size(), 1000);
    QCOMPARE(cell(model, 0, locals, VariablesModel::kVariableWholeRole).size(), 1 << 20);
    // A million values are a hundred pages of a hundred pages.
    const QModelIndex list = model.index(2, 0, locals);
    model.fetchMore(list);
    QCOMPARE(model.rowCount(list), 100);
    QCOMPARE(model.index(99, 0, list).data().toString(), "[990000 … 999999]");
    const QModelIndex inner = model.index(99, 0, list);
    model.fetchMore(inner);
    QCOMPARE(model.rowCount(inner), 100);
    const QPersistentModelIndex last = model.index(99, 0, inner);
    model.fetchMore(last);
    QTRY_COMPARE(model.rowCount(last), 100);
    QCOMPARE(model.index(99, 0, last).data().toString(), "[999999]");
  }

  void aTerminalIsAskedFor() {
    Breakpoints breakpoints;
    SessionWatch watch(scripted("terminal"), &breakpoints);
    QSignalSpy wanted(watch.get(), &DebugSession::runInTerminal);
    watch->begin();
    QTRY_COMPARE(wanted.size(), 1);
    const auto command = wanted[0][1].value<programs::ProgramCommand>();
    QCOMPARE(command.program, "/bin/sh");
    QCOMPARE(command.environment, QStringList({"PLACE=the terminal"}));
    QCOMPARE(wanted[0][3].toString(), "Its terminal");
    watch->ranInTerminal(wanted[0][0].toLongLong(), "It could not.");
    QTRY_VERIFY(watch.said().contains("terminal failed: It could not."));
  }

  void anAdapterMayConnect() {
    Breakpoints breakpoints;
    breakpoints.put(plainAt(5));
    DebugSession::Start start = scripted({});
    start.adapter.adapter.arguments = QStringList{"dap", "--client-addr=${address}"};
    start.adapter.command.arguments.append("${address}");
    SessionWatch watch(start, &breakpoints);
    stopAt(watch, 5);
    QCOMPARE(watch.value("x"), "5");
    watch->stop();
    QTRY_VERIFY(watch->isOver());
    QVERIFY2(watch->problem().isEmpty(), qPrintable(watch->problem()));
  }

  void itIsPausedAndStopped() {
    Breakpoints breakpoints;
    SessionWatch watch(scripted("terminal"), &breakpoints);
    watch->begin();
    QTRY_COMPARE(watch->state(), DebugState::kRunning);
    watch->pause();
    QTRY_COMPARE(watch->state(), DebugState::kStopped);
    QCOMPARE(watch->reason(), "as you wished");
    watch->stop();
    QTRY_VERIFY(watch->isOver());
    QVERIFY2(watch->problem().isEmpty(), qPrintable(watch->problem()));
    // Nothing happens to what is over.
    watch->resume();
    watch->step(DebugSession::Step::kOver);
    watch->stop();
    QVERIFY(watch.value("x").startsWith('!'));
  }

  // -- Adapters that do it wrong

  void whatIsWrongEndsItWithASentence_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("dies in a message")
        << "die"
        << "is gone. It ended with status 3. It said: the adapter is broken";
    QTest::newRow("refuses") << "refuse"
                             << "There is no program here.";
    QTest::newRow("no protocol") << "garbage"
                                 << "cannot be understood. What it sends is no message";
    QTest::newRow("silent") << "silent"
                            << "did not answer within 1 s";
  }
  void whatIsWrongEndsItWithASentence() {
    QFETCH(QString, how);
    QFETCH(QString, sentence);
    Breakpoints breakpoints;
    DebugSession::Start start = scripted(how);
    if (how == "silent") start.patience.first = 1s;
    SessionWatch watch(start, &breakpoints);
    watch->begin();
    QTRY_VERIFY_WITH_TIMEOUT(watch->isOver(), 20'000);
    QVERIFY2(watch->problem().contains(sentence), qPrintable(watch->problem()));
  }

  void whatIsAbsentIsSaid() {
    Breakpoints breakpoints;
    DebugSession::Start start = scripted({});
    start.adapter.command.program = "/no/such/adapter";
    SessionWatch watch(start, &breakpoints);
    watch->begin();
    QTRY_VERIFY(watch->isOver());
    QVERIFY2(watch->problem().contains("/no/such/adapter cannot be started"),
             qPrintable(watch->problem()));
  }

  void whatIsKilledIsSaid() {
    Breakpoints breakpoints;
    breakpoints.put(plainAt(5));
    SessionWatch watch(scripted("kill"), &breakpoints);
    stopAt(watch, 5);
    watch->resume();
    QTRY_VERIFY(watch->isOver());
    QVERIFY2(watch->problem().contains("is gone. It was ended by a signal."),
             qPrintable(watch->problem()));
    QVERIFY(watch->threads().isEmpty() && !watch->currentFrame());
  }

  void aSlowStartIsTold() {
    Breakpoints breakpoints;
    DebugSession::Start start = scripted("deaf");
    start.patience.slow = 300ms;
    SessionWatch watch(start, &breakpoints);
    QSignalSpy slow(watch.get(), &DebugSession::slow);
    watch->begin();
    QTRY_COMPARE(slow.size(), 1);
    QCOMPARE(watch->state(), DebugState::kStarting);
    QTRY_VERIFY(!watch->abilities().isEmpty());
    // It is deaf to the wish to end, too.
    watch->stop();
    QCOMPARE(watch->state(), DebugState::kEnding);
    watch->stop();
    QVERIFY(watch->isOver());
  }

  void whatDoesNotEndIsEnded() {
    Breakpoints breakpoints;
    breakpoints.put(plainAt(5));
    DebugSession::Start start = scripted("stay");
    start.patience.end = 300ms;
    SessionWatch watch(start, &breakpoints);
    stopAt(watch, 5);
    watch->stop();
    QTRY_VERIFY(watch->isOver());
  }

  void lateAndNoisyOnesWork() {
    Breakpoints breakpoints;
    breakpoints.put(plainAt(5));
    SessionWatch watch(scripted("late,noise"), &breakpoints);
    stopAt(watch, 5);
    QCOMPARE(watch.value("x"), "5");
  }

  void liesDoNoHarm() {
    Breakpoints breakpoints;
    breakpoints.put(plainAt(5));
    SessionWatch watch(scripted("lies"), &breakpoints);
    watch->begin();
    QTRY_COMPARE(watch->state(), DebugState::kStopped);
    QTRY_VERIFY(watch->currentFrame());
    QCOMPARE(watch->currentFrame()->line, 0);
    VariablesModel model(VariablesModel::Kind::kFrame);
    model.setSession(watch.get());
    model.refresh(true);
    QTRY_COMPARE(model.rowCount(), 2);
    QVERIFY(!model.hasChildren(model.index(0, 0)));
    watch->stop();
    QTRY_VERIFY(watch->isOver());
  }

  // The session is gone while the adapter still speaks.
  void oneThatIsDroppedTellsNobody() {
    Breakpoints breakpoints;
    breakpoints.put(plainAt(5));
    int answers = 0;
    {
      SessionWatch watch(scripted({}), &breakpoints);
      stopAt(watch, 5);
      watch->evaluate("x", "watch", [&](const Variable&, const QString& problem) {
        ++answers;
        QVERIFY(!problem.isEmpty());
      });
    }
    QCOMPARE(answers, 1);
    breakpoints.toggle("/p/a.c", 30);
  }
};

QTEST_GUILESS_MAIN(TestDebugSession)
#include "test_debug_session.moc"
