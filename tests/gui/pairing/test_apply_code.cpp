// SPDX-License-Identifier: GPL-3.0-or-later
// Code of an answer in Ask that is applied: the text that it is for, and the hunks there.
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "editor/assist/hunks.h"
#include "editor/widget/code_editor.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/pairing/ask_input.h"
#include "gui/pairing/ask_panel.h"
#include "gui/pairing/code_block.h"
#include "gui/pairing/message_view.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/review_list.h"
#include "gui/pairing/review_panel.h"
#include "gui/pairing/transcript.h"
#include "gui/project/file_index.h"
#include "pairing/models/model_roster.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/pairing/scripted_model.h"
#include "tests/support/rest.h"

namespace waferpair::gui {

namespace {

const QByteArray kPlace = "int place() {\n  return 1;\n}\n\nint other() {\n  return 2;\n}\n";
const QByteArray kFresh = "int place() {\n  return 10;\n}\n";
const QByteArray kPlaced = QByteArray(kPlace).replace("return 1;", "return 10;");

struct ApplyDesk : WindowFixture {
  ApplyDesk() {
    write(QStringLiteral("src/a.cpp"), kPlace);
    write(QStringLiteral("src/b.cpp"), "int far() {\n  return 3;\n}\n");
    openProject();
    QTRY_VERIFY(!parts().fileIndex->isReading());
    pairing::chooseScripted(parts().roster, server.base());
  }
  // Asks, and waits for the whole answer.
  void answer(QByteArray text) {
    server.script({{pairing::chatText(text.replace("\n", "\\n")), pairing::chatFinish("stop")}});
    trigger(window(), "ask.ask");
    QTRY_VERIFY(panel()->input()->hasFocus());
    panel()->input()->setText(QStringLiteral("change it"));
    key(Qt::Key_Return);
    QTRY_VERIFY(panel()->thread() && panel()->thread()->messages.size() >= 2 &&
                panel()->thread()->messages.last().state == pairing::MessageState::kComplete);
    QTRY_VERIFY(!blocks().isEmpty());
  }
  AskPanel* panel() { return parts().pairDock->ask(); }
  QList<CodeBlock*> blocks() {
    const auto views = panel()->transcript()->views();
    return views.isEmpty() ? QList<CodeBlock*>() : views.last()->findChildren<CodeBlock*>();
  }
  QToolButton* button(qsizetype block = 0) {
    return blocks().value(block)->findChild<QToolButton*>(QStringLiteral("codeApply"));
  }
  // By the keyboard.
  void apply(qsizetype block = 0) {
    button(block)->setFocus();
    key(Qt::Key_Space);
  }
  QString problem() {
    auto* banner = find<Banner>("askProblem");
    return banner ? banner->text() : QString();
  }
  qsizetype offered() { return document() ? document()->hunks()->offeredCount() : 0; }

