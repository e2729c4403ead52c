// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "editor/text/quoted.h"

using namespace waferpair::editor;

class TestQuoted : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void textsAreOnOneLineAndCut_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("shown");
    QTest::newRow("empty") << QByteArray() << QStringLiteral("“”");
    QTest::newRow("short") << QByteArray("int x;") << QStringLiteral("“int x;”");
    QTest::newRow("blanks and lines") << QByteArray("  a\t b\n c\n") << QStringLiteral("“a b c”");
    QTest::newRow("as long as may be") << QByteArray("12345678") << QStringLiteral("“12345678”");
    QTest::newRow("longer") << QByteArray("123456789") << QStringLiteral("“12345678…”");
    QTest::newRow("cut inside a character")
        << QByteArray("1234567\u00e9") << QStringLiteral("“1234567…”");
    QTest::newRow("cut behind one")
        << QByteArray("123456\u00e9x") << QStringLiteral("“123456\u00e9…”");
    QTest::newRow("nothing but continuations") << QByteArray(9, '\x80') << QStringLiteral("“…”");
  }
  void textsAreOnOneLineAndCut() {
    QFETCH(QByteArray, text);
    QFETCH(QString, shown);
    QCOMPARE(quotedText(text, 8), shown);
  }

  void pathsAreWhole() {
    QCOMPARE(quotedPath(QStringLiteral("/a b/c.cpp")), QStringLiteral("“/a b/c.cpp”"));
  }
};

QTEST_APPLESS_MAIN(TestQuoted)
#include "test_quoted.moc"
