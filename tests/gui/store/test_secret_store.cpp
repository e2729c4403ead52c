// SPDX-License-Identifier: GPL-3.0-or-later
// Keys in a secret store: a real one (gnome-keyring) on a bus of the test's own, and none at all.
#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

#include "gui/store/secret_store.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

constexpr char kHere[] = "https://api.example.com/v1";
constexpr char kThere[] = "https://other.example.com/v1";

struct Found {
  bool came = false;
  QByteArray key;
  editor::Error problem;
};

}  // namespace

class TestSecretStore : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    for (const char* variable : {"XDG_RUNTIME_DIR", "XDG_DATA_HOME", "HOME"})
      qputenv(variable, home_.path().toUtf8());
    qunsetenv("DBUS_SESSION_BUS_ADDRESS");
  }
  void cleanupTestCase() {
    for (QProcess* process : {&keyring_, &bus_}) {
      process->terminate();
      if (!process->waitForFinished(2000)) process->kill();
      process->waitForFinished(2000);
    }
  }

  void withoutABusItSaysSo() {
    SecretStore store;
    std::optional<editor::Error> kept;
    store.keep(kHere, "sk-secret", [&](const editor::Error& problem) { kept = problem; });
    QVERIFY(!kept);
    QTRY_VERIFY(kept);
    QVERIFY2(kept->what.contains("secret store"), qPrintable(kept->what));
    QVERIFY(!kept->remedy.isEmpty());
    QVERIFY(!kept->message().contains("sk-secret"));
    const Found found = find(store, kHere);
    QVERIFY(found.key.isEmpty());
    QVERIFY(!found.problem.what.isEmpty());
  }

  void keysAreKeptFoundAndRemoved() {
    if (const QString why = startKeyring(); !why.isEmpty()) QSKIP(qPrintable(why));
    {
      SecretStore store;
      QVERIFY2(find(store, kHere).problem.what.isEmpty(),
               qPrintable(find(store, kHere).problem.what));
      QVERIFY(find(store, kHere).key.isEmpty());
      std::optional<editor::Error> kept;
      store.keep(kHere, "sk-one", [](const editor::Error&) {});
      store.keep(kThere, "sk-two", [](const editor::Error&) {});
      store.keep(kHere, "sk-three", [&](const editor::Error& problem) { kept = problem; });
      QTRY_VERIFY(kept);
      QCOMPARE(kept->what, QString());
    }
    // The next start of the program.
    SecretStore store;
    QCOMPARE(find(store, kHere).key, QByteArray("sk-three"));
    QCOMPARE(find(store, kThere).key, QByteArray("sk-two"));
    std::optional<editor::Error> removed;
    store.remove(kHere, [&](const editor::Error& problem) { removed = problem; });
    QTRY_VERIFY(removed);
    QCOMPARE(removed->what, QString());
    QVERIFY(find(store, kHere).key.isEmpty());
    QCOMPARE(find(store, kThere).key, QByteArray("sk-two"));
  }

  void whatIsUnderWayAtTheEndIsGivenUp() {
    bool called = false;
    {
      SecretStore store;
      for (int i = 0; i < 10; ++i)
        store.keep(kHere, "sk", [&](const editor::Error&) { called = true; });
    }
    QCoreApplication::processEvents();
    QVERIFY(!called);
  }

 private:
  static Found find(SecretStore& store, const char* address) {
    Found found;
    store.find(address, [&](const QByteArray& key, const editor::Error& problem) {
      found = {true, key, problem};
    });
    (void)QTest::qWaitFor([&] { return found.came; }, 20'000);
    return found;
  }

  // Why there can be none; empty: it runs, unlocked.
  QString startKeyring() {
    for (const char* program : {"dbus-daemon", "gnome-keyring-daemon"}) {
      if (QStandardPaths::findExecutable(program).isEmpty())
        return QStringLiteral("%1 is not installed").arg(QLatin1String(program));
    }
    // Nothing is started by this bus on its own.
    QFile config(home_.filePath("bus.conf"));
    if (!config.open(QFile::WriteOnly)) return config.errorString();
    config.write("<busconfig><type>session</type><listen>unix:tmpdir=" + home_.path().toUtf8() +
                 "</listen><auth>EXTERNAL</auth><policy context=\"default\">"
                 "<allow send_destination=\"*\"/><allow receive_sender=\"*\"/>"
                 "<allow own=\"*\"/></policy></busconfig>");
    config.close();
    bus_.start("dbus-daemon",
               {"--config-file=" + config.fileName(), "--nofork", "--print-address"});
    if (!bus_.waitForReadyRead(10'000)) return QStringLiteral("dbus-daemon does not start");
    qputenv("DBUS_SESSION_BUS_ADDRESS", bus_.readLine().trimmed());
    keyring_.start("gnome-keyring-daemon", {"--foreground", "--unlock", "--components=secrets"});
    keyring_.write("password");
    keyring_.closeWriteChannel();
    SecretStore store;
    const bool answers =
        QTest::qWaitFor([&] { return find(store, kHere).problem.what.isEmpty(); }, 10'000);
    return answers ? QString() : QStringLiteral("gnome-keyring-daemon does not answer");
  }

  QTemporaryDir home_;
  QProcess bus_;
  QProcess keyring_;
};

QTEST_GUILESS_MAIN(TestSecretStore)
#include "test_secret_store.moc"
