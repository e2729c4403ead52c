// SPDX-License-Identifier: GPL-3.0-or-later
// Ready tasks of edits in place by real keys: those of the program, the user's own, and errors.
#include <QApplication>
#include <QClipboard>
#include <QJsonArray>
#include <QJsonDocument>
#include <QListView>
#include <QListWidget>

#include "gui/pairing/pair_dock.h"
#include "gui/project/file_index.h"
#include "tests/gui/pairing/edit_desk.h"

namespace waferpair::gui {
namespace {

constexpr char kOwnTasks[] =
    R"({"tasks": [{"name": "Times Ten", "instruction": "Multiply each number by ten."},
                  {"name": "Why", "instruction": "Say why.", "answer": "text"}]})";

struct TaskDesk : EditDesk {
  TaskDesk() { chooseModel(); }
  QStringList rows() {
    QStringList all;
    const auto* list = find<QListWidget>("editPlain");
    for (int i = 0; list->isVisible() && i < list->count(); ++i) all += list->item(i)->text();
    return all;
  }
  void openBar() { key(Qt::Key_K, Qt::ControlModifier); }
  // Goes down to the row, and takes it.
  void take(const QString& row) {
    const auto at = rows().indexOf(row);
    QVERIFY2(at >= 0, qPrintable(rows().join(u'\n')));
    for (qsizetype i = 0; i <= at; ++i) key(Qt::Key_Down);
    key(Qt::Key_Return);
  }
  QString sent(qsizetype request) const {
    const auto messages = server.requests().at(request).body.value(QStringLiteral("messages"));
    return messages.toArray().last().toObject().value(QStringLiteral("content")).toString();
  }
};

}  // namespace

class TestEditTasksWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void anEmptyInstructionListsTheTasks() {
    TaskDesk desk;
    desk.openBar();
    QCOMPARE(desk.rows(),
             (QStringList{QStringLiteral("Document This"), QStringLiteral("Simplify This"),
                          QStringLiteral("Fill In the Body"), QStringLiteral("Explain This"),
                          QStringLiteral("Write Tests for This"), QStringLiteral("Fix an Error")}));
    // What is typed leaves those that have it in their names.
    desk.type(QStringLiteral("this"));
    QCOMPARE(desk.rows().size(), 4);
    desk.key(Qt::Key_A, Qt::ControlModifier);
    desk.key(Qt::Key_Backspace);
    desk.server.script({{kTwoChanges, pairing::chatFinish("stop")}});
    desk.take(QStringLiteral("Simplify This"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 2);
    QVERIFY(desk.sent(0).contains(QStringLiteral("The instruction: Make this simpler")));
    QTRY_VERIFY(!desk.state().contains(QStringLiteral("Esc stops")));  // the answer has ended
    // The one that was used last comes first.
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    desk.openBar();
    desk.key(Qt::Key_A, Qt::ControlModifier);
    desk.key(Qt::Key_Backspace);
    QTRY_COMPARE(desk.rows().value(0), QStringLiteral("Simplify This"));
  }

