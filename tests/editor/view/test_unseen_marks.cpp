// SPDX-License-Identifier: GPL-3.0-or-later
// Characters that one does not see, as the editor shows them: boxes, pins and frames as pixels, and
// the text, the caret and the clipboard as they were.
#include <QClipboard>

#include "editor/ghost/ghost_text.h"
#include "editor/text/unseen.h"
#include "editor/widget/decorations.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

int xOf(const CodeEditor& editor, qint64 at) {
  return static_cast<int>(editor.sci(Sci::SCI_POINTXFROMPOSITION, 0, static_cast<long>(at)));
}

// What is seen of bytes [start, end) of one line.
QImage seen(CodeEditor& editor, qint64 start, qint64 end, int more = 0) {
  const auto y =
      static_cast<int>(editor.sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(start)));
  const QRect area(xOf(editor, start) - more, y, xOf(editor, end) - xOf(editor, start) + 2 * more,
                   static_cast<int>(editor.sci(Sci::SCI_TEXTHEIGHT, 0)));
  return editor.viewport()->grab(area).toImage();
}

int pixelsOf(const QImage& image, const QColor& color) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == color.rgb() ? 1 : 0;
  return count;
}

std::unique_ptr<CodeEditor> plainEditor(const QString& text) {
  auto editor = makeEditor(text.toUtf8(), {});
  editor->sci(Sci::SCI_SETCARETLINEVISIBLE, 0);
  editor->highlightAll();
  return editor;
}

