// SPDX-License-Identifier: GPL-3.0-or-later
// Two answers to one instruction side by side, by keys and mouse in the real window.
#include <QPushButton>
#include <QSplitter>

#include "editor/widget/code_editor.h"
#include "editor/widget/decorations.h"
#include "gui/pairing/two_answers.h"
#include "tests/gui/pairing/edit_desk.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

const QByteArray kOther = said(block("  return 1;\n", "  return 1 * 10;\n") +
                               block("  return 2;\n", "  return 2 * 10;\n"));

struct AnswersDesk : EditDesk {
  AnswersDesk() { askForTwoChanges(); }
  void askAnother(const QByteArray& answer) {
    QTRY_VERIFY2(state().startsWith("2 changes ("), qPrintable(state()));
    server.script({{answer, pairing::chatFinish("stop")}});
    key(Qt::Key_Return, Qt::ControlModifier | Qt::AltModifier);
  }
  TwoAnswers* both() { return document()->findChild<TwoAnswers*>(); }
  editor::CodeEditor* view(int number) {
    return both()->findChild<editor::CodeEditor*>(QStringLiteral("answerView%1").arg(number));
  }
  // The changes as they are drawn there.
  QByteArray drawn(int number) {
    QByteArray drawn;
    for (const auto* each : both()->findChildren<editor::Decorations*>(Qt::FindDirectChildrenOnly))
      if (--number == 0)
        for (const editor::Decoration& one : each->decorations()) drawn += one.text;
    return drawn;
  }
  bool isSecondComplete() { return both() && find<QPushButton>("takeSecond")->isEnabled(); }
  QByteArrayList offered() {
    QByteArrayList texts;
    for (const editor::Hunk& hunk : hunks()->hunks())
      if (hunk.state == editor::HunkState::kOffered) texts.append(hunk.text);
    return texts;
  }
};

const QByteArrayList kFirstTexts = {"  return 10;\n", "  return 20;\n"};
const QByteArrayList kSecondTexts = {"  return 1 * 10;\n", "  return 2 * 10;\n"};

}  // namespace

