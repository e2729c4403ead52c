// SPDX-License-Identifier: GPL-3.0-or-later
// Other answers in the place of the changes on offer, and what an answer has for other files.
#include <QJsonArray>
#include <QPushButton>

#include "editor/widget/code_editor.h"
#include "gui/pairing/edit_session.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/review_list.h"
#include "gui/pairing/review_panel.h"
#include "tests/gui/pairing/edit_desk.h"

namespace waferpair::gui {

namespace {

const QByteArray kSecond = said(block("  return 1;\n", "  return 1 * 10;\n"));
const QByteArray kThird = said(block("  return 2;\n", "  return 2 * 10;\n"));
const QByteArrayList kFirstTexts = {"  return 10;\n", "  return 20;\n"};
const QByteArrayList kSecondTexts = {"  return 1 * 10;\n"};
const QByteArrayList kThirdTexts = {"  return 2 * 10;\n"};

struct AlternativesDesk : EditDesk {
  AlternativesDesk() {
    askForTwoChanges();
    QTRY_VERIFY2(state().startsWith(QStringLiteral("2 changes (")), qPrintable(state()));
  }
  void next() { key(Qt::Key_BracketRight, Qt::AltModifier); }
  void previous() { key(Qt::Key_BracketLeft, Qt::AltModifier); }
  void script(const QByteArray& answer) { server.script({{answer, pairing::chatFinish("stop")}}); }
  QByteArrayList offered() {
    QByteArrayList texts;
    for (const editor::Hunk& hunk : hunks()->hunks())
      if (hunk.state == editor::HunkState::kOffered) texts.append(hunk.text);
    return texts;
  }
};

}  // namespace

class TestEditAnswers : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void keysGoThroughTheAnswersInPlace() {
    AlternativesDesk desk;
    desk.script(kSecond);
    desk.next();
    QTRY_COMPARE(desk.offered(), kSecondTexts);
    // The same was asked, and the model not held to its first choice.
    QCOMPARE(desk.server.requests().size(), 2);
    QCOMPARE(desk.server.requests()[1].body["messages"],
             desk.server.requests()[0].body["messages"]);
    QCOMPARE(desk.server.requests()[1].body["temperature"].toDouble(), 0.8);
    QVERIFY2(desk.state().startsWith(QStringLiteral("Answer 2 of 2")), qPrintable(desk.state()));
    // Where there is room the buttons stand in one row.
    desk.window().resize(1100, 640);
    const auto top = [&desk](const char* name) { return desk.find<QPushButton>(name)->y(); };
    QTRY_VERIFY(top("editAnother") < desk.find<QWidget>("editModel")->geometry().bottom());
    QCOMPARE(top("editAcceptAll"), top("editAnother"));
    if (qEnvironmentVariableIsSet("SHOTS")) desk.window().grab().save("/tmp/alternative.png");
    desk.script(kThird);
    desk.next();
    QTRY_COMPARE(desk.offered(), kThirdTexts);
    // There are no more, and those that came are not asked for again.
    desk.next();
    QVERIFY2(desk.state().contains(QStringLiteral("no more than 3")), qPrintable(desk.state()));
    desk.previous();
    QCOMPARE(desk.offered(), kSecondTexts);
    desk.previous();
    QCOMPARE(desk.offered(), kFirstTexts);
    desk.previous();
    QCOMPARE(desk.offered(), kFirstTexts);
    desk.next();
    QCOMPARE(desk.offered(), kSecondTexts);
    QCOMPARE(desk.server.requests().size(), 3);
    QCOMPARE(desk.editor()->text(), QByteArray(kText));
    QVERIFY(!desk.editor()->sci(QsciScintillaBase::SCI_CANUNDO));
    // The one in sight is accepted, as one step, and the others are gone.
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), desk.with("return 1;", "return 1 * 10;"));
    desk.next();
    QCOMPARE(desk.server.requests().size(), 3);
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), QByteArray(kText));
  }

  // What is on offer stays while the next answer comes, and where it is of no use.
  void whatIsOnOfferStaysUntilAnotherIsWhole() {
    AlternativesDesk desk;
    desk.server.script({{said("<<<<<<< SEARCH\n  return 1;\n")}, Then::kStall});
    desk.next();
    QTRY_COMPARE(desk.server.requests().size(), 2);
    QTRY_VERIFY2(desk.state().startsWith(QStringLiteral("Another answer: ")),
                 qPrintable(desk.state()));
    QCOMPARE(desk.offered(), kFirstTexts);
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(desk.offered(), kFirstTexts);
    QTRY_COMPARE(desk.server.openConnections(), 0);
    desk.script(kTwoChanges);
    desk.next();
    QTRY_VERIFY2(desk.state().contains(QStringLiteral("is there already")),
                 qPrintable(desk.state()));
    QCOMPARE(desk.offered(), kFirstTexts);
    desk.server.script({{}, Then::kEnd, 500});
    desk.next();
    QTRY_VERIFY2(desk.state().contains(QStringLiteral("500")), qPrintable(desk.state()));
    QCOMPARE(desk.offered(), kFirstTexts);
  }

  // A sentence behind an alternative refines that one.
  void theNextSentenceRefinesTheOneInSight() {
    AlternativesDesk desk;
    desk.script(kSecond);
    desk.next();
    QTRY_COMPARE(desk.offered(), kSecondTexts);
    desk.script(kThird);
    desk.ask(QStringLiteral("the second one"));
    QTRY_COMPARE(desk.offered(), kThirdTexts);
    const QJsonArray messages = desk.server.requests().last().body["messages"].toArray();
    QVERIFY(messages.size() >= 4);
    const QString before = messages[messages.size() - 2].toObject()["content"].toString();
    QVERIFY2(before.contains(QStringLiteral("return 1 * 10;")), qPrintable(before));
  }

  void typingEndsTheOtherAnswers() {
    AlternativesDesk desk;
    desk.script(kSecond);
    desk.next();
    QTRY_COMPARE(desk.offered(), kSecondTexts);
    desk.document()->setFocus();
    desk.editor()->setSelection(0, 0);
    desk.type(QStringLiteral("//"));
    desk.key(Qt::Key_Return);
    desk.previous();
    QCOMPARE(desk.offered(), kSecondTexts);
    QCOMPARE(desk.server.requests().size(), 2);
  }

  void changesOfOtherFilesWaitInTheListToReview() {
    EditDesk desk;
    desk.write(QStringLiteral("b.cpp"), "int third() {\n  return 3;\n}\n");
    desk.chooseModel();
    desk.server.script({{said(block("  return 1;\n", "  return 10;\n") + "b.cpp\n" +
                              block("  return 3;\n", "  return 30;\n")),
                         pairing::chatFinish("stop")}});
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("times ten everywhere"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    PairDock* dock = desk.parts().pairDock;
    QTRY_COMPARE(dock->page(), PairDock::Page::kReview);
    QTRY_VERIFY(dock->isVisible());
    auto* tree = dock->review()->changes()->tree();
    QCOMPARE(tree->model()->rowCount(), 1);
    QTRY_VERIFY2(desk.state().contains(QStringLiteral("Changes of b.cpp wait in the list")),
                 qPrintable(desk.state()));
    // The keyboard stays, and nothing is in the file yet.
    QVERIFY(!dock->isAncestorOf(QApplication::focusWidget()));
    QCOMPARE(desk.read(QStringLiteral("b.cpp")), QByteArray("int third() {\n  return 3;\n}\n"));
    if (qEnvironmentVariableIsSet("SHOTS")) desk.window().grab().save("/tmp/elsewhere.png");
    tree->setFocus();
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.read(QStringLiteral("b.cpp")), QByteArray("int third() {\n  return 30;\n}\n"));
    QCOMPARE(desk.editor()->text(), QByteArray(kText));
  }

  // A second one comes beside what waits, and does not take its place.
  void whatWaitsInTheListStays() {
    EditDesk desk;
    desk.write(QStringLiteral("b.cpp"), "int third() {\n  return 3;\n}\n");
    desk.write(QStringLiteral("c.cpp"), "int fourth() {\n  return 4;\n}\n");
    desk.chooseModel();
    desk.editor()->selectAll();
    for (const QByteArray& digit : {QByteArray("3"), QByteArray("4")}) {
      const QByteArray file = digit == "3" ? "b.cpp\n" : "c.cpp\n";
      desk.server.script(
          {{said(file + block("  return " + digit + ";\n", "  return " + digit + "0;\n")),
            pairing::chatFinish("stop")}});
      desk.ask(QStringLiteral("times ten there %1").arg(QString::fromUtf8(digit)));
      QTRY_VERIFY2(desk.state().contains(QStringLiteral("wait in the list to review")),
                   qPrintable(desk.state()));
    }
    auto* tree = desk.parts().pairDock->review()->changes()->tree();
    QCOMPARE(tree->model()->rowCount(), 2);
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestEditAnswers)
#include "test_edit_answers.moc"
