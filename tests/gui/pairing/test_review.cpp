// SPDX-License-Identifier: GPL-3.0-or-later
// Remarks on what changed, and tests that are written, by real keys with a model that a script
// plays.
#include <QJsonArray>
#include <QListWidget>
#include <QProcess>
#include <QTreeView>

#include "editor/ghost/line_hint.h"
#include "gui/kit/command_registry.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/review_list.h"
#include "gui/pairing/review_panel.h"
#include "gui/project/file_index.h"
#include "tests/gui/pairing/edit_desk.h"

namespace waferpair::gui {
namespace {

struct ReviewDesk : EditDesk {
  // The text is committed, and then another one.
  ReviewDesk() {
    git({QStringLiteral("init"), QStringLiteral("-q")});
    git({QStringLiteral("add"), QStringLiteral("a.cpp")});
    git({QStringLiteral("-c"), QStringLiteral("user.name=a"), QStringLiteral("-c"),
         QStringLiteral("user.email=a@example.com"), QStringLiteral("commit"),
         QStringLiteral("-qm"), QStringLiteral("a")});
    chooseModel();
  }
  void git(const QStringList& arguments) const {
    QProcess process;
    process.setWorkingDirectory(project());
    process.start(QStringLiteral("git"), arguments);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
  }
  void change() {
    document()->textDocument()->buffer()->replaceText(
        editor::Snapshot(with("return 2", "return 3")));
    key(Qt::Key_S, Qt::ControlModifier);
  }
  ReviewPanel* panel() { return parts().pairDock->review(); }
  void review() { key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier); }
  QStringList remarks() {
    QStringList all;
    for (int i = 0; i < panel()->remarks()->count(); ++i)
      all += panel()->remarks()->item(i)->text();
    return all;
  }
  QString sent() const {
    const auto messages = server.requests().last().body.value(QStringLiteral("messages"));
    return messages.toArray().last().toObject().value(QStringLiteral("content")).toString();
  }
  QVector<editor::LineHint*> hints() {
    QVector<editor::LineHint*> shown;
    for (auto* hint : editor()->viewport()->findChildren<editor::LineHint*>())
      if (hint->objectName() == QStringLiteral("remarkHint") && hint->isOffered())
        shown.append(hint);
    return shown;
  }
};

const QByteArray kRemarks =
    said("a.cpp:6: It should be two.\na.cpp\n" + block("  return 3;\n", "  return 2;\n") +
         "\na.cpp:1: It has no comment.\n\n- Tests are missing.\n\ngone.cpp:3: Nobody has this.\n");

}  // namespace

