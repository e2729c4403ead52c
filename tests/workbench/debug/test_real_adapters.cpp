// SPDX-License-Identifier: GPL-3.0-or-later
// Real programs, debugged with the adapters that are installed: breakpoints, conditions, counts,
// logs, steps, values, exceptions, restart, attaching, cores.
#include <signal.h>
#include <sys/prctl.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "tests/workbench/debug/session_watch.h"
#include "workbench/debug/process_list.h"
#include "workbench/debug/variables_model.h"

using namespace waferpair;
using namespace waferpair::workbench;

namespace {

constexpr int kAdapterPatience = 60'000;    // ms: of a busy machine
constexpr int kCompilerPatience = 240'000;  // ms

const char kCppProgram[] = R"(#include <cstdio>
#include <cstdlib>
#include <vector>
struct Point { int a; int b; };
int twice(int x) {
  int result = x * 2;
  return result;
}
int main(int argc, char**) {
  std::vector<int> list(250, 7);
  Point point{1, 2};
  int sum = 0;
  for (int i = 0; i < 10; ++i) {
    sum += twice(i);
    point.a = i;
  }
  std::printf("sum %d\n", sum);
  std::fflush(stdout);
  if (argc > 1) std::abort();
  return sum == 90 ? 3 : 4;
}
)";

const char kPythonProgram[] = R"(import sys

def twice(x):
    result = x * 2
    return result

def main():
    point = {"a": 1, "b": 2}
    total = 0
    for i in range(10):
        total += twice(i)
        point["a"] = i
    print("total", total)
    if len(sys.argv) > 1:
        raise ValueError("a bad value")
    return total

main()
)";

DebugAdapters shippedOnes() {
  QFile file(QString::fromStdString(test::sourceDir()) + "/resources/debug_adapters.json");
  if (!file.open(QIODevice::ReadOnly)) return {};
  return readDebugAdapters(file.readAll(), "debug_adapters.json");
}

struct Language {
  QString name;  // the editor's
  QString file;
  QByteArray text;
  int resultLine;  // "result = ...", from 1
  int returnLine;
  int pointLine;  // point.a = i
  int printLine;
  QString sum;  // the variable
  int exitCode;
};

const Language kCpp{"C++", "x.cpp", kCppProgram, 6, 7, 15, 17, "sum", 3};
const Language kPython{"Python", "x.py", kPythonProgram, 4, 5, 12, 13, "total", 0};

}  // namespace

class TestRealAdapters : public QObject {
  Q_OBJECT
 private:
  // Writes and builds the program; empty where something for that is missing.
  QString built(const Language& language) {
    const QString source = folder_.filePath(language.file);
    QFile file(source);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(language.text);
    file.close();
    if (language.name == "Python") return source;
    const QString program = folder_.filePath("x");
    QProcess compiler;
    compiler.start("g++", {"-g", "-O0", source, "-o", program});
    return compiler.waitForFinished(kCompilerPatience) && compiler.exitCode() == 0 ? program
                                                                                   : QString();
  }
  FoundAdapter found(const Language& language) {
    return findAdapter(shippedOnes().forLanguage(language.name),
                       QProcessEnvironment::systemEnvironment());
  }
  DebugSession::Start startOf(const Language& language, const QStringList& arguments = {}) {
    DebugSession::Start start;
    start.adapter = found(language);
    start.launch.name = "x";
    start.launch.language = language.name;
    start.launch.program = built(language);
    start.launch.arguments = arguments;
    start.launch.folder = folder_.path();
    start.launch.where = DebugLaunch::Where::kConsole;
    start.patience.first = std::chrono::milliseconds(kAdapterPatience);
    start.patience.end = std::chrono::milliseconds(kAdapterPatience);
    return start;
  }
  Breakpoint at(const Language& language, int line) {
    Breakpoint one;
    one.path = QFileInfo(folder_.filePath(language.file)).canonicalFilePath();
    if (one.path.isEmpty()) one.path = folder_.filePath(language.file);
    one.line = line - 1;
    return one;
  }
  void languages() {
    QTest::addColumn<bool>("isPython");
    QTest::newRow("C++") << false;
    QTest::newRow("Python") << true;
  }
  static const Language& language() {
    QFETCH(bool, isPython);
    return isPython ? kPython : kCpp;
  }