class TestUnseenMarks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // What is painted of a suggestion is what would be painted of its marks.
  void aSuggestionHasMarksToo() {
    const auto pictureOf = [](const QByteArray& ghost) {
      auto editor = makeEditor("int a = \n", {});
      editor->setSelection(8, 8);
      if (!editor->ghost()->show(8, ghost)) return QImage();
      return editor->viewport()->grab().toImage();
    };
    const QImage hostile = pictureOf("1; /*\u202e } \u2066*/\nint\u200b b;");
    QVERIFY(!hostile.isNull());
    QCOMPARE(hostile, pictureOf("1; /*⟨U+202E⟩ } ⟨U+2066⟩*/\nint⟨U+200B⟩ b;"));
    QVERIFY(hostile != pictureOf("1; /* } */\nint b;"));
  }

  // The line of the Trojan source: what an override would turn round stands as it is compiled.
  void overridesAreBoxesAndTurnNothing() {
    const QString plain = u"/* } if (isAdmin)  begin */"_s;
    const QString trojan = u"/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin */"_s;
    auto editor = plainEditor(plain + u'\n' + trojan + u'\n');
    const qint64 start = editor->lineStart(1);
    for (qint64 at = start; at < editor->lineEnd(1);) {
      const qint64 next = editor->sci(Sci::SCI_POSITIONAFTER, static_cast<unsigned long>(at));
      QVERIFY2(xOf(*editor, next) > xOf(*editor, at), qPrintable(QString::number(at - start)));
      at = next;
    }
    const QByteArray utf8 = editor->text();
    for (const QByteArray word : {"isAdmin", "begin", "if"}) {
      const qint64 first = utf8.indexOf(word);
      const qint64 second = utf8.indexOf(word, start);
      QCOMPARE(seen(*editor, second, second + word.size()),
               seen(*editor, first, first + word.size()));
    }
    // The box says which it is: it is wider than some letters, and of its own look.
    const qint64 box = utf8.indexOf("\xe2\x80\xae");
    const int column = xOf(*editor, 1) - xOf(*editor, 0);
    QVERIFY(xOf(*editor, box + 3) - xOf(*editor, box) > 3 * column);
    const qint64 other = utf8.indexOf("\xe2\x81\xa6");
    QVERIFY(seen(*editor, box, box + 3) != seen(*editor, other, other + 3));
  }

  void eachHasWidth() {
    QString text;
    for (const char32_t c : alwaysUnseen())
      text += u'a' + QStringView(QChar::fromUcs4(c)).toString() + u"b\n"_s;
    auto editor = plainEditor(text);
    for (int line = 0; line + 1 < editor->lineCount(); ++line) {
      const qint64 at = editor->lineStart(line) + 1;
      const qint64 next = editor->lineEnd(line) - 1;
      QVERIFY2(xOf(*editor, next) - xOf(*editor, at) >= 10,
               editor->lineText(line).toHex().constData());
    }
  }

  void someAreMarkedByTheirPlace_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isMarked");
    QTest::newRow("plain") << u"admin"_s << false;
    QTest::newRow("joiner between letters") << u"ad\u200dmin"_s << true;
    QTest::newRow("non-joiner between letters") << u"ad\u200cmin"_s << true;
    QTest::newRow("selector of a letter") << u"ad\ufe0fmin"_s << true;
    QTest::newRow("tags") << u"ad\U000e0061min"_s << true;
    QTest::newRow("no-break space") << u"ad\u00a0min"_s << true;
    QTest::newRow("wide blank") << u"ad\u3000min"_s << true;
    QTest::newRow("Persian") << u"می\u200cخواهم"_s << false;
    QTest::newRow("family") << u"👨\u200d👩\u200d👧"_s << false;
    QTest::newRow("heart") << u"❤\ufe0f"_s << false;
  }
  void someAreMarkedByTheirPlace() {
    QFETCH(QString, text);
    QFETCH(bool, isMarked);
    auto editor = plainEditor(u"x\n"_s + text + u"\nx\n"_s);
    const QImage line = seen(*editor, editor->lineStart(1), editor->lineEnd(1), 4);
    QCOMPARE(pixelsOf(line, editor->colors().warning) > 8, isMarked);
    // So it is in a row that lies far to the right, and in a second view.
    CodeEditor view;
    view.resize(800, 400);
    view.mirror(editor.get());
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QCOMPARE(pixelsOf(seen(view, view.lineStart(1), view.lineEnd(1), 4), view.colors().warning) > 8,
             isMarked);
    editor->setText(u"x\n"_s.toUtf8() + QByteArray(5000, 'a') + text.toUtf8() + "\n");
    editor->setSelection(editor->lineEnd(1), editor->lineEnd(1));
    editor->sci(Sci::SCI_SETCARETLINEVISIBLE, 0);
    const qint64 from = editor->lineEnd(1) - text.toUtf8().size();
    QCOMPARE(pixelsOf(seen(*editor, from, editor->lineEnd(1), 1), editor->colors().warning) > 8,
             isMarked);
  }

  void theTextIsWhatItWas() {
    const QByteArray text = u"a\u202eb\u200bc\ufeffd\u200de"_s.toUtf8();
    auto editor = plainEditor(QString::fromUtf8(text));
    QCOMPARE(editor->text(), text);
    editor->selectAll();
    editor->copy();
    QCOMPARE(QGuiApplication::clipboard()->text().toUtf8(), text);
    // The caret goes over each as over a letter.
    editor->setSelection(0, 0);
    for (const qint64 at : {1, 4, 5, 8, 9, 12, 13, 16, 17}) {
      QTest::keyClick(editor.get(), Qt::Key_Right);
      QCOMPARE(editor->caret(), at);
    }
    QTest::keyClick(editor.get(), Qt::Key_Left);
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(editor->text(), u"a\u202eb\u200bc\ufeffde"_s.toUtf8());
    editor->setSelection(1, 4);
    editor->copy();
    editor->setSelection(0, 0);
    editor->paste();
    QVERIFY(editor->text().startsWith(u"\u202ea\u202eb"_s.toUtf8()));
  }

  // Behind a mark of direction a run of Hebrew goes on for itself.
  void marksBesideHebrewAreBoxes() {
    auto editor = plainEditor(u"x\nשלום\u200fעולם x\n"_s);
    const qint64 at = editor->lineStart(1) + 8;
    QVERIFY(xOf(*editor, at + 3) - xOf(*editor, at) > 20);
    const QImage box = seen(*editor, at, at + 3);
    editor->setText(u"x\nabcd\u200fefgh x\n"_s.toUtf8());
    const qint64 there = editor->lineStart(1) + 4;
    QCOMPARE(box, seen(*editor, there, there + 3));
  }

  void hunksShowThemInTheirRows() {
    auto editor = plainEditor(u"one\ntwo\n"_s);
    Hunks hunks([](const QVector<TextEdit>&) { return true; });
    Decorations decorations(editor.get());
    decorations.show(&hunks);
    hunks.offer(suggestionOf("a", {{4, 7, u"t\u202ew\u200bo"_s.toUtf8()}}));
    QByteArray rows(editor->sci(Sci::SCI_ANNOTATIONGETTEXT, 1), '\0');
    editor->SendScintilla(Sci::SCI_ANNOTATIONGETTEXT, 1UL, static_cast<void*>(rows.data()));
    QCOMPARE(QString::fromUtf8(rows), u"t⟨U+202E⟩w⟨U+200B⟩o"_s);
    QVERIFY(decorations.description().contains(u"t⟨U+202E⟩w"_s));
  }
};

}  // namespace

QTEST_MAIN(TestUnseenMarks)
#include "test_unseen_marks.moc"
