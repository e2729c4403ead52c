// SPDX-License-Identifier: GPL-3.0-or-later
// A change in sight while the model is still writing it.
#include <QApplication>
#include <QClipboard>
#include <QPushButton>

#include "editor/view/word.h"
#include "editor/widget/decorations.h"
#include "gui/kit/theme.h"
#include "gui/pairing/edit_session.h"
#include "gui/pairing/growing_change.h"
#include "tests/gui/pairing/edit_desk.h"

namespace waferpair::gui {

using editor::word;
using Sci = QsciScintillaBase;

namespace {

const QByteArray kBegun =
    "<<<<<<< SEARCH\nint second() {\n  return 2;\n}\n=======\nint second() {\n  log();\n";

struct GrowingDesk : EditDesk {
  using EditDesk::EditDesk;
  void begin(const QByteArray& answer) {
    chooseModel();
    server.script(pairing::chatBeginning(answer));
    editor()->selectAll();
    ask(QStringLiteral("log it"));
  }
  // All rows between the text's lines.
  QByteArray rows() {
    QByteArray all;
    for (int line = 0; line < editor()->lineCount(); ++line) {
      QByteArray text(editor()->sci(Sci::SCI_ANNOTATIONGETTEXT, word(line)), '\0');
      editor()->SendScintilla(Sci::SCI_ANNOTATIONGETTEXT, word(line), text.data());
      if (!text.isEmpty()) all += text + '\n';
    }
    return all;
  }
  bool isRunning() {
    const auto* session = document()->findChild<EditSession*>();
    return session && session->run() && !session->run()->isOver();
  }
};

}  // namespace

class TestGrowingHunks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aLineIsInSightWhileTheRestStillComes() {
    GrowingDesk desk;
    desk.begin(kBegun);
    QTRY_COMPARE(desk.rows(), QByteArray("  log();\n"));
    QVERIFY(desk.isRunning());
    for (const bool isDark : {true, false}) {
      if (!qEnvironmentVariableIsSet("SHOTS")) break;
      Theme::instance().apply(Look{.isDark = isDark, .colors = {}});
      desk.window().grab().save(QStringLiteral("/tmp/growing_%1.png").arg(isDark));
    }
    QCOMPARE(desk.hunks()->offeredCount(), 0);
    QVERIFY2(desk.state().startsWith(QStringLiteral("2 lines so far")), qPrintable(desk.state()));
    // It is there to be looked at: nothing of it can be accepted, and the keyboard stays.
    QVERIFY(desk.find<QLineEdit>("editInstruction")->hasFocus());
    desk.key(Qt::Key_Return, Qt::AltModifier);
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), QByteArray(kText));

    desk.server.goOn({said("  return 20;\n}\n>>>>>>> REPLACE\n"), pairing::chatFinish("stop")});
    QTRY_VERIFY(!desk.isRunning());
    QCOMPARE(desk.hunks()->offeredCount(), 1);
    const QByteArray growing = desk.rows();
    QVERIFY(desk.document()->decorations()->growing().isEmpty());

    // The whole answer at once leaves the same in sight.
    GrowingDesk whole;
    whole.chooseModel();
    whole.server.script(
        {{said(kBegun + "  return 20;\n}\n>>>>>>> REPLACE\n"), pairing::chatFinish("stop")}});
    whole.editor()->selectAll();
    whole.ask(QStringLiteral("log it"));
    QTRY_COMPARE(whole.hunks()->offeredCount(), 1);
    QCOMPARE(whole.hunks()->hunks(), desk.hunks()->hunks());
    QCOMPARE(whole.rows(), growing);
  }

  // Small models answer with the lines anew.
  void codeInAFenceGrowsToo() {
    GrowingDesk desk;
    desk.begin("```sh\nmake everything\nmake install\n");
    // It is counted, and has no place.
    QTRY_VERIFY2(desk.state().startsWith(QStringLiteral("2 lines so far")),
                 qPrintable(desk.state()));
    QCOMPARE(desk.rows(), QByteArray());

    GrowingDesk meant;
    meant.chooseModel();
    meant.server.script(pairing::chatBeginning("```cpp\nint second() {\n  return 20;\n"));
    const qint64 at = QByteArray(kText).indexOf("return 2");
    meant.editor()->setSelection(at, at);
    meant.ask(QStringLiteral("times ten"));
    QTRY_COMPARE(meant.rows(), QByteArray("  return 20;\n"));
  }

  void escKeepsItMarkedAndEscTakesItAway() {
    GrowingDesk desk;
    desk.begin(kBegun);
    QTRY_COMPARE(desk.rows(), QByteArray("  log();\n"));
    desk.key(Qt::Key_Escape);
    QVERIFY(!desk.isRunning());
    QCOMPARE(desk.rows(), QByteArray("  log();\n"));
    QVERIFY2(desk.state().contains(QStringLiteral("2 lines so far of one that is not whole")),
             qPrintable(desk.state()));
    QCOMPARE(desk.hunks()->offeredCount(), 0);
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), QByteArray(kText));
    QVERIFY(WindowFixture::click("editCopy"));
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("int second() {\n  log();\n"));
    // It moves with what is typed.
    desk.document()->setFocus();
    desk.editor()->setSelection(0, 0);
    desk.type(QStringLiteral("//"));
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.rows(), QByteArray("  log();\n"));
    QCOMPARE(desk.document()->decorations()->growing().value(0).start,
             desk.editor()->text().indexOf("  return 2"));
    desk.key(Qt::Key_Escape);
    QCOMPARE(desk.rows(), QByteArray());
  }

  void whatIsTypedOverItsLinesTakesItAway() {
    GrowingDesk desk;
    desk.begin("<<<<<<< SEARCH\n  return 2;\n=======\n  return 20;\n");
    QTRY_COMPARE(desk.rows(), QByteArray("  return 20;\n"));
    desk.document()->setFocus();
    const qint64 at = QByteArray(kText).indexOf("2;");
    desk.editor()->setSelection(at, at);
    desk.type(QStringLiteral("7"));
    QTRY_COMPARE(desk.rows(), QByteArray());
    QCOMPARE(desk.editor()->text(), desk.with("2;", "72;"));
  }

  // A change far away is brought into sight once; where the user has gone since, nothing moves.
  void itIsBroughtIntoSightAndThenMovesNothing() {
    QByteArray text;
    for (int i = 0; i < 300; ++i) text += "int line" + QByteArray::number(i) + ";\n";
    GrowingDesk desk(text);
    desk.begin("<<<<<<< SEARCH\nint line200;\n=======\nint row1;\n");
    const auto first = [&desk] { return desk.editor()->sci(Sci::SCI_GETFIRSTVISIBLELINE); };
    QTRY_COMPARE(desk.rows(), QByteArray("int row1;\n"));
    const long page = desk.editor()->sci(Sci::SCI_LINESONSCREEN);
    QVERIFY(first() <= 200 && 200 < first() + page);
    desk.editor()->sci(Sci::SCI_SETFIRSTVISIBLELINE, 250);
    const auto top = [&desk, &first] {
      return desk.editor()->sci(Sci::SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(first()));
    };
    const long read = top();
    desk.server.say(said("int row2;\nint row3;\n"));
    QTRY_VERIFY(desk.rows().startsWith("int row1;\nint row2;\nint row3;\n"));
    QCOMPARE(top(), read);
  }

  void anotherInstructionBeginsAnew() {
    GrowingDesk desk;
    desk.begin(kBegun);
    QTRY_COMPARE(desk.rows(), QByteArray("  log();\n"));
    desk.server.script(
        pairing::chatBeginning("<<<<<<< SEARCH\n  return 1;\n=======\n  return 10;\n"));
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.rows(), QByteArray("  return 10;\n"));
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestGrowingHunks)
#include "test_growing_hunks.moc"
