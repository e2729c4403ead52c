// SPDX-License-Identifier: GPL-3.0-or-later
// Language servers as they are shipped, those of Debian and those that scripts/install_servers.sh
// fetches from npm: each at work, absent, broken, slow and killed.
#include <signal.h>
#include <unistd.h>

#include <QDir>
#include <QStandardPaths>

#include "tests/workbench/language/language_project.h"
#include "workbench/language/symbols.h"

using namespace waferpair;
using namespace waferpair::workbench;

namespace {

constexpr int kServersPatience = 60'000;  // ms: node takes its time on a busy machine

QString inCheckout(const QString& path) {
  return QString::fromStdString(test::sourceDir()) + u'/' + path;
}

LanguageServer shipped(const QString& id) {
  QFile file(inCheckout("resources/language_servers.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  for (const LanguageServer& server : readLanguageServers(file.readAll(), file.fileName()).servers)
    if (server.id == id) return server;
  return {};
}

QProcessEnvironment withPath(const QString& path) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("PATH", path);
  return environment;
}

QString wholePath() {
  return inCheckout("build/servers/node_modules/.bin") + u':' + qEnvironmentVariable("PATH");
}

// What a busy machine takes is no fault of a server's.
LanguagePatience unhurried() {
  LanguagePatience patience = brisk();
  patience.start = patience.answer = std::chrono::milliseconds(kServersPatience);
  return patience;
}

// A folder with a project in which that server was agreed to.
struct RealProject {
  RealProject(const LanguageServer& server, const QProcessEnvironment& environment,
              LanguagePatience patience = unhurried())
      : service(&sync, {.shipped = {server},
                        .environment = environment,
                        .patience = patience,
                        .rule = word.rule()}) {
    service.setFolder(folder.path());
  }
  void open(const QString& name, const QString& language, const QByteArray& text) {
    id = folder.filePath(name);
    QFile file(id);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    sync.openText(id, language, 1, text);
    for (const LanguageService::Offer& offer : service.offers())
      word.agreed.insert(offer.start.key());
    service.lookAgain();
  }
  LanguageClient* client() const { return service.clientOf(id); }
  LanguageClient::State state() const {
    return client() ? client()->state() : LanguageClient::State::kStopped;
  }
  qsizetype found() const { return service.diagnostics(id).size(); }

  QTemporaryDir folder;
  test::TextSync sync;
  UsersWord word;
  LanguageService service;
  QString id;
};

// A folder with a program of that name which does this.
void writeProgram(const QTemporaryDir& folder, const QString& name, const QByteArray& script) {
  QFile file(folder.filePath(name));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("#!/bin/sh\n" + script);
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

// What this process started itself.
QList<pid_t> ownProcesses() {
  QList<pid_t> found;
  const QStringList processes = QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs);
  for (const QString& process : processes) {
    QFile stat("/proc/" + process + "/stat");
    if (!stat.open(QIODevice::ReadOnly)) continue;
    // The name before it may hold anything.
    const QList<QByteArray> fields = stat.readAll().split(')').last().simplified().split(' ');
    if (fields.value(1).toInt() == getpid() && fields.value(0) != "Z")
      found.append(process.toInt());
  }
  return found;
}

}  // namespace

class TestRealServers : public QObject {
  Q_OBJECT