  QTemporaryDir folder_;

#define NEED(adapter) \
  if (!(adapter).isFine()) QSKIP(qPrintable((adapter).problem))
#define TRY_LINE(watch, line) QTRY_COMPARE_WITH_TIMEOUT((watch).topLine(), line, kAdapterPatience)

 private Q_SLOTS:
  void aProgramIsSteppedThrough_data() { languages(); }
  void aProgramIsSteppedThrough() {
    const Language& l = language();
    const DebugSession::Start start = startOf(l);
    NEED(start.adapter);
    QVERIFY(!start.launch.program.isEmpty());
    Breakpoints breakpoints;
    breakpoints.put(at(l, l.resultLine));
    SessionWatch watch(start, &breakpoints);
    watch->begin();
    TRY_LINE(watch, l.resultLine);
    QCOMPARE(watch->reason(), "at a breakpoint");
    QVERIFY(watch->currentFrame()->name.contains("twice"));
    QVERIFY(watch->bound(breakpoints.all().constFirst().id)->isVerified);
    QCOMPARE(watch.value("x"), "0");
    watch->step(DebugSession::Step::kOver);
    TRY_LINE(watch, l.returnLine);
    QCOMPARE(watch.value("result"), "0");
    watch->resume();
    TRY_LINE(watch, l.resultLine);
    QCOMPARE(watch.value("x + 10"), "11");
    watch->step(DebugSession::Step::kOut);
    QTRY_VERIFY_WITH_TIMEOUT(watch->currentFrame() && watch->currentFrame()->name.contains("main"),
                             kAdapterPatience);
    // The caller's values from within, too.
    breakpoints.clear();
    watch->runTo(at(l, 1).path, l.pointLine - 1);
    TRY_LINE(watch, l.pointLine);
    QCOMPARE(watch.value("i"), "1");
    watch->resume();
    QTRY_VERIFY_WITH_TIMEOUT(watch->isOver(), kAdapterPatience);
    QVERIFY2(watch->problem().isEmpty(), qPrintable(watch->problem()));
    QCOMPARE(watch->exitCode(), l.exitCode);
    QTRY_VERIFY2(watch.printed().contains(l.sum + " 90"), qPrintable(watch.said()));
  }

  void valuesAreSeenAndSet_data() { languages(); }
  void valuesAreSeenAndSet() {
    const Language& l = language();
    const DebugSession::Start start = startOf(l);
    NEED(start.adapter);
    Breakpoints breakpoints;
    breakpoints.put(at(l, l.pointLine));
    SessionWatch watch(start, &breakpoints);
    watch->begin();
    TRY_LINE(watch, l.pointLine);
    VariablesModel model(VariablesModel::Kind::kFrame);
    model.setSession(watch.get());
    model.refresh(true);
    const auto row = [&](const QString& name, const QModelIndex& in) -> QModelIndex {
      for (int i = 0; i < model.rowCount(in); ++i)
        if (model.index(i, 0, in).data().toString() == name) return model.index(i, 1, in);
      return {};
    };
    const auto local = [&](const QString& name) { return row(name, model.index(0, 0)); };
    QTRY_VERIFY_WITH_TIMEOUT(local("i").isValid(), kAdapterPatience);
    QCOMPARE(local("i").data().toString(), "0");
    QCOMPARE(local(l.sum).data().toString(), "0");
    watch->resume();
    QTRY_VERIFY_WITH_TIMEOUT(!watch->isStopped(), kAdapterPatience);
    TRY_LINE(watch, l.pointLine);
    model.refresh(true);
    QTRY_COMPARE_WITH_TIMEOUT(local(l.sum).data().toString(), "2", kAdapterPatience);
    QVERIFY(local(l.sum).data(VariablesModel::kVariableChangedRole).toBool());
    // What is in a value.
    const QModelIndex point = local("point").siblingAtColumn(0);
    QVERIFY(model.hasChildren(point));
    model.fetchMore(point);
    const QString b = l.name == "Python" ? "'b'" : "b";
    QTRY_VERIFY_WITH_TIMEOUT(row(b, local("point").siblingAtColumn(0)).isValid(), kAdapterPatience);
    QCOMPARE(row(b, local("point").siblingAtColumn(0)).data().toString(), "2");
    // Another value: the program ends otherwise.
    QVERIFY(local(l.sum).flags().testFlag(Qt::ItemIsEditable));
    model.setData(local(l.sum), "1000", Qt::EditRole);
    QTRY_COMPARE_WITH_TIMEOUT(local(l.sum).data().toString(), "1000", kAdapterPatience);
    breakpoints.clear();
    watch->resume();
    QTRY_VERIFY_WITH_TIMEOUT(watch->isOver(), kAdapterPatience);
    QTRY_VERIFY2(watch.printed().contains(l.sum + " 1088"), qPrintable(watch.said()));
  }

