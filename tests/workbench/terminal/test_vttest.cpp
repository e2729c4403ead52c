// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of vttest, compared with what it says that they should look like.
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

#include "workbench/terminal/terminal_session.h"

using namespace waferpair::workbench;

class TestVttest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    const QString program = QStandardPaths::findExecutable("vttest");
    if (program.isEmpty()) QSKIP("vttest is not installed.");
    session_ = std::make_unique<TerminalSession>(
        ShellProfile{"vttest", {program, {"24x80.80"}, {}}}, QDir::tempPath(), QString(), 0);
    session_->start();
    QTRY_VERIFY(text().contains("Enter choice number (0 - 12):"));
  }
  void cleanup() { session_.reset(); }

  void cursorMovements() {
    push("1", "Push <RETURN>");
    const QString edge(80, '*'), inner = '*' + QString(78, '+') + '*';
    QCOMPARE(row(0), edge);
    QCOMPARE(row(1), inner);
    for (int i = 2; i < 22; ++i)
      QVERIFY2(row(i).startsWith("*+ ") && row(i).endsWith(" +*"), qPrintable(row(i)));
    QCOMPARE(row(8).trimmed(), "*+        " + QString(60, 'E') + "        +*");
    QCOMPARE(row(22), inner);
    QCOMPARE(row(23), edge);
    goTo("Test of cursor-control characters");
    for (int i = 3; i < 7; ++i) QCOMPARE(row(i), "A B C D E F G H I");
    goTo("Test of leading zeros");
    QCOMPARE(row(3), "This is a correct sentence");
  }

  void screenFeatures() {
    push("2", "Test of WRAP AROUND");
    for (int i = 0; i < 3; ++i) QCOMPARE(row(i), QString(80, '*'));
    QCOMPARE(row(3), "");
    goTo("Test of TAB setting");
    QVERIFY(row(0).count('*') == 13);
    QCOMPARE(row(0), row(1));
    goTo("Soft scroll down region [1..24] size 24 Line 7");
    goTo("Origin mode test.");
    QCOMPARE(row(23), "Origin mode test. This line should be at the bottom of the screen.");
    QCOMPARE(row(22), "This line should be the one above the bottom of the screen. Push <RETURN>");
    goTo("This line should be at the top of the screen.");
    QVERIFY(row(0).startsWith("This line should be at the top of the screen."));
    goTo("Dark background.");
    QCOMPARE(row(2).simplified(), "");
    goTo("SAVE/RESTORE CURSOR");
    for (int i = 0; i < 4; ++i) QCOMPARE(row(i), "AAAAA");
    QVERIFY2(text().contains(QString::fromUtf8("diamonds:  \u25c6\u25c6\u25c6\u25c6\u25c6`````  ")),
             qPrintable(text()));
  }

  void insertAndDelete() {
    push("8", "Screen accordion test");
    goTo("this line, nothing more.");
    QCOMPARE(row(0), QString(80, 'A'));
    QVERIFY(row(1).startsWith("Top line: A's, bottom line: X's"));
    for (int i = 2; i < 23; ++i) QCOMPARE(row(i), "");
    QCOMPARE(row(23), QString(80, 'X'));
    goTo("Test of 'Insert Mode'");
    QCOMPARE(row(0), 'A' + QString(78, '*') + 'B');
    goTo("Test of 'Delete Character'");
    QCOMPARE(row(0), "AB");
    goTo("The right column should be staggered");
    for (int i = 5; i < 24; ++i) QCOMPARE(row(i), QString(79 - i, QChar('A' + i)));
    goTo("'Insert Character' function");
    QCOMPARE(text().count("  A B C D E F G H I J K L M N O P Q R S T U V W X Y Z\n"), 2);
  }

  void doubleSizedCharacters() {
    push("4", "Push <RETURN>");
    const TerminalScreen& screen = session_->screen();
    int wide = 0, upper = 0, lower = 0;
    for (qint64 i = screen.top(); i < screen.end(); ++i) {
      const Row& cells = screen.row(i);
      if (cells.isDoubleWidth && cells.half == 0) ++wide;
      if (cells.half == 1) ++upper;
      if (cells.half == 2) ++lower;
    }
    QVERIFY(wide > 0);
    QVERIFY(upper > 0);
    QCOMPARE(upper, lower);
  }

 private:
  // Chooses from the menu, and waits for the page.
  void push(const char* choice, const char* page) {
    session_->paste(QString::fromUtf8(choice));
    answer();
    QVERIFY2(text().contains(page), qPrintable(text()));
  }

  // Goes from page to page until the one with this text.
  void goTo(const char* page) {
    for (int i = 0; i < 20; ++i) {
      answer();
      if (text().contains(page)) return;
    }
    QFAIL(qPrintable(QString::fromUtf8(page) + " did not come:\n" + text()));
  }

  // Its question is the last thing that it writes on a page.
  void answer() {
    QSignalSpy changed(session_.get(), &TerminalSession::changed);
    session_->key(Qt::Key_Return, {}, "\r");
    QTRY_VERIFY2(!changed.isEmpty() && asks(), qPrintable(text()));
  }

  // The cursor stands behind the question: it does not once the key for it is echoed.
  bool asks() const {
    const TerminalScreen& screen = session_->screen();
    const TerminalCursor cursor = screen.cursor();
    const QString line = screen.text({cursor.place.row, 0}, cursor.place).trimmed();
    return line.endsWith("Push <RETURN>") ||
           (line.startsWith("Enter choice number") && line.endsWith("):"));
  }

  QString row(int number) const {
    const TerminalScreen& screen = session_->screen();
    const qint64 row = screen.top() + number;
    return screen.text({row, 0}, {row, screen.columns()});
  }

  QString text() const {
    const TerminalScreen& screen = session_->screen();
    return screen.text({screen.top(), 0}, {screen.end(), 0});
  }

  std::unique_ptr<TerminalSession> session_;
};

QTEST_GUILESS_MAIN(TestVttest)
#include "test_vttest.moc"