  void addServers() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("language");
    QTest::addColumn<QByteArray>("wrong");  // a text in which something is wrong ...
    QTest::addColumn<QByteArray>("right");  // ... and the same without it
    QTest::newRow("clangd") << "clangd"
                            << "a.cpp"
                            << "C++" << QByteArray("int ä() { return b; }\n")
                            << QByteArray("int ä() { return 1; }\n");
    QTest::newRow("pylsp") << "pylsp"
                           << "a.py"
                           << "Python" << QByteArray("print(ä)\n") << QByteArray("print(1)\n");
    QTest::newRow("pyright") << "pyright"
                             << "a.py"
                             << "Python" << QByteArray("print(ä)\n") << QByteArray("print(1)\n");
    QTest::newRow("typescript") << "typescript-language-server"
                                << "a.ts"
                                << "TypeScript"
                                << QByteArray("const ä: number = 'x';\nexport { ä };\n")
                                << QByteArray("const ä: number = 1;\nexport { ä };\n");
    QTest::newRow("bash") << "bash-language-server"
                          << "a.sh"
                          << "Bash" << QByteArray("if true; then echo ä\n")
                          << QByteArray("if true; then echo ä; fi\n");
  }
  // What the text declares, as the server answers now.
  static QStringList namesIn(const RealProject& p) {
    std::optional<LanguageAnswer> answer;
    if (!p.client() || p.client()->ask("textDocument/documentSymbol", p.id, {},
                                       [&](const LanguageAnswer& told) { answer = told; }) == 0)
      return {"no answer"};
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, kServersPatience) ||
        !answer->problem.isEmpty())
      return {"no answer"};
    QStringList names;
    for (const OutlineSymbol& one : readOutline(answer->result, answer->text, answer->unit))
      names.append(one.name.section(u'(', 0, 0));
    return names;
  }
  // The path of the server's program; empty: it is not installed.
  QString program(const QString& id) {
    return commandOf(shipped(id), withPath(wholePath())).program;
  }

 private Q_SLOTS:
  void itFindsWhatIsWrong_data() { addServers(); }
  void itFindsWhatIsWrong() {
    QFETCH(QString, id);
    QFETCH(QString, name);
    QFETCH(QString, language);
    QFETCH(QByteArray, wrong);
    QFETCH(QByteArray, right);
    if (program(id).isEmpty()) QSKIP("It is not installed: see scripts/install_servers.sh.");
    if (id == "bash-language-server" && QStandardPaths::findExecutable("shellcheck").isEmpty())
      QSKIP("bash-language-server finds nothing without shellcheck.");
    RealProject p(shipped(id), withPath(wholePath()));
    p.open(name, language, wrong);
    QTRY_VERIFY_WITH_TIMEOUT(p.found() > 0, kServersPatience);
    const ByteRange where = p.service.diagnostics(p.id).constFirst().range;
    QVERIFY2(where.start >= 0 && where.end <= wrong.size(), "the place is in the text");
    p.sync.change(p.id, 2, {{0, wrong.size(), right}});
    QTRY_COMPARE_WITH_TIMEOUT(p.found(), 0, kServersPatience);
  }

  void itKnowsTheNames_data() { addServers(); }
  void itKnowsTheNames() {
    QFETCH(QString, id);
    QFETCH(QString, name);
    QFETCH(QString, language);
    if (program(id).isEmpty()) QSKIP("It is not installed: see scripts/install_servers.sh.");
    const QHash<QString, QByteArray> texts{{"C++", "int ä; int two() { return ä; }\n"},
                                           {"Python", "def two():\n    return 'ä'\n"},
                                           {"TypeScript", "/* ä */ function two() { return 1; }\n"},
                                           {"Bash", "two() { echo ä; }\ntwo\n"}};
    RealProject p(shipped(id), withPath(wholePath()));
    p.open(name, language, texts[language]);
    QTRY_COMPARE_WITH_TIMEOUT(p.state(), LanguageClient::State::kReady, kServersPatience);
    // Some answer before they have read the text.
    QTRY_VERIFY_WITH_TIMEOUT(namesIn(p).contains("two"), kServersPatience);
  }

  void absentItIsSilent_data() { addServers(); }
  void absentItIsSilent() {
    QFETCH(QString, id);
    QFETCH(QString, name);
    QFETCH(QString, language);
    QFETCH(QByteArray, wrong);
    QTemporaryDir empty;
    RealProject p(shipped(id), withPath(empty.path()));
    p.open(name, language, wrong);
    QVERIFY(p.service.offers().isEmpty() && !p.client());
    QCOMPARE(p.service.rows().size(), 1);
    QCOMPARE(p.service.rows()[0].command.program, "");
    QVERIFY(p.service.rows()[0].server.install.contains(QLatin1String("install")));
  }

  void brokenItSaysSo_data() { addServers(); }
  void brokenItSaysSo() {
    QFETCH(QString, id);
    QFETCH(QString, name);
    QFETCH(QString, language);
    QFETCH(QByteArray, wrong);
    QTemporaryDir folder;
    const LanguageServer server = shipped(id);
    writeProgram(folder, server.programs.constFirst(), "echo 'a module is missing' >&2\nexit 1\n");
    LanguagePatience patience = unhurried();
    patience.restarts = 0;
    RealProject p(server, withPath(folder.path() + ":/usr/bin:/bin"), patience);
    p.open(name, language, wrong);
    QTRY_COMPARE_WITH_TIMEOUT(p.state(), LanguageClient::State::kDead, kServersPatience);
    QVERIFY2(p.client()->problem().what.contains("a module is missing"),
             qPrintable(p.client()->problem().what));
    QVERIFY(!p.client()->startsAgain());
  }

  // What is typed while it starts arrives once it is there.
  void slowItMissesNothing_data() { addServers(); }
  void slowItMissesNothing() {
    QFETCH(QString, id);
    QFETCH(QString, name);
    QFETCH(QString, language);
    QFETCH(QByteArray, wrong);
    QFETCH(QByteArray, right);
    const QString real = program(id);
    if (real.isEmpty()) QSKIP("It is not installed: see scripts/install_servers.sh.");
    if (id == "bash-language-server" && QStandardPaths::findExecutable("shellcheck").isEmpty())
      QSKIP("bash-language-server finds nothing without shellcheck.");
    QTemporaryDir folder;
    const LanguageServer server = shipped(id);
    writeProgram(folder, server.programs.constFirst(),
                 "sleep 0.7\nexec '" + real.toUtf8() + "' \"$@\"\n");
    RealProject p(server, withPath(folder.path() + u':' + wholePath()));
    p.open(name, language, right);
    QCOMPARE(p.state(), LanguageClient::State::kStarting);
    p.sync.change(p.id, 2, {{0, right.size(), wrong}});
    QTRY_VERIFY_WITH_TIMEOUT(p.found() > 0, kServersPatience);
  }

  void killedItIsStartedAgain_data() { addServers(); }
  void killedItIsStartedAgain() {
    QFETCH(QString, id);
    QFETCH(QString, name);
    QFETCH(QString, language);
    QFETCH(QByteArray, right);
    if (program(id).isEmpty()) QSKIP("It is not installed: see scripts/install_servers.sh.");
    QTRY_COMPARE_WITH_TIMEOUT(ownProcesses().size(), 0, kServersPatience);  // of the test before
    LanguagePatience patience = unhurried();
    patience.again = std::chrono::milliseconds(2000);  // that it is dead can be seen
    RealProject p(shipped(id), withPath(wholePath()), patience);
    p.open(name, language, right);
    QTRY_COMPARE_WITH_TIMEOUT(p.state(), LanguageClient::State::kReady, kServersPatience);
    const QList<pid_t> before = ownProcesses();
    QVERIFY(!before.isEmpty());
    for (const pid_t pid : before) QCOMPARE(kill(pid, SIGKILL), 0);
    QTRY_COMPARE_WITH_TIMEOUT(p.state(), LanguageClient::State::kDead, kServersPatience);
    QTRY_COMPARE_WITH_TIMEOUT(p.state(), LanguageClient::State::kReady, kServersPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!namesIn(p).contains("no answer"), kServersPatience);
  }
};

QTEST_GUILESS_MAIN(TestRealServers)
#include "test_real_servers.moc"
