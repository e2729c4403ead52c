// SPDX-License-Identifier: GPL-3.0-or-later
// Bookmarks by key, and the strip that shows where things are.
#include <QtTest>

#include "editor/layers/bookmarks.h"
#include "editor/layers/scroll_marks.h"
#include "editor/view/selections.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

namespace {

constexpr auto kToggle = Qt::ControlModifier | Qt::AltModifier;

QByteArray numbered(int lines) {
  QByteArray text;
  for (int i = 0; i < lines; ++i) text += "line " + QByteArray::number(i) + '\n';
  return text;
}

}  // namespace

class TestBookmarks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void keysSetAndVisitThem() {
    auto editor = makeEditor(numbered(50));
    QSignalSpy changed(editor.get(), &CodeEditor::bookmarksChanged);
    for (const int line : {5, 20, 40}) {
      editor->goToLine(line);
      QTest::keyClick(editor.get(), Qt::Key_K, kToggle);
    }
    QCOMPARE(editor->bookmarks()->lines(), (QVector<int>{5, 20, 40}));
    QCOMPARE(changed.size(), 3);
    QTest::keyClick(editor.get(), Qt::Key_PageDown, Qt::AltModifier);
    QCOMPARE(editor->caretLine(), 5);
    QTest::keyClick(editor.get(), Qt::Key_PageDown, Qt::AltModifier);
    QCOMPARE(editor->caretLine(), 20);
    QTest::keyClick(editor.get(), Qt::Key_PageUp, Qt::AltModifier);
    QTest::keyClick(editor.get(), Qt::Key_PageUp, Qt::AltModifier);
    QCOMPARE(editor->caretLine(), 40);
    QTest::keyClick(editor.get(), Qt::Key_K, kToggle);
    QCOMPARE(editor->bookmarks()->lines(), (QVector<int>{5, 20}));
    QVERIFY(!editor->isModified());
    QVERIFY(editor->perform("clear-bookmarks"));
    QVERIFY(!editor->perform("clear-bookmarks"));
    QVERIFY(!editor->perform("next-bookmark"));
  }

  void theyFollowTheirLines() {
    auto editor = makeEditor(numbered(10));
    editor->bookmarks()->setLines({2, 5, 99, -1});
    QCOMPARE(editor->bookmarks()->lines(), (QVector<int>{2, 5}));
    editor->setSelection(0, 0);
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QCOMPARE(editor->bookmarks()->lines(), (QVector<int>{3, 6}));
    editor->goToLine(4);
    QTest::keyClick(editor.get(), Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(editor->bookmarks()->lines(), (QVector<int>{3, 5}));
    editor->setText("new\n");
    QCOMPARE(editor->bookmarks()->lines(), QVector<int>());
  }

  void eachCaretHasOne() {
    auto editor = makeEditor(numbered(5));
    setSelections(editor.get(), {{0, 0}, {8, 8}, {9, 9}}, 0);
    editor->bookmarks()->toggle();
    QCOMPARE(editor->bookmarks()->lines(), (QVector<int>{0, 1}));
    editor->goToLine(1);
    editor->perform("caret-below");
    editor->bookmarks()->toggle();  // one of the two has none
    QCOMPARE(editor->bookmarks()->lines(), (QVector<int>{0, 1, 2}));
    editor->bookmarks()->toggle();
    QCOMPARE(editor->bookmarks()->lines(), QVector<int>{0});
  }

  void theStripShowsMarksAndLeadsThere() {
    auto editor = makeEditor(numbered(1000));
    auto* strip = new ScrollMarkStrip(editor.get());
    strip->show();
    QCOMPARE(strip->geometry().left(), editor->viewport()->geometry().right() + 1);
    const QColor red(200, 10, 20);
    QVector<int> lines{0, 500, 999};
    strip->addSource([&](const TextView&) { return ScrollMarks{lines, red, MarkLane::kLeft}; });
    const auto inked = [&] {
      const QImage image = strip->grab().toImage();
      QVector<int> rows;
      for (int y = 0; y < image.height(); ++y)
        if (image.pixelColor(1, y) == red) rows += y;
      return rows;
    };
    QTRY_COMPARE(inked().size(), 6);  // two pixels each
    const int middle = inked()[2];
    QVERIFY(std::abs(middle - strip->height() / 2) <= 2);
    // Other lanes are free.
    QCOMPARE(strip->grab().toImage().pixelColor(5, middle), editor->colors().margin);
    QTest::mouseClick(strip, Qt::LeftButton, {}, QPoint(4, middle + 2));
    QCOMPARE(editor->caretLine(), 500);
    QVERIFY(editor->hasFocus());
    // Where no mark is near, to the line that the place stands for.
    QTest::mouseClick(strip, Qt::LeftButton, {}, QPoint(4, strip->height() / 4));
    QVERIFY2(std::abs(editor->caretLine() - 250) <= 5,
             qPrintable(QString::number(editor->caretLine())));
    lines = {};
    strip->refresh();
    QTRY_COMPARE(inked().size(), 0);
    editor->resize(500, 300);
    QTRY_COMPARE(strip->height(), editor->viewport()->height());
  }

  void marksOfAShortTextStandBesideTheirLines() {
    auto editor = makeEditor("a\nb\nc\n");
    auto* strip = new ScrollMarkStrip(editor.get());
    strip->show();
    const long height = editor->sci(QsciScintillaBase::SCI_TEXTHEIGHT, 0);
    QTest::mouseClick(strip, Qt::LeftButton, {}, QPoint(4, static_cast<int>(height * 3 / 2)));
    QCOMPARE(editor->caretLine(), 1);
  }
};

QTEST_MAIN(TestBookmarks)
#include "test_bookmarks.moc"
