// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "editor/widget/decorations.h"
#include "tests/editor/editor_test.h"

using namespace waferpair::editor;

namespace {

using Sci = QsciScintillaBase;

QByteArray rowsBelow(const CodeEditor& editor, int line) {
  const auto number = static_cast<unsigned long>(line);
  QByteArray text(editor.sci(Sci::SCI_ANNOTATIONGETTEXT, number), '\0');
  editor.SendScintilla(Sci::SCI_ANNOTATIONGETTEXT, number, text.data());
  return text;
}

int rowCount(const CodeEditor& editor) {
  int rows = 0;
  for (int line = 0; line < editor.lineCount(); ++line)
    rows +=
        static_cast<int>(editor.sci(Sci::SCI_ANNOTATIONGETLINES, static_cast<unsigned long>(line)));
  return rows;
}

// The text that is marked as what would go.
QByteArray marked(const CodeEditor& editor) {
  QByteArray text;
  for (qint64 at = 0; at < editor.length(); ++at)
    if (editor.sci(Sci::SCI_INDICATORVALUEAT, 9, static_cast<long>(at)) != 0)
      text += editor.textRange(at, at + 1);
  return text;
}

QVector<int> markedLines(const CodeEditor& editor) {
  QVector<int> lines;
  for (int line = 0; line < editor.lineCount(); ++line)
    if ((editor.sci(Sci::SCI_MARKERGET, static_cast<unsigned long>(line)) & 1) != 0) lines += line;
  return lines;
}

struct Desk {
  explicit Desk(const QByteArray& text, const QVector<TextEdit>& edits) : editor(makeEditor(text)) {
    QObject::connect(editor.get(), &CodeEditor::edited, &hunks,
                     [this](const QVector<TextEdit>& made) { hunks.follow(made); });
    decorations = std::make_unique<Decorations>(editor.get());
    decorations->show(&hunks);
    hunks.offer(suggestionOf(QStringLiteral("/a"), edits));
  }

  std::unique_ptr<CodeEditor> editor;
  Hunks hunks{[this](const QVector<TextEdit>& edits) {
    editor->applyEdits(edits);
    return true;
  }};
  std::unique_ptr<Decorations> decorations;
};

}  // namespace

