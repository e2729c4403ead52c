// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "editor/text/indentation.h"
#include "editor/text/next_line.h"

using namespace waferpair::editor;

class TestIndentation : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void detectsTabsAndWidths_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("tabs");
    QTest::addColumn<int>("width");
    QTest::newRow("none") << QByteArray("a\nb\n") << false << 4;
    QTest::newRow("empty") << QByteArray() << false << 4;
    QTest::newRow("two") << QByteArray("a {\n  b {\n    c\n  }\n}\n") << false << 2;
    QTest::newRow("four") << QByteArray("def a:\n    b\n    if c:\n        d\n") << false << 4;
    QTest::newRow("eight") << QByteArray("a\n        b\nc\n        d\n") << false << 8;
    QTest::newRow("two levels for what continues")
        << QByteArray("a {\n    b(\n            c,\n            d);\n    e(\n            f);\n}\n")
        << false << 4;
    QTest::newRow("tabs") << QByteArray("a\n\tb\n\t\tc\n") << true << 4;
    QTest::newRow("crlf") << QByteArray("a {\r\n  b\r\n}\r\n") << false << 2;
    QTest::newRow("doc comment") << QByteArray("/**\n * x\n * y\n */\na {\n    b;\n}\n") << false
                                 << 4;
    QTest::newRow("blank lines do not count")
        << QByteArray("a {\n\n      \n  b\n\n  c {\n    d\n") << false << 2;
  }
  void detectsTabsAndWidths() {
    QFETCH(QByteArray, text);
    QFETCH(bool, tabs);
    QFETCH(int, width);
    QCOMPARE(detectIndentation(text), (Indentation{tabs, width}));
  }

  void nextLineGoesDeeperAfterAnOpener() {
    const Indentation two{false, 2};
    QCOMPARE(nextLineIndent("  if (x) {", two, false), QByteArray("    "));
    QCOMPARE(nextLineIndent("  foo(", two, false), QByteArray("    "));
    QCOMPARE(nextLineIndent("  foo();", two, false), QByteArray("  "));
    QCOMPARE(nextLineIndent("   ", two, false), QByteArray("   "));
    QCOMPARE(nextLineIndent("\tif x:", Indentation{true, 4}, true), QByteArray("\t\t"));
    QCOMPARE(nextLineIndent("  case 1:", two, false), QByteArray("  "));
  }

  void languagesHaveTheirBlocks() {
    const Indentation four{false, 4};
    const QString cpp = QStringLiteral("C++");
    for (const char* head : {"if (a)", "} else if (f(a))", "else", "for (;;)", "while (a)", "do"}) {
      QVERIFY2(isStatementHead(head, cpp), head);
      QCOMPARE(blanksBehind(head, four, cpp), QByteArray(4, ' '));
      QVERIFY(!isStatementHead(head, QStringLiteral("Python")));
    }
    for (const char* none : {"if (a) b;", "if (f(a)", "while (a);", "elsewhere", "foo(a)", "if"})
      QVERIFY2(!isStatementHead(none, cpp), none);
    const QString python = QStringLiteral("Python");
    QCOMPARE(blanksBehind("        return x", four, python), QByteArray(4, ' '));
    QCOMPARE(blanksBehind("        return f(", four, python), QByteArray(12, ' '));
    QCOMPARE(blanksBehind("        returned()", four, python), QByteArray(8, ' '));
    QCOMPARE(blanksBehind("    pass", four, python), QByteArray());
    QCOMPARE(indentationFor(QStringLiteral("Makefile"), four), (Indentation{true, 4}));
    QCOMPARE(indentationFor(QStringLiteral("Go"), four), (Indentation{true, 4}));
    QCOMPARE(indentationFor(cpp, four), four);
    QCOMPARE(indentationFor(QStringLiteral("YAML"), four), (Indentation{false, 2}));
    QCOMPARE(indentationFor(QStringLiteral("Ruby"), Indentation{true, 4}), (Indentation{true, 4}));
  }

  void commentsGoOn() {
    QCOMPARE(nextCommentLine("  /**"), QByteArray("   * "));
    QCOMPARE(nextCommentLine("  /** a */"), QByteArray("  "));
    QCOMPARE(nextCommentLine("   * a"), QByteArray("   * "));
    QCOMPARE(nextCommentLine("   */"), QByteArray("  "));
    QCOMPARE(nextCommentLine("  /// a"), QByteArray("  /// "));
    QCOMPARE(nextCommentLine("  ///"), QByteArray("  "));
    QCOMPARE(nextCommentLine("  // a {"), QByteArray("  "));
    QCOMPARE(nextCommentLine("  # a:"), QByteArray("  "));
  }

  void columnsAndBlanksAreInverse() {
    for (const bool tabs : {false, true}) {
      for (int width : {2, 4, 8}) {
        for (int columns = 0; columns < 30; ++columns)
          QCOMPARE(columnsOf(blanksFor(columns, {tabs, width}), width), columns);
      }
    }
    QCOMPARE(columnsOf(" \t", 4), 4);
  }
};

QTEST_GUILESS_MAIN(TestIndentation)
#include "test_indentation.moc"
