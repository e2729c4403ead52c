// SPDX-License-Identifier: GPL-3.0-or-later
// Changes that come far from where the user looks, or at the view's edge: all their rows and their
// buttons are in sight.
#include <QToolButton>

#include "editor/view/word.h"
#include "tests/gui/pairing/edit_desk.h"

namespace waferpair::gui {

using editor::word;
using Sci = QsciScintillaBase;

namespace {

QByteArray numberedLines(int from, int to, const char* name = "line") {
  QByteArray text;
  for (int i = from; i <= to; ++i)
    text += "int " + QByteArray(name) + QByteArray::number(i) + ";\n";
  return text;
}

}  // namespace

class TestHunkReveal : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theFirstChangeIsShownWithAThirdOfThePageAround_data() {
    QTest::addColumn<int>("at");        // line of the change, from 1
    QTest::addColumn<int>("replaced");  // lines
    QTest::addColumn<int>("by");        // lines; 0: they are taken out
    QTest::addColumn<int>("caret");     // line, from 1
    QTest::newRow("far below") << 200 << 1 << 3 << 5;
    QTest::newRow("far above") << 20 << 2 << 1 << 280;
    QTest::newRow("many rows come in") << 150 << 1 << 9 << 149;
    QTest::newRow("many go") << 150 << 9 << 0 << 149;
    QTest::newRow("at the text's end") << 300 << 1 << 5 << 1;
    QTest::newRow("at its beginning") << 1 << 1 << 5 << 300;
  }
  void theFirstChangeIsShownWithAThirdOfThePageAround() {
    QFETCH(int, at);
    QFETCH(int, replaced);
    QFETCH(int, by);
    QFETCH(int, caret);
    EditDesk desk(numberedLines(1, 300));
    desk.chooseModel();
    desk.server.script(
        {{said(block(numberedLines(at, at + replaced - 1), numberedLines(1, by, "fresh"))),
          pairing::chatFinish("stop")}});
    // The caret's line is the last one that can be seen.
    editor::CodeEditor* view = desk.editor();
    view->setSelection(view->lineStart(caret - 1), view->lineStart(caret - 1));
    view->sci(Sci::SCI_SETFIRSTVISIBLELINE,
              word(std::max(0L, caret - view->sci(Sci::SCI_LINESONSCREEN))));
    desk.ask(QStringLiteral("change it"));
    QTRY_VERIFY(desk.state().startsWith(QStringLiteral("1 change")) &&
                !desk.state().contains(QStringLiteral("so far")));
    const auto isInSight = [&] {
      const long top = view->sci(Sci::SCI_GETFIRSTVISIBLELINE);
      const long end = top + view->sci(Sci::SCI_LINESONSCREEN);
      const long first = at - 1;
      const long last = at + replaced + by - 1;  // removed rows, and those that come in
      const long around = std::min((end - top) / 3, (end - top - (last - first)) / 2);
      const long text = 301 + by;
      return first - std::min(around, first) >= top && std::min(last + around, text) <= end &&
             first >= top && last <= end;
    };
    QTRY_VERIFY2(
        isInSight(),
        qPrintable(QStringLiteral("rows from %1").arg(view->sci(Sci::SCI_GETFIRSTVISIBLELINE))));
    const auto button = [&] {
      for (auto* each : view->viewport()->findChildren<QToolButton*>("hunkAccept"))
        if (each->isVisible()) return each;
      return static_cast<QToolButton*>(nullptr);
    };
    QTRY_VERIFY(button());
    QVERIFY(!button()->visibleRegion().isEmpty());
  }

  void goingOnShowsEach() {
    EditDesk desk(numberedLines(1, 300));
    desk.chooseModel();
    desk.server.script({{said(block(numberedLines(50, 50), numberedLines(1, 2, "a")) +
                              block(numberedLines(250, 250), numberedLines(1, 12, "b"))),
                         pairing::chatFinish("stop")}});
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("change it"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 2);
    QTRY_VERIFY(isSeen(desk, 49, 52));
    desk.key(Qt::Key_Return, Qt::AltModifier);
    QTRY_VERIFY(isSeen(desk, 250, 263));  // a line further down
  }

  void whereTheUserScrollsTheViewStays() {
    EditDesk desk(numberedLines(1, 300));
    desk.chooseModel();
    desk.server.script({{said(block(numberedLines(50, 50), "int a;\n"))}, Then::kStall});
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("change it"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    QTRY_VERIFY(isSeen(desk, 49, 51));
    desk.editor()->sci(Sci::SCI_SETFIRSTVISIBLELINE, 200);
    Q_EMIT desk.hunks()->changed();
    QApplication::processEvents();
    QCOMPARE(desk.editor()->sci(Sci::SCI_GETFIRSTVISIBLELINE), 200);
  }

 private:
  // Rows [first, end) of the text, with those that would come in.
  static bool isSeen(EditDesk& desk, long first, long end) {
    const long top = desk.editor()->sci(Sci::SCI_GETFIRSTVISIBLELINE);
    return first >= top && end <= top + desk.editor()->sci(Sci::SCI_LINESONSCREEN);
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestHunkReveal)
#include "test_hunk_reveal.moc"