class TestTwoAnswers : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void theSecondIsShownBesideTheFirstAndTakenByKeys() {
    AnswersDesk desk;
    desk.askAnother(kOther);
    QTRY_VERIFY(desk.isSecondComplete());
    QCOMPARE(desk.drawn(1).simplified(), "return 10; return 20;");
    QCOMPARE(desk.drawn(2).simplified(), "return 1 * 10; return 2 * 10;");
    QCOMPARE(desk.view(1)->text(), kText);
    QVERIFY(desk.view(2)->hasFocus());
    QCOMPARE(desk.view(2)->accessibleName(), "Second answer");
    // The same model was asked, and not held to its first choice.
    QCOMPARE(desk.server.requests().size(), 2);
    QCOMPARE(desk.server.requests()[1].body["temperature"].toDouble(), 0.8);
    QCOMPARE(desk.server.requests()[1].body["messages"],
             desk.server.requests()[0].body["messages"]);
    if (qEnvironmentVariableIsSet("SHOTS")) desk.window().grab().save("/tmp/answers.png");
    WindowFixture::key(Qt::Key_Left);
    QVERIFY(desk.view(1)->hasFocus());
    WindowFixture::key(Qt::Key_Right);
    QVERIFY(desk.view(2)->hasFocus());
    // A key changes nothing there.
    WindowFixture::type("x");
    QCOMPARE(desk.view(2)->text(), kText);
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(!desk.both());
    QCOMPARE(desk.offered(), kSecondTexts);
    QCOMPARE(desk.editor()->text(), kText);
    QVERIFY(desk.editor()->hasFocus());
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(),
             desk.with("return 1;", "return 1 * 10;").replace("return 2;", "return 2 * 10;"));
  }

  void theFirstIsTakenByEscAndByItsButton() {
    for (const bool byKey : {true, false}) {
      AnswersDesk desk;
      desk.askAnother(kOther);
      QTRY_VERIFY(desk.isSecondComplete());
      if (byKey) {
        WindowFixture::key(Qt::Key_Escape);
      } else {
        QVERIFY(WindowFixture::click("takeFirst"));
      }
      QTRY_VERIFY(!desk.both());
      QCOMPARE(desk.offered(), kFirstTexts);
      QCOMPARE(desk.editor()->text(), kText);
    }
  }

  void theButtonOfTheBarAsks() {
    AnswersDesk desk;
    QTRY_VERIFY(desk.find<QPushButton>("editAnother")->isVisible());
    desk.server.script({{kOther, pairing::chatFinish("stop")}});
    QVERIFY(WindowFixture::click("editAnother"));
    QTRY_VERIFY(desk.isSecondComplete());
    QVERIFY(WindowFixture::click("takeSecond"));
    QCOMPARE(desk.offered(), kSecondTexts);
  }

  void theSameAnswerIsSaidToBe() {
    AnswersDesk desk;
    desk.askAnother(kTwoChanges);
    QTRY_COMPARE(desk.state(), "The second answer is the same.");
    QTRY_VERIFY(!desk.both());
    QCOMPARE(desk.offered(), kFirstTexts);
  }

  void anAnswerWithoutChangesIsSaidToBeNone() {
    AnswersDesk desk;
    desk.askAnother(said("I would not."));
    QTRY_COMPARE(desk.state(), "The second answer changes nothing.");
    QCOMPARE(desk.offered(), kFirstTexts);
  }

  void aFailureIsSaidAndCannotBeTaken() {
    AnswersDesk desk;
    QTRY_VERIFY(desk.state().startsWith("2 changes ("));
    desk.server.script({{"{}"}, Then::kEnd, 500});
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(desk.both());
    QTRY_VERIFY(desk.both()->findChild<QLabel*>("answerCaption2")->text().contains("500"));
    WindowFixture::key(Qt::Key_Return);
    QVERIFY(desk.both() && !desk.isSecondComplete());
    WindowFixture::key(Qt::Key_Escape);
    QTRY_VERIFY(!desk.both());
    QCOMPARE(desk.offered(), kFirstTexts);
  }

  // Stalled, it is left by Esc; and a text that changes under the two ends it.
  void itEndsWithTheTextOrByEsc() {
    for (const bool byKey : {true, false}) {
      AnswersDesk desk;
      QTRY_VERIFY(desk.state().startsWith("2 changes ("));
      desk.server.script({{said("<<<<<<< SEARCH\n  return 1;\n")}, Then::kStall});
      WindowFixture::key(Qt::Key_Return, Qt::ControlModifier | Qt::AltModifier);
      QTRY_VERIFY(desk.both());
      if (byKey) {
        WindowFixture::key(Qt::Key_Escape);
      } else {
        desk.editor()->replaceRange(0, 0, "// top\n");
      }
      QTRY_VERIFY(!desk.both());
      QCOMPARE(desk.offered(), kFirstTexts);
      if (!byKey) QCOMPARE(desk.state(), "The text has changed: ask for another answer again.");
    }
  }

  void anotherModelIsAskedWhereThereIsOne() {
    EditDesk desk;
    ScriptedEndpoint large;
    desk.chooseTwoModels(large.base());
    desk.server.script({{kTwoChanges, pairing::chatFinish("stop")}});
    large.script({{kOther, pairing::chatFinish("stop")}});
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("times ten"));
    QTRY_VERIFY(desk.state().startsWith("2 changes ("));
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier | Qt::AltModifier);
    QTRY_COMPARE(large.requests().size(), 1);
    QVERIFY(!large.requests()[0].body.contains("temperature") ||
            large.requests()[0].body["temperature"].toDouble() != 0.8);
    const auto* both = desk.document()->findChild<TwoAnswers*>();
    QTRY_VERIFY(
        both->findChild<QLabel*>("answerCaption2")->text().startsWith("Second answer · Large · 2"));
  }

  void theTwoScrollTogetherAndStandAboveEachOtherWithoutRoom() {
    EditDesk desk(QByteArray(kText) + QByteArray("// more\n").repeated(300));
    desk.askForTwoChanges();
    QTRY_VERIFY(desk.state().startsWith("2 changes ("));
    desk.server.script({{kOther, pairing::chatFinish("stop")}});
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier | Qt::AltModifier);
    auto* both = desk.document()->findChild<TwoAnswers*>();
    QVERIFY(both);
    const auto views = both->findChildren<editor::CodeEditor*>();
    QCOMPARE(views.size(), 2);
    WindowFixture::key(Qt::Key_PageDown);
    const auto top = [&](int view) {
      return views[view]->sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE);
    };
    QVERIFY(std::max(top(0), top(1)) > 0);
    QTRY_COMPARE(top(0), top(1));
    desk.window().resize(1400, 700);
    QTRY_COMPARE(both->geometry(), desk.editor()->geometry());
    QCOMPARE(both->findChild<QSplitter*>()->orientation(), Qt::Horizontal);
    if (qEnvironmentVariableIsSet("SHOTS")) desk.window().grab().save("/tmp/answers_wide.png");
    desk.window().resize(700, 600);
    QTRY_COMPARE(both->findChild<QSplitter*>()->orientation(), Qt::Vertical);
  }
};

QTEST_MAIN(TestTwoAnswers)
#include "test_two_answers.moc"