  void conditionsCountsAndLogs_data() { languages(); }
  void conditionsCountsAndLogs() {
    const Language& l = language();
    const DebugSession::Start start = startOf(l);
    NEED(start.adapter);
    Breakpoints breakpoints;
    Breakpoint log = at(l, l.returnLine);
    log.log = "result is {result}!";
    breakpoints.put(log);
    Breakpoint condition = at(l, l.resultLine);
    condition.condition = "x == 4";
    breakpoints.put(condition);
    SessionWatch watch(start, &breakpoints);
    watch->begin();
    TRY_LINE(watch, l.resultLine);
    QCOMPARE(watch.value("x"), "4");
    QTRY_VERIFY2_WITH_TIMEOUT(watch.said().contains("result is 6!"), qPrintable(watch.said()),
                              kAdapterPatience);
    QVERIFY(!watch.said().contains("result is 8!"));
    // From now on the third time.
    Breakpoint count = at(l, l.resultLine);
    count.hits = "3";
    QSignalSpy bound(watch.get(), &DebugSession::boundChanged);
    breakpoints.put(count);
    QTRY_VERIFY_WITH_TIMEOUT(!bound.isEmpty(), kAdapterPatience);
    watch->resume();
    QTRY_VERIFY_WITH_TIMEOUT(!watch->isStopped(), kAdapterPatience);
    TRY_LINE(watch, l.resultLine);
    QCOMPARE(watch.value("x"), "7");
  }

  void aPythonExceptionIsShown() {
    const DebugSession::Start start = startOf(kPython, {"raise"});
    NEED(start.adapter);
    Breakpoints breakpoints;
    SessionWatch watch(start, &breakpoints);
    watch->begin();
    TRY_LINE(watch, 15);
    QCOMPARE(watch->reason(), "at an exception");
    QTRY_VERIFY2_WITH_TIMEOUT(watch->exceptionText().contains("a bad value"),
                              qPrintable(watch->exceptionText()), kAdapterPatience);
  }

  void aCrashIsShownInTheProgramsOwnCode() {
    const DebugSession::Start start = startOf(kCpp, {"crash"});
    NEED(start.adapter);
    Breakpoints breakpoints;
    SessionWatch watch(start, &breakpoints);
    watch->begin();
    // abort() itself has no source here: the caller is shown.
    TRY_LINE(watch, 19);
    QVERIFY(watch->currentFrameIndex() > 0);
    // What it is about is asked for apart from where it stands.
    QTRY_VERIFY2_WITH_TIMEOUT(
        watch->reason().contains("SIGABRT") || watch->exceptionText().contains("SIGABRT"),
        qPrintable(watch->reason() + " " + watch->exceptionText()), kAdapterPatience);
  }