class TestDecorations : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void whatGoesIsMarkedAndWhatComesIsBelow() {
    Desk desk("one\ntwo\nthree\nfour\n", {{4, 7, "zwei"}, {15, 15, "new\nlines\n"}});
    QCOMPARE(marked(*desk.editor), QByteArray("two"));
    QCOMPARE(rowsBelow(*desk.editor, 1), QByteArray("zwei"));
    QCOMPARE(rowsBelow(*desk.editor, 2), QByteArray("new\nlines"));  // before "four"
    QCOMPARE(rowCount(*desk.editor), 3);
    QCOMPARE(markedLines(*desk.editor), (QVector<int>{1, 3}));
    QVERIFY(desk.editor->sci(Sci::SCI_GETMARGINWIDTHN, 1) > 0);
    QCOMPARE(desk.decorations->description(),
             QStringLiteral("Line 2: “two” would become “zwei”. "
                            "Line 4: “new lines” would be inserted."));
    QCOMPARE(desk.editor->text(), QByteArray("one\ntwo\nthree\nfour\n"));
    QVERIFY(!desk.editor->isModified());
  }

  void whatIsDecidedIsNoLongerDrawn() {
    Desk desk("one\ntwo\nthree\n", {{0, 3, "1"}, {2, 6, ""}});
    QCOMPARE(marked(*desk.editor), QByteArray("onetwo\n"));
    QVERIFY(desk.hunks.accept(0));
    QCOMPARE(desk.editor->text(), QByteArray("1\ntwo\nthree\n"));
    QCOMPARE(marked(*desk.editor), QByteArray("two\n"));
    QCOMPARE(rowCount(*desk.editor), 0);
    QCOMPARE(desk.decorations->description(), QStringLiteral("Line 2: “two” would be removed."));
    desk.hunks.dismissAll();
    QCOMPARE(marked(*desk.editor), QByteArray());
    QCOMPARE(markedLines(*desk.editor), QVector<int>());
    QCOMPARE(desk.editor->sci(Sci::SCI_GETMARGINWIDTHN, 1), 0);
    QVERIFY(desk.editor->accessibleDescription().isEmpty());
    desk.editor->undo();
    QCOMPARE(desk.editor->text(), QByteArray("one\ntwo\nthree\n"));
  }

  void editsAboveMoveAllOfIt() {
    Desk desk("one\ntwo\nthree\n", {{4, 7, "zwei"}});
    for (const auto& [start, end, text] : {std::tuple<int, int, const char*>{0, 0, "a\nb\nc\n"},
                                           {0, 4, ""},
                                           {0, 0, "x"},
                                           {1, 1, "\n\n\n"}}) {
      desk.editor->replaceRange(start, end, text);
      QCOMPARE(marked(*desk.editor), QByteArray("two"));
      const int line = desk.editor->lineAt(desk.hunks.hunks()[0].range.start());
      QCOMPARE(rowsBelow(*desk.editor, line), QByteArray("zwei"));
      QCOMPARE(rowCount(*desk.editor), 1);
      QCOMPARE(markedLines(*desk.editor), QVector<int>{line});
    }
    desk.editor->replaceRange(0, desk.editor->length(), "");
    QCOMPARE(rowCount(*desk.editor), 0);
    QCOMPARE(desk.hunks.offeredCount(), 0);
  }

  // What Scintilla has moved by itself is left as it is: it must be as if drawn anew.
  void whateverIsEditedTheyAreAsIfDrawnAnew() {
    std::mt19937 random(3);
    const auto below = [&](qint64 bound) {
      return static_cast<qint64>(random() % static_cast<unsigned>(bound));
    };
    const auto drawn = [](const CodeEditor& editor) {
      QByteArray all = marked(editor);
      for (const int line : markedLines(editor)) all += ' ' + QByteArray::number(line);
      for (int line = 0; line < editor.lineCount(); ++line) all += '|' + rowsBelow(editor, line);
      return all;
    };
    for (int round = 0; round < 20; ++round) {
      QByteArray text;
      QVector<TextEdit> edits;
      for (int line = 0; line < 30; ++line) text += "line " + QByteArray::number(line + 10) + '\n';
      for (int line = 28; line > 0; line -= 4) {  // of eight bytes each
        edits.prepend({line * 8, line * 8 + (line % 8 == 0 ? 8 : 0), "new\nlines\n"});
      }
      for (qsizetype i = 0, shift = 0; i < edits.size(); ++i) {
        edits[i].start += shift;
        edits[i].end += shift;
        shift += edits[i].text.size() - (edits[i].end - edits[i].start);
      }
      Desk desk(text, edits);
      for (int edit = 0; edit < 30; ++edit) {
        const qint64 start = below(desk.editor->length() + 1);
        const qint64 end = std::min(start + (below(3) == 0 ? below(20) : 0), desk.editor->length());
        const char* const texts[] = {"x", "\n", "two\nlines\n", ""};
        desk.editor->replaceRange(start, end, texts[below(4)]);
        const QByteArray kept = drawn(*desk.editor);
        desk.decorations->show(nullptr);
        desk.decorations->show(&desk.hunks);
        QCOMPARE(kept, drawn(*desk.editor));
      }
    }
  }

  // A change that is being written is drawn beside those on offer, and goes without a trace.
  void whatGrowsIsDrawnBesideWhatIsOnOffer() {
    Desk desk("one\ntwo\nthree\nfour\n", {{4, 7, "zwei"}});
    const auto grow = [&desk](const QByteArray& text, qint64 from, qint64 to) {
      const auto range = from == to ? AnchoredRange::at(from) : AnchoredRange::fixed(from, to);
      desk.decorations->grow({{AnchoredRange::fixed(0, 4), "eins\n"}, {range, text}});
    };
    grow("a\n", 14, 14);
    QCOMPARE(rowsBelow(*desk.editor, 0), QByteArray("eins"));
    QCOMPARE(rowsBelow(*desk.editor, 1), QByteArray("zwei"));
    QCOMPARE(rowsBelow(*desk.editor, 2), QByteArray("a"));
    QCOMPARE(marked(*desk.editor), QByteArray("one\ntwo"));
    grow("a\nb\n", 14, 14);
    QCOMPARE(rowsBelow(*desk.editor, 2), QByteArray("a\nb"));
    QCOMPARE(rowCount(*desk.editor), 4);
    grow("a\nb\nc\n", 14, 19);
    QCOMPARE(rowsBelow(*desk.editor, 3), QByteArray("a\nb\nc"));
    QCOMPARE(marked(*desk.editor), QByteArray("one\ntwofour\n"));
    QCOMPARE(rowCount(*desk.editor), 5);
    // What is decided of the others is drawn as ever.
    desk.hunks.dismissAll();
    QCOMPARE(rowCount(*desk.editor), 4);
    QCOMPARE(marked(*desk.editor), QByteArray("one\nfour\n"));
    // It moves with the text.
    desk.editor->replaceRange(0, 0, "zero\n");
    desk.decorations->grow(
        {{AnchoredRange::fixed(5, 9), "eins\n"}, {AnchoredRange::fixed(19, 24), "a\nb\nc\nd\n"}});
    QCOMPARE(rowsBelow(*desk.editor, 1), QByteArray("eins"));
    QCOMPARE(rowsBelow(*desk.editor, 4), QByteArray("a\nb\nc\nd"));
    QCOMPARE(rowCount(*desk.editor), 5);
    desk.decorations->grow({});
    QCOMPARE(rowCount(*desk.editor), 0);
    QCOMPARE(marked(*desk.editor), QByteArray());
    QCOMPARE(markedLines(*desk.editor), QVector<int>());
    QCOMPARE(desk.editor->sci(Sci::SCI_GETMARGINWIDTHN, 1), 0);
  }

  // The row that is read stays where it is.
  void whatGrowsAboveMovesNothing() {
    QByteArray text;
    for (int i = 0; i < 200; ++i) text += "line " + QByteArray::number(i) + '\n';
    Desk desk(text, {});
    desk.editor->sci(Sci::SCI_SETFIRSTVISIBLELINE, 100);
    const auto firstLine = [&desk] {
      const auto top = static_cast<unsigned long>(desk.editor->sci(Sci::SCI_GETFIRSTVISIBLELINE));
      return desk.editor->sci(Sci::SCI_DOCLINEFROMVISIBLE, top);
    };
    QCOMPARE(firstLine(), 100);
    QByteArray rows;
    for (int i = 0; i < 30; ++i) {
      rows += "row\n";
      desk.decorations->grow({{AnchoredRange::at(desk.editor->lineStart(50)), rows}});
      QCOMPARE(firstLine(), 100);
    }
    desk.decorations->grow({});
    QCOMPARE(firstLine(), 100);
    // The caret's row, where one writes in the text.
    desk.editor->setSelection(desk.editor->lineStart(110), desk.editor->lineStart(110));
    const auto caretRow = [&desk] {
      return desk.editor->sci(Sci::SCI_VISIBLEFROMDOCLINE, 110) -
             desk.editor->sci(Sci::SCI_GETFIRSTVISIBLELINE);
    };
    const long before = caretRow();
    desk.decorations->grow({{AnchoredRange::at(desk.editor->lineStart(105)), rows}});
    QCOMPARE(caretRow(), before);
  }

  void aGhostInTheLineTakesTheRowsForAsLongAsItIsThere() {
    Desk desk("one\ntwo\nthree\n", {{4, 7, "zwei"}});
    desk.editor->setSelection(7, 7);
    GhostText* ghost = desk.editor->ghost();
    QVERIFY(ghost->show(7, "x\ny\nz"));
    QCOMPARE(rowCount(*desk.editor), 2);
    QCOMPARE(marked(*desk.editor), QByteArray("two"));
    ghost->clear();
    QCOMPARE(rowsBelow(*desk.editor, 1), QByteArray("zwei"));
    QCOMPARE(rowCount(*desk.editor), 1);
    // A ghost in another line has its rows beside those of the decorations.
    desk.editor->setSelection(3, 3);
    QVERIFY(ghost->show(3, "x\ny"));
    QCOMPARE(rowCount(*desk.editor), 2);
    ghost->dismiss();
    QCOMPARE(rowsBelow(*desk.editor, 1), QByteArray("zwei"));
    QCOMPARE(rowCount(*desk.editor), 1);
  }

  void colorsAreTheThemesAndCodeIsReadableOnThem() {
    for (const QString& name : themeNames()) {
      const ThemeColors colors = themeColors(themeNamed(name));
      QVERIFY2(colors.addedGround != colors.background, qPrintable(name));
      QVERIFY2(colors.removedGround != colors.background, qPrintable(name));
      // Enough, or nearly as readable as on the theme's own ground. Colors are rounded.
      const double least =
          std::min(kTextContrast, 0.9 * contrast(colors.text, colors.background)) - 0.05;
      for (const QColor& ground : {colors.addedGround, colors.removedGround})
        QVERIFY2(contrast(colors.text, ground) >= least, qPrintable(name));
    }
    Desk desk("one\n", {{0, 3, "1"}});
    for (const char* name : {kLightTheme, kDarkTheme}) {
      desk.editor->setTheme(QLatin1String(name));
      const QImage picture = desk.editor->viewport()->grab().toImage();
      const int row = static_cast<int>(desk.editor->sci(Sci::SCI_TEXTHEIGHT));
      QCOMPARE(picture.pixelColor(picture.width() / 2, row + row / 2).name(),
               desk.editor->colors().addedGround.name());
    }
  }

  void itGoesWithItsOwner() {
    Desk desk("one\ntwo\n", {{0, 3, "1"}});
    desk.decorations.reset();
    QCOMPARE(marked(*desk.editor), QByteArray());
    QCOMPARE(rowCount(*desk.editor), 0);
    QVERIFY(desk.editor->accessibleDescription().isEmpty());
  }
};

QTEST_MAIN(TestDecorations)
#include "test_decorations.moc"
