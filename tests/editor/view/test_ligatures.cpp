// SPDX-License-Identifier: GPL-3.0-or-later
// Ligatures off: each character is drawn as itself, in the same place.
#include <QFontDatabase>
#include <QTextLayout>
#include <QtTest>

#include "editor/view/ligatures.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

// Joined by the fonts for code that this program asks for.
const QString kJoined = u"a -> b != c >= d === e"_s;

QVector<quint32> glyphs(const QString& text, const QFont& font) {
  QTextLayout layout(text, font);
  layout.beginLayout();
  layout.createLine();
  layout.endLayout();
  QVector<quint32> all;
  for (const QGlyphRun& run : layout.glyphRuns()) all += run.glyphIndexes();
  return all;
}

// Each by itself, so that nothing is joined.
QVector<quint32> separateGlyphs(const QString& text, const QFont& font) {
  QVector<quint32> all;
  for (const QChar c : text) all += glyphs(QString(c), font);
  return all;
}

}  // namespace

class TestLigatures : public QObject {
  Q_OBJECT

  std::unique_ptr<CodeEditor> editor_;

 private Q_SLOTS:
  void init() {
    editor_ = makeEditor(kJoined.toUtf8() + "\nint *p = &x; // -> !=\n");
    if (glyphs(kJoined, editor_->editorFont()) == separateGlyphs(kJoined, editor_->editorFont()))
      QSKIP("the editor's font has no ligatures; JetBrains Mono has (fonts-jetbrains-mono)");
  }

  void offEachCharacterIsItself() {
    const QFont with = editor_->editorFont();
    editor_->setLigatures(false);
    const QFont without = editor_->editorFont();
    QVERIFY(without.family() != with.family());
    QCOMPARE(QFontInfo(without).family(), without.family());  // registered
    QCOMPARE(glyphs(kJoined, without), separateGlyphs(kJoined, with));
    editor_->setLigatures(true);
    QCOMPARE(editor_->editorFont().family(), with.family());
    QCOMPARE(glyphs(kJoined, editor_->editorFont()), glyphs(kJoined, with));
  }

  void everyFaceIsThere_data() {
    QTest::addColumn<bool>("bold");
    QTest::addColumn<bool>("italic");
    QTest::newRow("regular") << false << false;
    QTest::newRow("bold") << true << false;
    QTest::newRow("italic") << false << true;
    QTest::newRow("bold italic") << true << true;
  }
  void everyFaceIsThere() {
    QFETCH(const bool, bold);
    QFETCH(const bool, italic);
    QFont with = editor_->editorFont();
    QFont without = with;
    without.setFamily(familyWithoutLigatures(with.family()));
    for (QFont* font : {&with, &without}) {
      font->setBold(bold);
      font->setItalic(italic);
    }
    QCOMPARE(QFontInfo(without).bold(), QFontInfo(with).bold());
    QCOMPARE(QFontInfo(without).italic(), QFontInfo(with).italic());
    QCOMPARE(QFontInfo(without).fixedPitch(), QFontInfo(with).fixedPitch());
    QCOMPARE(glyphs(kJoined, without), separateGlyphs(kJoined, with));
    for (double size = 6; size <= 40; size += 0.5) {
      with.setPointSizeF(size);
      without.setPointSizeF(size);
      const QFontMetricsF a(with);
      const QFontMetricsF b(without);
      QCOMPARE(b.horizontalAdvance(kJoined), a.horizontalAdvance(u'x') * kJoined.size());
      QCOMPARE(b.ascent(), a.ascent());
      QCOMPARE(b.height(), a.height());
    }
  }

  // The picture changes at once, and nothing moves.
  void changesLive() {
    const QImage with = editor_->grab().toImage();
    QVector<long> places;
    const auto x = [&](qint64 at) { return editor_->sci(Sci::SCI_POINTXFROMPOSITION, 0, at); };
    for (qint64 at = 0; at <= kJoined.size(); ++at) places.append(x(at));
    editor_->setLigatures(false);
    const QImage without = editor_->grab().toImage();
    QVERIFY(without != with);
    for (qint64 at = 0; at <= kJoined.size(); ++at) QCOMPARE(x(at), places[at]);
    editor_->setLigatures(true);
    QCOMPARE(editor_->grab().toImage(), with);
  }

  void aBrokenTableIsLeftAlone() {
    QCOMPARE(withoutLigatures({}), QByteArray());
    QByteArray table("\0\1\0\0\0\0\0\x0a\0\0\0\2liga\0\0kern\0\0", 24);
    QByteArray after = table;
    QCOMPARE(withoutLigatures(table), after.replace("liga", "zz00"));
    // Cut anywhere, and a count or an offset beyond the end.
    for (qsizetype size = 0; size < table.size() - 2; ++size)
      QVERIFY(!withoutLigatures(table.left(size)).contains("liga"));
    table[11] = '\x7f';
    QCOMPARE(withoutLigatures(table), QByteArray());
    table[7] = '\x7f';
    QCOMPARE(withoutLigatures(table), QByteArray());
  }
};

QTEST_MAIN(TestLigatures)
#include "test_ligatures.moc"