  void instructionsAreShownAndStepped() {
    const DebugSession::Start start = startOf(kCpp);
    NEED(start.adapter);
    Breakpoints breakpoints;
    breakpoints.put(at(kCpp, kCpp.resultLine));
    SessionWatch watch(start, &breakpoints);
    watch->begin();
    TRY_LINE(watch, kCpp.resultLine);
    if (!watch->can("supportsDisassembleRequest"))
      QSKIP(qPrintable(watch->adapter().name + " of this version does not tell instructions."));
    QVector<Instruction> got;
    const QString reference = watch->currentFrame()->instruction;
    watch->disassemble(reference, 0, 10,
                       [&](const QVector<Instruction>& all, const QString&) { got = all; });
    QTRY_COMPARE_WITH_TIMEOUT(got.size(), 10, kAdapterPatience);
    QCOMPARE(got[0].address.toULongLong(nullptr, 0), reference.toULongLong(nullptr, 0));
    if (!watch->can("supportsSteppingGranularity")) return;  // LLDB 18 and 19
    watch->step(DebugSession::Step::kOver, true);
    QTRY_VERIFY_WITH_TIMEOUT(
        watch->currentFrame() && watch->currentFrame()->instruction != reference, kAdapterPatience);
    QCOMPARE(watch.topLine(), kCpp.resultLine);
  }

  // A process is attached to, and lives on once it is let go.
  void aProcessIsAttachedTo() {
    DebugSession::Start start = startOf(kCpp);
    NEED(start.adapter);
    const QString source = folder_.filePath("wait.cpp");
    QFile file(source);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        "#include <unistd.h>\nvolatile int go = 1;\nint main() {\n  while (go) {\n    "
        "usleep(20000);\n  }\n  return 5;\n}\n");
    file.close();
    QProcess compiler;
    compiler.start("g++", {"-g", "-O0", source, "-o", folder_.filePath("wait")});
    QVERIFY(compiler.waitForFinished(kCompilerPatience) && compiler.exitCode() == 0);
    QProcess process;
    process.setChildProcessModifier([] { ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); });
    process.start(folder_.filePath("wait"), QStringList());
    QVERIFY(process.waitForStarted());
    const QVector<RunningProcess> all = runningProcesses();
    QVERIFY(std::any_of(all.begin(), all.end(), [&](const RunningProcess& each) {
      return each.pid == process.processId() && each.name == "wait";
    }));
    start.launch.program = folder_.filePath("wait");
    start.launch.process = process.processId();
    start.launch.isAttach = true;
    Breakpoints breakpoints;
    Breakpoint inLoop;
    inLoop.path = QFileInfo(source).canonicalFilePath();
    inLoop.line = 4;
    breakpoints.put(inLoop);
    SessionWatch watch(start, &breakpoints);
    watch->begin();
    QTRY_VERIFY_WITH_TIMEOUT(watch.topLine() == 5 || watch->isOver(), kAdapterPatience);
    if (watch->isOver() && watch->problem().contains("not permitted"))
      QSKIP("This system does not let processes be attached to.");
    QVERIFY2(!watch->isOver(), qPrintable(watch->problem()));
    QCOMPARE(watch.value("go"), "1");
    watch->stop();
    QTRY_VERIFY_WITH_TIMEOUT(watch->isOver(), kAdapterPatience);
    QCOMPARE(process.state(), QProcess::Running);
    process.kill();
    process.waitForFinished();
  }

  void aCoreIsLookedAt() {
    DebugSession::Start start = startOf(kCpp, {"crash"});
    NEED(start.adapter);
    if (start.adapter.adapter.coreArgument.isEmpty()) QSKIP("This adapter reads no cores.");
    QFile pattern("/proc/sys/kernel/core_pattern");
    if (!pattern.open(QIODevice::ReadOnly) || pattern.readAll().trimmed() != "core")
      QSKIP("The system keeps cores elsewhere.");
    QProcess shell;
    shell.setWorkingDirectory(folder_.path());
    shell.start("/bin/sh", {"-c", "ulimit -c unlimited; ./x crash"});
    QVERIFY(shell.waitForFinished(30'000));
    const QStringList cores = QDir(folder_.path()).entryList({"core*"}, QDir::Files);
    if (cores.isEmpty()) QSKIP("The system wrote no core.");
    start.launch.core = folder_.filePath(cores.first());
    start.launch.isAttach = true;
    Breakpoints breakpoints;
    SessionWatch watch(start, &breakpoints);
    watch->begin();
    TRY_LINE(watch, 19);
    QCOMPARE(watch.value("sum"), "90");
    watch->stop();
    QTRY_VERIFY_WITH_TIMEOUT(watch->isOver(), kAdapterPatience);
  }
};

QTEST_GUILESS_MAIN(TestRealAdapters)
#include "test_real_adapters.moc"
