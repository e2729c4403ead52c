// SPDX-License-Identifier: GPL-3.0-or-later
// Markdown from elsewhere: cut into pieces that are laid out in a moment, and a reason to read
// nothing.
#include "editor/widget/prose.h"

#include <QTextDocument>
#include <QTextEdit>
#include <QtTest>

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

namespace {

QString table(int rows, int columns) {
  QString text;
  for (int row = 0; row < rows; ++row) {
    text += u'|' + QString(" x |").repeated(columns) + u'\n';
    if (row == 0) text += u'|' + QString("---|").repeated(columns) + u'\n';
  }
  return text;
}

const QString kPage =
    u"# Title\n\nSome **bold** words, `code` and a [link](a.md).\n\n- one\n- two\n\n  more of "
    "two\n\n1. first\n\n2. second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nint a;\n\nint "
    "b;\n```\n\n> quoted\n"_s;

}  // namespace

class TestProse : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void nothingIsLostAndNoPieceIsHard_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isPlain");
    QTest::newRow("a page") << kPage << false;
    QTest::newRow("a long page") << kPage.repeated(200) << false;
    QTest::newRow("a list of single entries") << u"- entry\n\n"_s.repeated(20000) << false;
    QTest::newRow("emphasis") << u"*a**a*"_s.repeated(20000) << true;
    QTest::newRow("brackets") << u"["_s.repeated(60000) << true;
    QTest::newRow("lines") << u"line\n"_s.repeated(100000) << true;
    QTest::newRow("a table") << table(300, 300) << true;
    QTest::newRow("ticks") << u"`a"_s.repeated(20000) << true;
    QTest::newRow("quotes") << u"> "_s.repeated(60000) << true;
    QTest::newRow("code without an end") << u"```\n"_s + u"int a;\n\n"_s.repeated(30000) << true;
    QTest::newRow("letters of two units") << u"\U0001F600"_s.repeated(20001) << true;
  }
  void nothingIsLostAndNoPieceIsHard() {
    QFETCH(QString, text);
    QFETCH(bool, isPlain);
    QString whole;
    for (const ProsePiece& piece : prosePieces(text)) {
      QCOMPARE(piece.isPlain, isPlain);
      QVERIFY(piece.text.size() <= 4 * kMostOfPiece);
      QVERIFY(!piece.text.back().isHighSurrogate());
      whole += piece.text;
    }
    QCOMPARE(whole, text);
    // Each is a widget, or a step.
    QVERIFY(prosePieces(text).size() <= text.size() / 1000 + 1);
  }

  void aSmallPageIsOnePiece() { QCOMPARE(prosePieces(kPage).size(), 1); }

  // So a text that streams in is laid out anew at its end only.
  void whatGrowsChangesTheLastTwoPieces() {
    const QString text = kPage.repeated(40) + u"*a*"_s.repeated(2000) + kPage.repeated(10);
    QVector<ProsePiece> before;
    for (qsizetype size = 0; size <= text.size(); size += 97) {
      const QVector<ProsePiece> pieces = prosePieces(text.left(size));
      for (qsizetype i = 0; i + 2 < before.size(); ++i) QCOMPARE(pieces.value(i), before[i]);
      before = pieces;
    }
  }

  void hardPiecesStandAsTheyWereWritten() {
    QTextDocument document;
    const QString hard = u"*a**a*"_s.repeated(500);
    fillProse(&document, u"*soft*\n\n"_s + hard + u"\n\n# End\n"_s);
    QCOMPARE(document.toPlainText().split(u'\n'), QStringList({u"soft"_s, hard, u"End"_s}));
  }

  // However it is written, in prose, code and links; what scripts and emoji need stays.
  void whatOneDoesNotSeeIsMarked() {
    QTextDocument document;
    fillProse(
        &document,
        u"a&#8238;b **c\u202ed** `e\u200bf`\n\n    code\u2066\n\n[x\u00ad](y) 👩‍💻 10\u00a0km"_s);
    const QString shown = document.toRawText();
    QVERIFY2(shown.contains(u"a⟨U+202E⟩b c⟨U+202E⟩d e⟨U+200B⟩f"_s), qPrintable(shown));
    QVERIFY2(shown.contains(u"code⟨U+2066⟩"_s), qPrintable(shown));
    QVERIFY2(shown.contains(u"x⟨U+00AD⟩ 👩‍💻 10\u00a0km"_s), qPrintable(shown));
    fillProse(&document, {u"a\u202eb"_s, true});
    QCOMPARE(document.toPlainText(), u"a⟨U+202E⟩b"_s);
    fillProse(&document, QString(5'000, QChar(0x200b)));
    QCOMPARE(document.toPlainText().count(u'⟨'), 5'000);
  }

  void picturesStandInWords() {
    QTextDocument document;
    fillProse(&document, u"![a cat](/dev/zero) ![b](b.png)"_s);
    QCOMPARE(document.toPlainText(), u"[picture: a cat] [picture: b]"_s);
  }

  // A widget's document is laid out while it is filled: by then no picture may be in it.
  void aWidgetThatIsFilledReadsNothing() {
    class Reading : public QTextEdit {
     public:
      int asked = 0;
      QVariant loadResource(int type, const QUrl& name) override {
        ++asked;
        return QTextEdit::loadResource(type, name);
      }
    };
    Reading view;
    view.resize(300, 200);
    view.show();
    fillProse(view.document(), u"![a cat](/dev/zero)\n\nmore"_s);
    view.grab();
    QCOMPARE(view.toPlainText(), u"[picture: a cat]\nmore"_s);
    QCOMPARE(view.asked, 0);
  }
};

QTEST_MAIN(TestProse)
#include "test_prose.moc"
