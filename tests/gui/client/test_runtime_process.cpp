// SPDX-License-Identifier: GPL-3.0-or-later
// RuntimeProcess against small shell scripts that behave as waferd does, and as it should not.
#include <QtTest>
#include <csignal>

#include "gui/client/runtime_process.h"

using namespace waferpair::gui;

namespace {

const char kListening[] = R"(echo '{"event":"listening","port":4711,"token_file":"/t","pid":1}')";

}  // namespace

class TestRuntimeProcess : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    directory_ = std::make_unique<QTemporaryDir>();
  }

  void itIsStartedWithItsModelAndSaysWhereItListens() {
    RuntimeProcess process(script("echo \"$@\" > " + directory_->filePath("arguments").toUtf8() +
                                  "\n" + kListening + "\nexec cat"));
    QSignalSpy listening(&process, &RuntimeProcess::listening);
    process.start();
    QTRY_COMPARE(listening.size(), 1);
    const auto endpoint = listening[0][0].value<RuntimeEndpoint>();
    QCOMPARE(endpoint.port, quint16(4711));
    QCOMPARE(endpoint.tokenFile, QString("/t"));
    QCOMPARE(endpoint.pid, process.processId());
    QFile arguments(directory_->filePath("arguments"));
    QVERIFY(arguments.open(QFile::ReadOnly));
    QCOMPARE(
        arguments.readAll().trimmed(),
        "--model /m.gguf --parent-pid " + QByteArray::number(QCoreApplication::applicationPid()));
  }

  void itIsToldWhereItsSessionIsKept() {
    RuntimeCommand command = script("echo \"$@\" > " + directory_->filePath("arguments").toUtf8() +
                                    "\n" + kListening + "\nexec cat");
    command.sessionCache = "/state/model.session";
    RuntimeProcess process(command);
    QSignalSpy listening(&process, &RuntimeProcess::listening);
    process.start();
    QTRY_COMPARE(listening.size(), 1);
    QFile arguments(directory_->filePath("arguments"));
    QVERIFY(arguments.open(QFile::ReadOnly));
    QVERIFY(arguments.readAll().trimmed().endsWith(" --session-cache /state/model.session"));
  }

  void outputThatIsNotWaferdsIsPassedOver() {
    RuntimeProcess process(script(QByteArray("echo hello; echo '{\"event\":\"listening\"}'; "
                                             "echo '{\"event\":\"listening\",\"port\":99999,"
                                             "\"token_file\":\"/t\"}'; echo '[1'; ") +
                                  kListening + "; exec cat"));
    QSignalSpy listening(&process, &RuntimeProcess::listening);
    process.start();
    QTRY_COMPARE(listening.size(), 1);
  }

  void aKilledServerIsStartedAgainAtOnce() {
    RuntimeProcess process(script(QByteArray(kListening) + "; exec cat"));
    QSignalSpy listening(&process, &RuntimeProcess::listening);
    QSignalSpy died(&process, &RuntimeProcess::died);
    process.start();
    QTRY_COMPARE(listening.size(), 1);
    const qint64 first = process.processId();
    ::kill(static_cast<pid_t>(first), SIGKILL);
    QTRY_COMPARE(listening.size(), 2);
    QCOMPARE(died.size(), 1);
    QCOMPARE(died[0][1].toInt(), 0);
    QVERIFY(died[0][0].value<waferpair::editor::Error>().what.contains("signal 9"));
    QVERIFY(process.processId() != first);
  }

  void pausesGrowAndItIsGivenUpInTheEnd() {
    RuntimeProcess process(script(QByteArray(kListening) + "; kill -KILL $$"));
    process.setPausesMs({0, 100, 200});
    QSignalSpy died(&process, &RuntimeProcess::died);
    process.start();
    QTRY_VERIFY_WITH_TIMEOUT(!died.isEmpty() && died.last()[1].toInt() == -1, 30'000);
    QList<int> pauses;
    for (const QList<QVariant>& death : died) pauses.append(death[1].toInt());
    QCOMPARE(pauses, (QList<int>{0, 100, 200, -1}));
    QVERIFY(!died.last()[0].value<waferpair::editor::Error>().remedy.isEmpty());
    // A restart by hand begins with a clean record.
    process.restart();
    QTRY_VERIFY(died.size() > 4);
    QCOMPARE(died[4][1].toInt(), 0);
  }

  void oneThatRefusesItsModelIsNotAskedAgain() {
    RuntimeProcess process(
        script("echo 'some log' >&2; echo 'm.gguf: ends at byte 12.' >&2; exit 3"));
    QSignalSpy died(&process, &RuntimeProcess::died);
    process.start();
    QTRY_COMPARE(died.size(), 1);
    QCOMPARE(died[0][1].toInt(), -1);
    QCOMPARE(died[0][0].value<waferpair::editor::Error>().what,
             QString("m.gguf: ends at byte 12."));
    QVERIFY(!process.isRunning());
  }

  void aMissingProgramIsNamed() {
    RuntimeProcess process({"/nowhere/waferd", "/m.gguf"});
    QSignalSpy died(&process, &RuntimeProcess::died);
    process.start();
    QTRY_COMPARE(died.size(), 1);
    QCOMPARE(died[0][1].toInt(), -1);
    QVERIFY(died[0][0].value<waferpair::editor::Error>().what.contains("/nowhere/waferd"));
  }

  void stopEndsItAndIsNoDeath() {
    RuntimeProcess process(script(QByteArray(kListening) + "; exec cat"));
    QSignalSpy listening(&process, &RuntimeProcess::listening);
    QSignalSpy died(&process, &RuntimeProcess::died);
    QSignalSpy stopped(&process, &RuntimeProcess::stopped);
    process.start();
    QTRY_COMPARE(listening.size(), 1);
    process.stop();
    QTRY_COMPARE(stopped.size(), 1);
    QCOMPARE(died.size(), 0);
    QVERIFY(!process.isRunning());
  }

  void oneThatWillNotLeaveIsKilled() {
    RuntimeProcess process(
        script(QByteArray("trap '' TERM; ") + kListening + "; while :; do sleep 0.1; done"));
    QSignalSpy listening(&process, &RuntimeProcess::listening);
    QSignalSpy stopped(&process, &RuntimeProcess::stopped);
    process.start();
    QTRY_COMPARE(listening.size(), 1);
    process.stop();
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, 10'000);
  }

  void restartReplacesIt() {
    RuntimeProcess process(script(QByteArray(kListening) + "; exec cat"));
    QSignalSpy listening(&process, &RuntimeProcess::listening);
    QSignalSpy died(&process, &RuntimeProcess::died);
    process.start();
    QTRY_COMPARE(listening.size(), 1);
    const qint64 first = process.processId();
    process.restart();
    QTRY_COMPARE(listening.size(), 2);
    QVERIFY(process.processId() != first);
    QCOMPARE(died.size(), 0);
  }

  void itDoesNotOutliveItsOwner() {
    qint64 pid = 0;
    {
      RuntimeProcess process(script(QByteArray(kListening) + "; exec cat"));
      QSignalSpy listening(&process, &RuntimeProcess::listening);
      process.start();
      QTRY_COMPARE(listening.size(), 1);
      pid = process.processId();
    }
    QCOMPARE(::kill(static_cast<pid_t>(pid), 0), -1);
  }

 private:
  RuntimeCommand script(const QByteArray& body) {
    const QString path = directory_->filePath("waferd");
    QFile file(path);
    if (!file.open(QFile::WriteOnly)) qFatal("no script");
    file.write("#!/bin/sh\n" + body + "\n");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return {path, "/m.gguf"};
  }

  std::unique_ptr<QTemporaryDir> directory_;
};

QTEST_GUILESS_MAIN(TestRuntimeProcess)
#include "test_runtime_process.moc"