  void theUsersOwnTasksAreOffered() {
    TaskDesk desk;
    desk.write(QStringLiteral(".waferpair/edit-tasks.json"), kOwnTasks);
    desk.openBar();
    QCOMPARE(desk.rows().mid(0, 3), (QStringList{QStringLiteral("Times Ten"), QStringLiteral("Why"),
                                                 QStringLiteral("Document This")}));
    desk.server.script({{kTwoChanges, pairing::chatFinish("stop")}});
    desk.key(Qt::Key_Down);
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.hunks()->offeredCount(), 2);
    QVERIFY(desk.sent(0).contains(QStringLiteral("The instruction: Multiply each number by ten.")));
  }

  void ofTheConfigurationToo() {
    TaskDesk desk;
    QDir().mkpath(desk.config());
    QFile file(desk.config() + QStringLiteral("/edit-tasks.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(kOwnTasks);
    file.close();
    desk.openBar();
    QCOMPARE(desk.rows().constFirst(), QStringLiteral("Times Ten"));
    // A file that changes is read anew.
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("{\"tasks\": [{\"name\": \"Halve\", \"instruction\": \"Divide by two.\"}]}");
    file.close();
    desk.key(Qt::Key_Escape);
    desk.openBar();
    QCOMPARE(desk.rows().constFirst(), QStringLiteral("Halve"));
  }

  void whatIsWrongWithAFileIsSaid() {
    TaskDesk desk;
    desk.write(QStringLiteral(".waferpair/edit-tasks.json"), "{\"tasks\": [{\"name\": \"a\"}]}");
    desk.openBar();
    QCOMPARE(desk.state(),
             QStringLiteral(".waferpair/edit-tasks.json, task 1: It has no \"instruction\"."));
    QCOMPARE(desk.rows().size(), 6);
  }

  void anExplanationIsAnAnswerInAsk() {
    TaskDesk desk;
    desk.server.script({{said("It returns one."), pairing::chatFinish("stop")}});
    desk.editor()->setSelection(16, 16);
    desk.openBar();
    desk.take(QStringLiteral("Explain This"));
    QVERIFY(desk.parts().pairDock->ask()->isVisible());
    QCOMPARE(desk.editor()->selectedText(), QByteArray("int first() {\n  return 1;\n}"));
    QTRY_COMPARE(desk.server.requests().size(), 1);
    QVERIFY(desk.sent(0).contains(QStringLiteral("int first() {\n  return 1;\n}")));
    QVERIFY(desk.sent(0).contains(QStringLiteral("Explain what this does")));
    QTRY_COMPARE(desk.parts().pairDock->ask()->thread()->messages.constLast().text,
                 QStringLiteral("It returns one."));
    QCOMPARE(desk.hunks()->offeredCount(), 0);
  }

  // What was copied is looked at, and the function at the place is what is to be changed.
  void aCopiedErrorIsFixedWhereItIs() {
    TaskDesk desk;
    desk.write(QStringLiteral("b.txt"), "nothing\n");
    desk.openFile(QStringLiteral("b.txt"));
    QTRY_VERIFY(desk.parts().fileIndex->files().contains(QStringLiteral("a.cpp")));
    QApplication::clipboard()->setText(
        QStringLiteral("make: Entering\n../a.cpp:6:3: error: no such thing\n    6 |  return 2;\n"));
    desk.server.script(
        {{said(block("  return 2;\n", "  return 20;\n")), pairing::chatFinish("stop")}});
    WindowFixture::trigger(desk.window(), "edit.fixError");
    QTRY_COMPARE(desk.server.requests().size(), 1);
    QCOMPARE(desk.document()->title(), QStringLiteral("a.cpp"));
    QVERIFY(desk.sent(0).contains(QStringLiteral("The instruction is about lines 5 to 7:")));
    QVERIFY(desk.sent(0).contains(QStringLiteral("make: Entering\n../a.cpp:6:3: error:")));
    QVERIFY(desk.sent(0).contains(
        QStringLiteral("The instruction: Fix this error: error: no such thing")));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    desk.key(Qt::Key_Return, Qt::AltModifier);
    QCOMPARE(desk.editor()->text(), desk.with("2;", "20;"));
  }

  void ofSeveralErrorsOneIsChosenAndNoneIsSaid() {
    TaskDesk desk;
    QTRY_VERIFY(desk.parts().fileIndex->files().contains(QStringLiteral("a.cpp")));
    QApplication::clipboard()->setText(QStringLiteral("nothing of the kind"));
    WindowFixture::trigger(desk.window(), "edit.fixError");
    const auto* note = desk.find<QLabel>("pickerNote");
    QVERIFY(note && note->isVisible());
    QVERIFY2(note->text().startsWith(QStringLiteral("No error in this project's files")),
             qPrintable(note->text()));
    desk.key(Qt::Key_Escape);
    QApplication::clipboard()->setText(
        QStringLiteral("a.cpp:2:1: error: first\na.cpp:6:1: error: second\n"));
    WindowFixture::trigger(desk.window(), "edit.fixError");
    desk.server.script({{kTwoChanges, pairing::chatFinish("stop")}});
    desk.type(QStringLiteral("second"));
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.server.requests().size(), 1);
    QVERIFY(desk.sent(0).contains(QStringLiteral("Fix this error: error: second")));
  }

  // Under two names of its file it is one error, and there is nothing to choose.
  void anErrorIsOfferedOnce() {
    TaskDesk desk;
    QTRY_VERIFY(desk.parts().fileIndex->files().contains(QStringLiteral("a.cpp")));
    QApplication::clipboard()->setText(
        QStringLiteral("a.cpp:6:3: error: no such thing\n./a.cpp:6:3: error: no such thing\n"
                       "../a.cpp:6:3: error: no such thing\n"));
    desk.server.script({{kTwoChanges, pairing::chatFinish("stop")}});
    WindowFixture::trigger(desk.window(), "edit.fixError");
    QTRY_COMPARE(desk.server.requests().size(), 1);
    QVERIFY(desk.sent(0).contains(QStringLiteral("Fix this error: error: no such thing")));
  }

  // Typed or pasted into the bar: Return means the error, and its text goes along as it is.
  void anErrorInTheBarIsOffered() {
    TaskDesk desk;
    QTRY_VERIFY(desk.parts().fileIndex->files().contains(QStringLiteral("a.cpp")));
    QApplication::clipboard()->setText(QStringLiteral("a.cpp:6:1: error: no\n  6 | return 2;"));
    desk.openBar();
    desk.key(Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(desk.rows(), QStringList(QStringLiteral("Fix the error at a.cpp:6")));
    desk.server.script({{kTwoChanges, pairing::chatFinish("stop")}});
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.server.requests().size(), 1);
    QVERIFY(desk.sent(0).contains(QStringLiteral("The instruction is about lines 5 to 7:")));
    QVERIFY(desk.sent(0).contains(
        QStringLiteral("This was reported:\n```\na.cpp:6:1: error: no\n  6 | return 2;\n```")));
  }

  void aSecretInAnErrorIsNotSent() {
    TaskDesk desk;
    QTRY_VERIFY(desk.parts().fileIndex->files().contains(QStringLiteral("a.cpp")));
    QApplication::clipboard()->setText(
        QStringLiteral("a.cpp:6:1: error: no\n-----BEGIN RSA PRIVATE "  // no file is to hold one
                       "KEY-----\nMIIEpAIBAAKCAQEA\n"
                       "-----END RSA PRIVATE KEY-----\n"));
    WindowFixture::trigger(desk.window(), "edit.fixError");
    QTRY_VERIFY2(
        desk.state().startsWith(QStringLiteral("The error's text is not shown to a model: ")),
        qPrintable(desk.state()));
    QVERIFY(desk.server.requests().isEmpty());
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestEditTasksWindow)
#include "test_edit_tasks_window.moc"
