// SPDX-License-Identifier: GPL-3.0-or-later
// Launch configurations as they are read, and what adapters are told of them; adapters as they are
// found.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/paths.h"
#include "workbench/debug/debug_launch.h"
#include "workbench/debug/program_list.h"

using namespace waferpair;
using namespace waferpair::workbench;

namespace {

DebugAdapters shipped() {
  QFile file(QString::fromStdString(test::sourceDir()) + "/resources/debug_adapters.json");
  if (!file.open(QIODevice::ReadOnly)) return {};
  return readDebugAdapters(file.readAll(), "debug_adapters.json");
}

void writeScript(const QString& path, const QByteArray& body) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("#!/bin/sh\n" + body + "\n");
  file.close();
  QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

}  // namespace

class TestDebugLaunch : public QObject {
  Q_OBJECT
 private:
  static FoundAdapter find(const QVector<DebugAdapter>& adapters, const QString& path) {
    QProcessEnvironment environment;
    environment.insert("PATH", path);
    return findAdapter(adapters, environment);
  }

 private Q_SLOTS:
  void configurationsAreRead() {
    const DebugLaunches read = readLaunchFile(R"json({
      // as VS Code writes it
      "version": "0.2.0",
      "configurations": [
        {"name": "serve", "type": "python", "request": "launch", "program": "${workspaceFolder}/serve.py",
         "args": ["8000", "${env:DEBUG_LAUNCH_TEST}"], "cwd": "docs", "env": {"A": "1", "B": null},
         "console": "internalConsole", "justMyCode": false, "preLaunchTask": "make it", "stopOnEntry": true},
        {"name": "attach", "type": "lldb", "request": "attach", "pid": "${command:pickProcess}"},
        {"name": "no request", "type": "lldb"},
        {"type": "lldb", "request": "launch"},
        17,
      ]})json",
                                              "launch.json");
    QCOMPARE(read.launches.size(), 2);
    QCOMPARE(
        read.problems,
        QStringList(
            {"launch.json, configuration 3: Its \"request\" is neither \"launch\" nor \"attach\".",
             "launch.json, configuration 4: It has no \"name\".",
             "launch.json, configuration 5: It is no object."}));
    qputenv("DEBUG_LAUNCH_TEST", "from outside");
    const ExpandedLaunch serve = expanded(read.launches[0], {"/p", "/p/x.py", 3, {}});
    QVERIFY2(serve.problem.isEmpty(), qPrintable(serve.problem));
    QCOMPARE(serve.launch.program, "/p/serve.py");
    QCOMPARE(serve.launch.folder, "/p/docs");
    QCOMPARE(serve.launch.task, "make it");
    const QJsonObject told = argumentsFor(serve.launch, *shipped().withId("debugpy"));
    QCOMPARE(told, QJsonObject({{"name", "serve"},
                                {"type", "python"},
                                {"request", "launch"},
                                {"program", "/p/serve.py"},
                                {"args", QJsonArray{"8000", "from outside"}},
                                {"cwd", "/p/docs"},
                                {"env", QJsonObject{{"A", "1"}}},
                                {"stopOnEntry", true},
                                {"console", "internalConsole"},
                                {"justMyCode", false},
                                {"subProcess", false}}));
    const ExpandedLaunch attach = expanded(read.launches[1], {"/p", {}, 0, {}});
    QVERIFY(attach.wantsProcess && attach.problem.isEmpty());
    DebugLaunch chosen = read.launches[1];
    chosen.process = 42;
    const ExpandedLaunch ready = expanded(chosen, {"/p", {}, 0, {}});
    QVERIFY(!ready.wantsProcess);
    QCOMPARE(
        argumentsFor(ready.launch, *shipped().withId("lldb")),
        QJsonObject({{"name", "attach"}, {"type", "lldb"}, {"request", "attach"}, {"pid", 42}}));
  }

  void whatAsksForMoreIsSaid() {
    DebugLaunch launch;
    launch.program = "${file}";
    QVERIFY(expanded(launch, {"/p", {}, 0, {}}).problem.contains("none is open"));
    QCOMPARE(expanded(launch, {"/p", "/p/a b.py", 0, {}}).launch.program, "/p/a b.py");
    launch.program = "${input:which}";
    QVERIFY(expanded(launch, {"/p", {}, 0, {}}).problem.contains("${input:which}"));
    // A value is not looked through again.
    launch.program = "${file}";
    QCOMPARE(expanded(launch, {"/p", "/p/${line}", 3, {}}).launch.program, "/p/${line}");
    QVERIFY(
        readLaunchFile("{\"configurations\": 3}", "f").problems.constFirst().contains("no list"));
    QVERIFY(readLaunchFile("{", "f").problems.constFirst().contains("f"));
    // What a new file begins with is right.
    QVERIFY(readLaunchFile(launchFileTemplate(), "f").problems.isEmpty());
  }

  void programsForLldbAndCores() {
    DebugLaunch launch;
    launch.name = "x";
    launch.program = "/p/x";
    launch.folder = "/p";
    launch.environment = QStringList{"A=1=2"};
    const DebugAdapter lldb = *shipped().withId("lldb");
    QCOMPARE(argumentsFor(launch, lldb)["env"].toArray(), QJsonArray({"A=1=2"}));
    QVERIFY(!argumentsFor(launch, lldb).contains("runInTerminal"));
    launch.where = DebugLaunch::Where::kTerminal;
    QCOMPARE(argumentsFor(launch, lldb)["runInTerminal"].toBool(), true);
    QCOMPARE(argumentsFor(launch, *shipped().withId("gdb"))["env"].toObject(),
             QJsonObject({{"A", "1=2"}}));
    launch.core = "/p/core";
    QCOMPARE(requestOf(launch), "attach");
    QCOMPARE(argumentsFor(launch, lldb)["coreFile"].toString(), "/p/core");
  }

  void adaptersAreFound() {
    QVERIFY2(shipped().problems.isEmpty(), qPrintable(shipped().problems.join(' ')));
    QTemporaryDir empty, folder;
    const QVector<DebugAdapter> native = shipped().forLanguage("C++");
    QCOMPARE(native.size(), 2);
    const FoundAdapter none = find(native, empty.path());
    QVERIFY(!none.isFine());
    QVERIFY2(none.problem.contains("sudo apt install lldb"), qPrintable(none.problem));
    // Of several the newest; a plain name comes first.
    for (const char* name : {"lldb-vscode-14", "lldb-dap-9", "lldb-dap-19"})
      writeScript(folder.filePath(name), "exit 0");
    QCOMPARE(find(native, folder.path()).command.program, folder.filePath("lldb-dap-19"));
    writeScript(folder.filePath("lldb-dap"), "exit 0");
    QCOMPARE(find(native, folder.path()).command.program, folder.filePath("lldb-dap"));
  }

  void aGdbThatCannotIsLeftOut_data() {
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<bool>("isFine");
    QTest::newRow("13") << QByteArray("GNU gdb (Debian 13.1-3) 13.1") << false;
    QTest::newRow("14") << QByteArray("GNU gdb (GDB) 14.2") << true;
    QTest::newRow("16") << QByteArray("GNU gdb (Debian 16.3-1) 16.3") << true;
    QTest::newRow("no version") << QByteArray("hello") << false;
  }
  void aGdbThatCannotIsLeftOut() {
    QFETCH(QByteArray, version);
    QFETCH(bool, isFine);
    QTemporaryDir folder;
    writeScript(folder.filePath("gdb"), "echo '" + version + "'");
    const FoundAdapter found = find(shipped().forType("gdb"), folder.path());
    QCOMPARE(found.isFine(), isFine);
    if (!isFine) QVERIFY2(found.problem.contains("before 14"), qPrintable(found.problem));
  }

  void programsAreFound() {
    QTemporaryDir folder;
    QDir(folder.path()).mkpath("build/debug/bin");
    QDir(folder.path()).mkpath("build/debug/CMakeFiles");
    QDir(folder.path()).mkpath("src");
    QFile(folder.filePath("build/debug/CMakeCache.txt")).open(QIODevice::WriteOnly);
    // A real program and a real library.
    const QString program = QFile::symLinkTarget("/proc/self/exe");
    for (const char* place : {"build/debug/bin/x", "build/debug/CMakeFiles/y", "src/z"})
      QVERIFY(QFile::copy("/usr/bin/env", folder.filePath(place)));
    writeScript(folder.filePath("build/debug/script"), "exit 0");
    const QVector<BuiltProgram> found = builtPrograms(folder.path());
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].path, folder.filePath("build/debug/bin/x"));
    QCOMPARE(found[0].task, "build build/debug");
    QVERIFY(isProgram(program));
    QVERIFY(!isProgram(folder.filePath("build/debug/script")));
    QVERIFY(!isProgram("/no/such/file"));
  }
};

QTEST_GUILESS_MAIN(TestDebugLaunch)
#include "test_debug_launch.moc"
