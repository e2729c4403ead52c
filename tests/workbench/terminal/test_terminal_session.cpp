// SPDX-License-Identifier: GPL-3.0-or-later
// Real shells on a terminal: what they mark, and how they end.
#include <signal.h>

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "workbench/terminal/terminal_links.h"
#include "workbench/terminal/terminal_session.h"

using namespace waferpair::workbench;

class TestTerminalSession : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(home_.isValid());
    qputenv("HOME", home_.path().toUtf8());
    qunsetenv("ZDOTDIR");
    scripts_ = QFileInfo(QFINDTESTDATA("../../../resources/shell")).canonicalFilePath();
    QVERIFY(QFileInfo(scripts_ + "/bash.sh").isFile());
    QVERIFY(QDir(home_.path()).mkpath("a \u00e4/sub"));
    write(".bashrc", "PS1='$ '\nHISTFILE=\nFROM_USER=yes\n");
    write(".zshrc", "PS1='$ '\nFROM_USER=yes\n");
    QVERIFY(QDir(home_.path()).mkpath(".config/fish"));
    write(".config/fish/config.fish",
          "set -g FROM_USER yes\nset -g fish_greeting\nfunction fish_prompt; printf '$ '; end\n");
  }

  void shellsMarkTheirCommands_data() {
    QTest::addColumn<QString>("shell");
    for (const char* shell : {"bash", "zsh", "fish"}) QTest::newRow(shell) << QString(shell);
  }

  // The user's own file is read, and statuses, folders and outputs are known.
  void shellsMarkTheirCommands() {
    QFETCH(QString, shell);
    const QString program = QStandardPaths::findExecutable(shell);
    if (program.isEmpty()) QSKIP("This shell is not installed.");
    TerminalSession session({shell, {program, {}, {}}}, home_.path(), scripts_, 1000);
    session.start();
    QTRY_VERIFY2(text(session).endsWith("$"), qPrintable(text(session)));
    QTRY_COMPARE(session.folder(), home_.path());
    run(session, "echo user: $FROM_USER");
    QTRY_COMPARE(session.screen().lastCommand(), 0);
    QTRY_VERIFY(session.screen().command(0)->isOver);
    QCOMPARE(output(session, 0), "user: yes\n");
    QCOMPARE(session.screen().lineOf(0), "echo user: $FROM_USER");
    QCOMPARE(session.screen().command(0)->status, std::optional(0));
    run(session, "cd 'a \u00e4'; false");
    QTRY_VERIFY(session.screen().command(1) && session.screen().command(1)->isOver);
    QCOMPARE(session.screen().command(1)->status, std::optional(1));
    QTRY_COMPARE(session.folder(), home_.path() + "/a \u00e4");
    QVERIFY(session.screen().command(1)->folder == home_.path());
    // An empty line is no command.
    run(session, "");
    run(session, "printf 'no line end'");
    QTRY_VERIFY(session.screen().command(2) && session.screen().command(2)->isOver);
    QVERIFY2(output(session, 2).startsWith("no line end"), qPrintable(output(session, 2)));
  }

  // They erase to the row's end behind each change of color, where a row begins, too.
  void whatToolsPrintInColorIsAnOutput_data() {
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("told");
    QTest::newRow("gcc") << "gcc"
                         << "gcc -fdiagnostics-color=always -c bad.c"
                         << "bad.c:1:9: error: ";
    QTest::newRow("g++") << "g++"
                         << "g++ -fdiagnostics-color=always -c bad.c"
                         << "bad.c:1:9: error: ";
    QTest::newRow("grep") << "grep"
                          << "grep --color=always -n nowhere bad.c /dev/null"
                          << "bad.c:1:int x = nowhere;\n";
  }
  void whatToolsPrintInColorIsAnOutput() {
    QFETCH(QString, tool);
    QFETCH(QString, line);
    QFETCH(QString, told);
    const QString bash = QStandardPaths::findExecutable("bash");
    if (bash.isEmpty() || QStandardPaths::findExecutable(tool).isEmpty())
      QSKIP("It is not installed.");
    write("bad.c", "int x = nowhere;\n");
    TerminalSession session({"bash", {bash, {}, {}}}, home_.path(), scripts_, 1000);
    session.start();
    QTRY_VERIFY2(text(session).endsWith("$"), qPrintable(text(session)));
    run(session, line);
    QTRY_VERIFY_WITH_TIMEOUT(session.screen().command(0) && session.screen().command(0)->isOver,
                             60000);
    QVERIFY2(output(session, 0).contains(told), qPrintable(output(session, 0)));
    QCOMPARE(session.screen().lineOf(0), line);
  }

  void aShellThatIsNotThereIsTold() {
    TerminalSession session({"none", {"/no/such/shell", {}, {}}}, home_.path(), scripts_, 100);
    session.start();
    QTRY_VERIFY2(text(session).contains("[/no/such/shell cannot be started:"),
                 qPrintable(text(session)));
    QVERIFY(!session.isRunning());
  }

  void aShellThatEndsAtOnceIsTold() {
    TerminalSession session({"ends", {"/bin/sh", {"-c", "echo last words; exit 7"}, {}}},
                            home_.path(), scripts_, 100);
    session.start();
    QTRY_VERIFY(!session.isRunning());
    QTRY_COMPARE(text(session), "last words\n\n[The shell has ended with status 7.]");
    // It can be started again.
    session.start();
    QTRY_COMPARE(text(session).count("last words"), 2);
  }

  // What a program left behind goes on writing; that is no reason to read for ever.
  void aShellThatIsOverIsToldOfThoughOthersWrite() {
    TerminalSession session(
        {"floods",
         {"/bin/sh", {"-c", "trap '' HUP; setsid yes </dev/tty & sleep 0.2; exit 3"}, {}}},
        home_.path(), scripts_, 100);
    session.start();
    QTRY_VERIFY(!session.isRunning());
    QTRY_VERIFY(text(session).contains("ended with status 3"));
  }

  void aFolderThatIsGoneIsHome() {
    TerminalSession session({"sh", {"/bin/sh", {"-c", "pwd"}, {}}}, "/no/such/folder", {}, 100);
    session.start();
    QTRY_VERIFY2(text(session).startsWith(home_.path()), qPrintable(text(session)));
  }

  // One that does not want to go when its terminal goes is killed.
  void programsThatStayAreEnded() {
    qint64 pid = 0;
    {
      TerminalSession session(
          {"stays",
           {"/bin/sh", {"-c", "trap '' HUP TERM INT; echo $$; while :; do sleep 1; done"}, {}}},
          home_.path(), {}, 100);
      session.start();
      QTRY_VERIFY(text(session).contains(QChar('\n')) || text(session).toLongLong() > 0);
      pid = text(session).section('\n', 0, 0).toLongLong();
      QVERIFY(pid > 0);
      QCOMPARE(::kill(static_cast<pid_t>(pid), 0), 0);
    }
    QTRY_VERIFY(::kill(static_cast<pid_t>(pid), 0) != 0);
  }

  void theSizeIsToldToPrograms() {
    TerminalSession session({"sh", {"/bin/sh", {}, {}}}, home_.path(), {}, 100);
    session.resize(33, 77);
    session.start();
    run(session, "stty size");
    QTRY_VERIFY2(text(session).contains("33 77"), qPrintable(text(session)));
    session.resize(20, 50);
    run(session, "stty size");
    QTRY_VERIFY2(text(session).contains("20 50"), qPrintable(text(session)));
  }

  // A million lines come whole, and the event loop runs meanwhile.
  void aFloodLeavesTheLoopItsTurns() {
    TerminalSession session({"seq", {"/usr/bin/seq", {"1", "1000000"}, {}}}, home_.path(), {},
                            1000);
    int turns = 0;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&turns] { ++turns; });
    timer.start(0);
    session.start();
    QTRY_VERIFY_WITH_TIMEOUT(!session.isRunning(), 60000);
    QVERIFY2(text(session).endsWith("999999\n1000000\n\n[The shell has ended.]"),
             qPrintable(text(session).right(200)));
    QVERIFY2(turns > 100, qPrintable(QString::number(turns)));
    QCOMPARE(session.screen().top() - session.screen().first(), 1000);
  }

  void linksAreReadAsToolsWriteThem() {
    const auto one = [](const QString& line) {
      const auto links = linksIn(line);
      return links.isEmpty() ? TextLink() : links.constFirst();
    };
    const auto told = [&](const QString& line) {
      const TextLink link = one(line);
      return QStringLiteral("%1|%2|%3|%4")
          .arg(link.path, link.address)
          .arg(link.line)
          .arg(link.column);
    };
    QCOMPARE(told("src/a.cpp:12:5: error: no"), "src/a.cpp||12|5");
    QCOMPARE(told("/tmp/x y.c:3"), "/tmp/x||0|0");
    QCOMPARE(told("  File \"/a/b c.py\", line 7, in <module>"), "/a/b c.py||7|0");
    QCOMPARE(told("main.ts(4,9): error"), "main.ts||4|9");
    QCOMPARE(told("Makefile:8: *** missing"), "Makefile||8|0");
    QCOMPARE(told("see https://example.org/a_(b)?q=1, or not"),
             "|https://example.org/a_(b)?q=1|0|0");
    QCOMPARE(told("(http://example.org/x)."), "|http://example.org/x|0|0");
    QCOMPARE(told("It is in src/a.cpp."), "src/a.cpp||0|0");
    QCOMPARE(linksIn(" . "), QVector<TextLink>());
    QCOMPARE(told("nothing here"), "||0|0");
    write("a.txt", "");
    QCOMPARE(fileOfLink("a.txt", "/tmp", home_.path()), home_.filePath("a.txt"));
    QCOMPARE(fileOfLink("./a.txt", home_.path(), {}), home_.filePath("a.txt"));
    QCOMPARE(fileOfLink("~/a.txt", "/tmp", {}), home_.filePath("a.txt"));
    QCOMPARE(fileOfLink("none.txt", home_.path(), {}), QString());
    // Where the disk is asked, names may hold what ends a word, and nothing else is a link.
    write("a b.txt", "");
    write("[id].txt", "");
    const auto isFile = [this](const QString& path) {
      return !fileOfLink(path, home_.path(), {}).isEmpty();
    };
    const auto links = linksIn("a/a b.txt:3 gone.c:4 ([id].txt) https://example.org/a.txt", isFile);
    QCOMPARE(links.size(), 3);
    QCOMPARE(links[0], (TextLink{0, 11, {}, "a b.txt", 3, 0}));
    QCOMPARE(links[1], (TextLink{22, 30, {}, "[id].txt", 0, 0}));
    QCOMPARE(links[2].address, "https://example.org/a.txt");
  }

  void profilesAreOffered() {
    qputenv("SHELL", "/bin/sh");
    const auto profiles = shellProfiles({}, {"node=/usr/bin/node -i", "=x", "bash=other"});
    QCOMPARE(profiles.constFirst().name, "sh");
    QCOMPARE(profiles.constLast().name, "node");
    QCOMPARE(profiles.constLast().command.arguments, QStringList{"-i"});
    QCOMPARE(shellProfiles("/bin/dash -x", {}).constFirst().command.arguments, QStringList{"-x"});
    qputenv("SHELL", "/no/such/shell");
    QVERIFY(QFileInfo(userShell()).isExecutable());
  }

 private:
  void write(const QString& name, const QByteArray& bytes) const {
    QFile file(home_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  static QString text(const TerminalSession& session) {
    const TerminalScreen& screen = session.screen();
    return screen.text({screen.first(), 0}, {screen.end(), 0}).trimmed();
  }
  static QString output(const TerminalSession& session, int command) {
    const auto range = session.screen().outputOf(command);
    return range ? session.screen().text(range->first, range->second) : QString("none");
  }
  static void run(TerminalSession& session, const QString& line) {
    session.paste(line);
    session.key(Qt::Key_Return, {}, "\r");
  }

  QTemporaryDir home_;
  QString scripts_;
};

QTEST_GUILESS_MAIN(TestTerminalSession)
#include "test_terminal_session.moc"
