// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "editor/view/shown_buffer.h"
#include "tests/editor/editor_test.h"

using namespace waferpair::editor;

namespace {

bool edit(Buffer* buffer, const QVector<TextEdit>& edits) {
  return buffer->apply(buffer->version(), edits).has_value();
}

QByteArray textOf(const Buffer& buffer) { return buffer.snapshot().toByteArray(); }

// All texts that undoing leads to, and redoing back again.
template <typename Undo, typename Redo, typename Text>
QByteArrayList walk(Undo undo, Redo redo, Text text) {
  QByteArrayList texts{text()};
  while (undo()) texts += text();
  while (redo()) {
  }
  return texts;
}

}  // namespace

class TestShownBuffer : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void bothHaveTheSameTextWhoeverEdits() {
    Buffer buffer(Snapshot("int a;\r\n"));
    auto editor = makeEditor();
    const ShownBuffer shown(&buffer, editor.get());
    QCOMPARE(editor->text(), QByteArray("int a;\r\n"));
    QCOMPARE(editor->lineEnds(), LineEnds::kCrLf);
    QVERIFY(!buffer.isModified() && !editor->isModified());
    QVERIFY(edit(&buffer, {{0, 3, "long"}, {7, 7, "!"}}));
    QCOMPARE(editor->text(), QByteArray("long a;!\r\n"));
    editor->setSelection(0, 0);
    QTest::keyClicks(editor.get(), "ab");
    QCOMPARE(textOf(buffer), editor->text());
    QVERIFY(textOf(buffer).startsWith("ablong"));
    QVERIFY(buffer.isModified() && editor->isModified());
    editor->setText("other\n");
    QCOMPARE(textOf(buffer), QByteArray("other\n"));
    buffer.reset(Snapshot("third\n"));
    QCOMPARE(editor->text(), QByteArray("third\n"));
    QVERIFY(!buffer.canUndo());
  }

  void versionsAreTheSameForBoth() {
    Buffer buffer(Snapshot("a\n"));
    for (int i = 0; i < 20; ++i) QVERIFY(edit(&buffer, {{0, 0, "x"}}));
    const qint64 before = buffer.version();
    auto editor = makeEditor();
    {
      const ShownBuffer shown(&buffer, editor.get());
      QVERIFY(buffer.version() > before);
      QCOMPARE(editor->version(), buffer.version());
      QTest::keyClicks(editor.get(), "ab");
      QCOMPARE(editor->version(), buffer.version());
      QVERIFY(edit(&buffer, {{0, 1, "y"}}));
      QCOMPARE(editor->version(), buffer.version());
      editor->setText("other\n");
      QCOMPARE(editor->version(), buffer.version());
    }
    const qint64 shown = buffer.version();
    QVERIFY(buffer.undo() == false);
    QVERIFY(edit(&buffer, {{0, 1, "z"}}));
    QCOMPARE(buffer.version(), shown + 1);
  }

  void aFileIsLoadedIntoBothOrNeither() {
    QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("a.py"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("def a():\r\n  return 1\r\n") > 0);
    file.close();
    const auto opened = TextFile::open(path);
    QVERIFY(opened);
    Buffer buffer(Snapshot("old\n"));
    auto editor = makeEditor({}, {});
    const ShownBuffer shown(&buffer, editor.get());
    QTest::keyClick(editor.get(), 'x');
    QSignalSpy reset(&buffer, &Buffer::wasReset);
    QVERIFY(buffer.load(*opened));
    QCOMPARE(reset.size(), 1);
    QCOMPARE(editor->text(), QByteArray("def a():\r\n  return 1\r\n"));
    QCOMPARE(textOf(buffer), editor->text());
    QCOMPARE(editor->language(), QStringLiteral("Python"));
    QCOMPARE(editor->indentation(), (Indentation{false, 2}));
    QVERIFY(!buffer.isModified() && !buffer.canUndo());
    QTest::keyClick(editor.get(), 'y');
    QVERIFY(QFile::remove(path));
    QVERIFY(!buffer.load(*opened));
    QCOMPARE(editor->text(), QByteArray("ydef a():\r\n  return 1\r\n"));
    QCOMPARE(textOf(buffer), editor->text());
    QVERIFY(buffer.isModified());
    QVERIFY(buffer.undo());
    QCOMPARE(textOf(buffer), QByteArray("def a():\r\n  return 1\r\n"));
  }

  void theEditorGoesOnWhenTheBufferIsGone() {
    auto buffer = std::make_unique<Buffer>(Snapshot("a\n"));
    auto editor = makeEditor();
    const ShownBuffer shown(buffer.get(), editor.get());
    QTest::keyClick(editor.get(), 'x');
    buffer.reset();
    QTest::keyClick(editor.get(), 'y');
    QCOMPARE(editor->text(), QByteArray("xya\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("a\n"));
  }

  void oneStepStaysOneStep() {
    Buffer buffer(Snapshot("one two\n"));
    QVERIFY(edit(&buffer, {{0, 3, "1"}, {2, 5, "2"}}));  // before it is shown
    auto editor = makeEditor();
    {
      const ShownBuffer shown(&buffer, editor.get());
      QCOMPARE(editor->text(), QByteArray("1 2\n"));
      QVERIFY(edit(&buffer, {{0, 1, "one"}, {3, 3, "!"}}));  // by the buffer
      editor->setSelection(6, 6);
      QTest::keyClicks(editor.get(), "xyz");  // by keys: Scintilla makes one step of it
      QCOMPARE(editor->text(), QByteArray("one! 2xyz\n"));
      editor->undo();
      QCOMPARE(textOf(buffer), QByteArray("one! 2\n"));
      editor->redo();
    }
    // And no longer shown.
    QVERIFY(!buffer.isShown());
    QCOMPARE(textOf(buffer), QByteArray("one! 2xyz\n"));
    QCOMPARE(editor->text(), QByteArray("one! 2xyz\n"));
    QVERIFY(buffer.undo());
    QCOMPARE(textOf(buffer), QByteArray("one! 2\n"));
    QVERIFY(buffer.undo());
    QCOMPARE(textOf(buffer), QByteArray("1 2\n"));
    QVERIFY(buffer.undo());
    QCOMPARE(textOf(buffer), QByteArray("one two\n"));
    QVERIFY(!buffer.undo());
    QVERIFY(!buffer.isModified());
    QVERIFY(buffer.redo() && buffer.redo() && buffer.redo());
    QCOMPARE(textOf(buffer), QByteArray("one! 2xyz\n"));
  }

  void stepsOfTheBufferMayBeOfSeveralEdits() {
    Buffer buffer(Snapshot("a\n"));
    auto editor = makeEditor();
    const ShownBuffer shown(&buffer, editor.get());
    buffer.beginStep();
    QVERIFY(edit(&buffer, {{0, 0, "x"}}));
    QVERIFY(edit(&buffer, {{1, 1, "y"}}));
    buffer.endStep();
    QCOMPARE(editor->text(), QByteArray("xya\n"));
    editor->undo();
    QCOMPARE(textOf(buffer), QByteArray("a\n"));
    QVERIFY(buffer.redo());
    QCOMPARE(editor->text(), QByteArray("xya\n"));
  }

  void savedIsTheSamePlaceForBoth() {
    Buffer buffer(Snapshot("a\n"));
    QVERIFY(edit(&buffer, {{0, 0, "1"}}));
    buffer.markSaved();
    QVERIFY(edit(&buffer, {{0, 0, "2"}}));
    auto editor = makeEditor();
    {
      const ShownBuffer shown(&buffer, editor.get());
      QVERIFY(editor->isModified());
      editor->undo();
      QVERIFY(!editor->isModified() && !buffer.isModified());
      editor->undo();
      QVERIFY(editor->isModified());
      editor->redo();
      editor->redo();
      QSignalSpy modified(&buffer, &Buffer::modifiedChanged);
      buffer.markSaved();
      QVERIFY(!editor->isModified());
      QCOMPARE(modified.takeLast()[0].toBool(), false);
      editor->undo();
      QVERIFY(buffer.isModified());
    }
    QVERIFY(buffer.isModified());
    QVERIFY(buffer.redo());
    QVERIFY(!buffer.isModified());
  }

  void whatWasSavedOnALostBranchStaysLost() {
    Buffer buffer(Snapshot("a\n"));
    QVERIFY(edit(&buffer, {{0, 0, "1"}}));
    buffer.markSaved();
    QVERIFY(buffer.undo());
    QVERIFY(edit(&buffer, {{0, 0, "2"}}));
    auto editor = makeEditor();
    {
      const ShownBuffer shown(&buffer, editor.get());
      QCOMPARE(editor->text(), QByteArray("2a\n"));
      QVERIFY(editor->isModified());
      editor->undo();
      QVERIFY(editor->isModified());
      QCOMPARE(editor->text(), QByteArray("a\n"));
      editor->redo();
    }
    QVERIFY(buffer.isModified());
    QVERIFY(buffer.undo());
    QVERIFY(buffer.isModified());
  }

  void blanksOfALineBreakStayWhenItIsNoLongerShown() {
    Buffer buffer(Snapshot("  if (x) {\n"));
    auto editor = makeEditor();
    {
      const ShownBuffer shown(&buffer, editor.get());
      editor->setSelection(10, 10);
      QTest::keyClick(editor.get(), Qt::Key_Return);
      QVERIFY(editor->autoIndent().isSet());
    }
    QCOMPARE(textOf(buffer), editor->text());
    const QByteArray typed = textOf(buffer);
    QVERIFY(typed.startsWith("  if (x) {\n  "));
    QVERIFY(buffer.undo());
    QCOMPARE(textOf(buffer), QByteArray("  if (x) {\n"));
    QVERIFY(buffer.redo());
    QCOMPARE(textOf(buffer), typed);
  }

  // Edits from all sides, shown by turns: the texts are equal after each, and so is every text that
  // undo leads to before and after the view comes or goes.
  void anyEditsAndViewsKeepTheTextAndEachStep_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 6; ++seed) QTest::addRow("%d", seed) << seed;
  }
  void anyEditsAndViewsKeepTheTextAndEachStep() {
    QFETCH(int, seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto below = [&](qint64 bound) {
      return std::uniform_int_distribution<qint64>(0, bound)(random);
    };
    const auto stepsOf = [](Buffer* buffer) {
      return walk([buffer] { return buffer->undo(); }, [buffer] { return buffer->redo(); },
                  [buffer] { return textOf(*buffer); });
    };
    Buffer buffer(Snapshot("int main() {\r\n  return 0;\r\n}\r\n"));
    auto editor = makeEditor();
    std::unique_ptr<ShownBuffer> shown;
    for (int i = 0; i < 250; ++i) {
      const qint64 size = buffer.size();
      const qint64 start = below(size);
      const qint64 end = std::min(size, start + below(5));
      switch (below(9)) {
        case 0:
          buffer.undo();
          break;
        case 1:
          buffer.redo();
          break;
        case 2:
          if (below(4) == 0) buffer.markSaved();
          break;
        case 3: {
          if (below(3) != 0) break;
          // Undone steps are redone first: to walk there and back they would have to be the same.
          while (buffer.redo()) {
          }
          const QByteArrayList before = stepsOf(&buffer);
          const bool modified = buffer.isModified();
          if (shown) {
            shown.reset();
          } else {
            shown = std::make_unique<ShownBuffer>(&buffer, editor.get());
          }
          QCOMPARE(buffer.isModified(), modified);
          QCOMPARE(stepsOf(&buffer), before);
          break;
        }
        case 4:
          if (!shown) break;
          editor->setSelection(start, start);
          QTest::keyClicks(editor.get(), below(1) == 0 ? "if" : "(x");
          QTest::keyClick(editor.get(), below(1) == 0 ? Qt::Key_Return : Qt::Key_Backspace);
          break;
        case 5:
          if (shown) editor->undo();
          break;
        case 6:
          if (shown) editor->replaceRange(start, end, "\r\n");
          break;
        default: {
          const QByteArray text = QByteArray("\r\nab").first(below(4));
          QVERIFY(edit(&buffer, {{start, end, text}, {0, 0, "z"}}));
        }
      }
      if (shown) QCOMPARE(editor->text(), textOf(buffer));
      if (shown) QCOMPARE(editor->isModified(), buffer.isModified());
    }
  }
};

QTEST_MAIN(TestShownBuffer)
#include "test_shown_buffer.moc"