class TestReview : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void remarksAreListedWithTheirChanges() {
    ReviewDesk desk;
    desk.change();
    desk.server.script({{kRemarks, pairing::chatFinish("stop")}});
    desk.review();
    QTRY_COMPARE(desk.remarks().size(), 4);
    QVERIFY2(desk.sent().contains(QStringLiteral("     6 +  return 3;")), qPrintable(desk.sent()));
    QTRY_VERIFY2(desk.panel()->stateText().startsWith(QStringLiteral("4 remarks.")),
                 qPrintable(desk.panel()->stateText()));
    QCOMPARE(desk.remarks(),
             (QStringList{QStringLiteral("a.cpp:6\nIt should be two. (with a change)"),
                          QStringLiteral("a.cpp:1\nIt has no comment."),
                          QStringLiteral("No place\nTests are missing."),
                          QStringLiteral("No place in the project: gone.cpp\nNobody has this.")}));
    // They are shown at their lines, which they follow.
    QCOMPARE(desk.hints().size(), 2);
    QCOMPARE(desk.hints()[0]->line(), 5);
    QCOMPARE(desk.hints()[0]->text(), QStringLiteral("It should be two."));
    desk.editor()->replaceRange(0, 0, "// new\n");
    QCOMPARE(desk.hints()[0]->line(), 6);
    // F8 goes from one with a place to the next, and round the end.
    desk.document()->setFocus();
    desk.key(Qt::Key_F8);
    QCOMPARE(desk.editor()->caretLine(), 1);
    desk.key(Qt::Key_F8);
    QCOMPARE(desk.editor()->caretLine(), 6);
    desk.key(Qt::Key_F8, Qt::ShiftModifier);
    QCOMPARE(desk.editor()->caretLine(), 1);
    // The change is decided about in the list, as any other.
    desk.panel()->changes()->tree()->setFocus();
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), "// new\n" + QByteArray(kText));
  }

  void howFarItIsIsTold() {
    ReviewDesk desk;
    desk.change();
    desk.server.script({{pairing::chatReading(512, 2048)}, Then::kStall});
    desk.review();
    const auto tells = [&desk](const QString& text) {
      return desk.panel()->stateText().contains(text);
    };
    QTRY_VERIFY2(tells(QStringLiteral("tokens (25 %), ")), qPrintable(desk.panel()->stateText()));
    QVERIFY(tells(QStringLiteral("Esc stops.")));
    desk.server.say(pairing::chatReading(1024, 2048));
    QTRY_VERIFY2(tells(QStringLiteral("tokens (50 %), ")), qPrintable(desk.panel()->stateText()));
    desk.server.say(said("a.cpp:1: It has"));
    QTRY_VERIFY2(tells(QStringLiteral(" so far, 1 line written in ")),
                 qPrintable(desk.panel()->stateText()));
    // Time passes, and is told, though nothing comes.
    QTRY_VERIFY2(tells(QStringLiteral("written in 2 s. ")), qPrintable(desk.panel()->stateText()));
  }

  void enterGoesToTheRemark() {
    ReviewDesk desk;
    desk.change();
    desk.server.script({{kRemarks, pairing::chatFinish("stop")}});
    desk.review();
    QTRY_COMPARE(desk.remarks().size(), 4);
    QTRY_VERIFY(!desk.panel()->isRunning());
    desk.editor()->setSelection(0, 0);
    desk.panel()->enter();
    QVERIFY(desk.panel()->remarks()->hasFocus());
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.editor()->caretLine(), 5);
  }

  void whatIsKeptFromTheModelIsLeftOutAndSaid() {
    ReviewDesk desk;
    desk.write(QStringLiteral(".env"), "A=1\n");
    desk.git({QStringLiteral("add"), QStringLiteral("-f"), QStringLiteral(".env")});
    desk.review();
    QTRY_VERIFY2(desk.panel()->stateText().startsWith(
                     QStringLiteral("There is nothing to send. diff of .env: ")),
                 qPrintable(desk.panel()->stateText()));
    QVERIFY(desk.server.requests().isEmpty());
    desk.change();
    desk.server.script({{said("No remarks."), pairing::chatFinish("stop")}});
    desk.review();
    QTRY_VERIFY2(
        desk.panel()->stateText().startsWith(QStringLiteral("The model has nothing to remark.")),
        qPrintable(desk.panel()->stateText()));
    QVERIFY(desk.panel()->stateText().contains(QStringLiteral("diff of .env: ")));
    QVERIFY(!desk.sent().contains(QStringLiteral("A=1")));
  }

  void nothingChangedIsSaid() {
    ReviewDesk desk;
    desk.review();
    QTRY_VERIFY2(
        desk.panel()->stateText().contains(QStringLiteral("nothing changed since the last commit")),
        qPrintable(desk.panel()->stateText()));
    QVERIFY(desk.server.requests().isEmpty());
  }

  void escStopsAndWhatCameStays() {
    ReviewDesk desk;
    desk.change();
    desk.server.script({{said("a.cpp:6: It should be two.\nb")}, ScriptedEndpoint::Then::kStall});
    desk.review();
    QTRY_COMPARE(desk.remarks().size(), 1);
    QVERIFY(desk.parts().commands->contexts()->is(Context::kReviewRunning));
    desk.panel()->enter();
    desk.key(Qt::Key_Escape);
    QVERIFY2(desk.panel()->stateText().startsWith(QStringLiteral("Stopped: 1 remark came.")),
             qPrintable(desk.panel()->stateText()));
    QTRY_COMPARE(desk.server.openConnections(), 0);
    QCOMPARE(desk.remarks().size(), 1);
    QVERIFY(!desk.parts().commands->contexts()->is(Context::kReviewRunning));
  }

  void whatFailsIsSaid() {
    ReviewDesk desk;
    desk.change();
    desk.server.script({{"{}"}, ScriptedEndpoint::Then::kEnd, 500});
    desk.review();
    QTRY_COMPARE(desk.find<QLabel>("reviewState")->property("role").toString(),
                 QStringLiteral("problem"));
    QVERIFY(desk.find<QWidget>("reviewAsk")->isVisible());
  }

  void withoutAModelThePanelSaysSo() {
    ReviewDesk desk;
    desk.parts().roster->setModels({});
    desk.review();
    QVERIFY(desk.find<QWidget>("reviewNoModel")->isVisible());
    QVERIFY(!desk.panel()->stateText().isEmpty());
  }

  // The test goes to another file, which is there after it was accepted and not before.
  void testsAreWrittenWhereTestsAre() {
    ReviewDesk desk;
    desk.write(QStringLiteral("tests/test_b.cpp"), "int testB();\n");
    QTRY_VERIFY(!desk.parts().fileIndex->isReading());
    desk.parts().fileIndex->refresh();
    QTRY_VERIFY(desk.parts().fileIndex->files().contains(QStringLiteral("tests/test_b.cpp")));
    desk.server.script({{said("tests/test_a.cpp\n" + block("", "int testFirst();\n")),
                         pairing::chatFinish("stop")}});
    desk.editor()->setSelection(16, 16);
    WindowFixture::trigger(desk.window(), "edit.writeTests");
    QTRY_VERIFY(desk.panel()->changes()->isVisible());
    QVERIFY(desk.sent().contains(QStringLiteral(
        "Write tests for this, which begins at line 1 of a.cpp:\n\n```\nint first() {")));
    QVERIFY(desk.sent().contains(QStringLiteral("int testB();")));
    QVERIFY(desk.sent().contains(QStringLiteral("- tests/test_b.cpp")));
    QCOMPARE(desk.read(QStringLiteral("tests/test_a.cpp")), QByteArray("(no such file)"));
    desk.panel()->enter();
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.read(QStringLiteral("tests/test_a.cpp")), QByteArray("int testFirst();\n"));
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestReview)
#include "test_review.moc"