  pairing::ScriptedEndpoint server;
};

QByteArray fenced(const QByteArray& code, const QByteArray& info = "cpp") {
  return "```" + info + '\n' + code + "```\n";
}

}  // namespace

class TestApplyCode : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theFileIsNamedBeforeTheCode_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("in a line") << "src/a.cpp\n\n" + fenced(kFresh);
    QTest::newRow("in bold") << "**src/a.cpp**\n" + fenced(kFresh);
    QTest::newRow("in the fence") << fenced(kFresh, "cpp src/a.cpp");
    QTest::newRow("in a sentence")
        << "In `src/a.cpp`, make `place` ten times as large:\n\n" + fenced(kFresh);
    QTest::newRow("in a comment") << fenced("// src/a.cpp\n" + kFresh);
    QTest::newRow("a diff") << "src/a.cpp\n" +
                                   fenced(
                                       "@@ -1,3 +1,3 @@\n int place() {\n-  return 1;\n+  "
                                       "return 10;\n }\n",
                                       "diff");
  }
  void theFileIsNamedBeforeTheCode() {
    QFETCH(const QByteArray, answer);
    ApplyDesk desk;
    desk.openFile(QStringLiteral("src/b.cpp"));
    desk.answer(answer);
    QTRY_VERIFY(desk.button()->isVisible());
    QVERIFY(!desk.button()->accessibleName().isEmpty());
    desk.apply();
    QTRY_COMPARE(desk.document()->title(), QStringLiteral("a.cpp"));
    QVERIFY2(desk.problem().isEmpty(), qPrintable(desk.problem()));
    QCOMPARE(desk.offered(), 1);
    // Nothing has changed yet.
    QCOMPARE(desk.editor()->text(), kPlace);
    QVERIFY(!desk.editor()->sci(QsciScintillaBase::SCI_CANUNDO));
    desk.document()->setFocus();
    WindowFixture::key(Qt::Key_Return, Qt::AltModifier);
    QCOMPARE(desk.editor()->text(), kPlaced);
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), kPlace);
  }

  void hunksOfAskHaveTheirTicksAndTheThinBar() {
    ApplyDesk desk;
    desk.openFile(QStringLiteral("src/a.cpp"));
    desk.answer(fenced(QByteArray(kPlaced).replace("return 2;", "return 20;")));
    desk.apply();
    QTRY_COMPARE(desk.offered(), 2);
    auto* bar = desk.find<QWidget>("hunkBar");
    QTRY_VERIFY(bar && bar->isVisible());
    QCOMPARE(desk.find<QLabel>("hunkCount")->text(), QStringLiteral("2 changes"));
    QTRY_COMPARE(desk.find<QLabel>("hunkPlace")->text(), QStringLiteral("1/2"));
    QTRY_COMPARE(desk.document()->findChildren<QFrame*>(QStringLiteral("hunkButtons")).size(), 2);
    QVERIFY(WindowFixture::click("hunkNext"));
    QTRY_COMPARE(desk.find<QLabel>("hunkPlace")->text(), QStringLiteral("2/2"));
    desk.document()->setFocus();
    desk.editor()->setSelection(0, 0);
    QTRY_COMPARE(desk.find<QLabel>("hunkPlace")->text(), QStringLiteral("–/2"));
    if (qEnvironmentVariableIsSet("SHOTS")) desk.window().grab().save("/tmp/apply_bar.png");
    // The bar of an instruction has these buttons itself.
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(!bar->isVisible());
    WindowFixture::key(Qt::Key_Escape);
    QTRY_VERIFY(desk.offered() == 0 || bar->isVisible());
    if (desk.offered() == 0) return;
    QVERIFY(WindowFixture::click("hunkAcceptAll"));
    QCOMPARE(desk.editor()->text(), QByteArray(kPlaced).replace("return 2;", "return 20;"));
    QTRY_VERIFY(!bar->isVisible());
  }

  void codeWithoutANameGoesToTheTextThatHasIt() {
    ApplyDesk desk;
    desk.openFile(QStringLiteral("src/b.cpp"));
    desk.openFile(QStringLiteral("src/a.cpp"));
    // The text in front has it.
    desk.answer("Like this:\n\n" + fenced(kFresh));
    desk.apply();
    QTRY_COMPARE(desk.offered(), 1);
    QCOMPARE(desk.document()->title(), QStringLiteral("a.cpp"));
    desk.document()->hunks()->dismissAll();
    // The other one does.
    desk.openFile(QStringLiteral("src/b.cpp"));
    desk.apply();
    QTRY_COMPARE(desk.document()->title(), QStringLiteral("a.cpp"));
    QCOMPARE(desk.offered(), 1);
    desk.document()->hunks()->dismissAll();
    // Two do, and neither is in front: which one is not certain.
    desk.write(QStringLiteral("src/c.cpp"), kPlace);
    desk.openFile(QStringLiteral("src/c.cpp"));
    desk.openFile(QStringLiteral("src/b.cpp"));
    desk.apply();
    QTRY_VERIFY2(desk.problem().contains(QStringLiteral("both have what the code defines")),
                 qPrintable(desk.problem()));
    QCOMPARE(desk.document()->title(), QStringLiteral("b.cpp"));
    for (Document* each : desk.parts().tabs->documents())
      QCOMPARE(each->hunks()->offeredCount(), 0);
  }

  void whatHasNoPlaceIsRefused() {
    ApplyDesk desk;
    desk.openFile(QStringLiteral("src/a.cpp"));
    desk.answer("src/a.cpp\n" + fenced("int place() {\n  // ... the rest as before\n}\n") +
                "Build it:\n" + fenced("make all\n", "sh") + "no/where.cpp\n" +
                fenced("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", ""));
    QTRY_COMPARE(desk.blocks().size(), 3);
    desk.apply();
    QTRY_VERIFY(!desk.problem().isEmpty());
    QCOMPARE(desk.offered(), 0);
    QCOMPARE(desk.editor()->text(), kPlace);
    // A command is none to apply.
    QVERIFY(!desk.button(1)->isVisible());
    desk.apply(2);
    QTRY_VERIFY2(desk.problem().contains(QStringLiteral("no file no/where.cpp")),
                 qPrintable(desk.problem()));
  }

  // A name that two files have is none of a new file either.
  void aNameThatSeveralFilesHaveIsRefused() {
    ApplyDesk desk;
    desk.write(QStringLiteral("lib/a.cpp"), kPlace);
    desk.openProject();
    QTRY_VERIFY(!desk.parts().fileIndex->isReading());
    pairing::chooseScripted(desk.parts().roster, desk.server.base());
    QTRY_COMPARE(desk.parts().fileIndex->files().size(), 3);
    desk.answer("a.cpp\n" + fenced(kFresh));
    desk.apply();
    QTRY_VERIFY2(desk.problem().contains(QStringLiteral("is not certain")),
                 qPrintable(desk.problem()));
    QCOMPARE(desk.parts().pairDock->page(), PairDock::Page::kAsk);
    QVERIFY(!QFileInfo::exists(desk.path(QStringLiteral("a.cpp"))));
  }

  // What there is of an answer that was stopped is no code to apply.
  void codeThatIsNotWholeCannotBeApplied() {
    ApplyDesk desk;
    desk.openFile(QStringLiteral("src/a.cpp"));
    desk.server.script(pairing::chatBeginning("```cpp\nint place() {\n"));
    WindowFixture::trigger(desk.window(), "ask.ask");
    QTRY_VERIFY(desk.panel()->input()->hasFocus());
    desk.panel()->input()->setText(QStringLiteral("change it"));
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(!desk.blocks().isEmpty());
    QVERIFY(!desk.button()->isVisible());
    WindowFixture::key(Qt::Key_Escape);
    QTRY_VERIFY(!desk.panel()->isRunning());
    QVERIFY(!desk.button()->isVisible());
  }

  void aNewFileWaitsInTheListToReview() {
    ApplyDesk desk;
    desk.openFile(QStringLiteral("src/a.cpp"));
    desk.answer("src/fresh.cpp\n" + fenced("int fresh() { return 5; }\n"));
    desk.apply();
    PairDock* dock = desk.parts().pairDock;
    QTRY_COMPARE(dock->page(), PairDock::Page::kReview);
    QVERIFY2(desk.problem().isEmpty(), qPrintable(desk.problem()));
    QTRY_COMPARE(dock->review()->changes()->tree()->model()->rowCount(), 1);
    QVERIFY(!QFileInfo::exists(desk.path(QStringLiteral("src/fresh.cpp"))));
    dock->review()->changes()->tree()->setFocus();
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.read(QStringLiteral("src/fresh.cpp")), QByteArray("int fresh() { return 5; }\n"));
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestApplyCode)
#include "test_apply_code.moc"
