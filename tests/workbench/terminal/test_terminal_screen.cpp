// SPDX-License-Identifier: GPL-3.0-or-later
// What programs write becomes rows of cells, whatever the width becomes meanwhile.
#include <QTest>

#include "workbench/terminal/terminal_search.h"

using namespace waferpair::workbench;

namespace {

// The rows from the first that is kept, blanks at their ends left out, empty ones at the end, too.
QStringList rowsOf(const TerminalScreen& screen) {
  QStringList rows;
  for (qint64 i = screen.first(); i < screen.end(); ++i) {
    QString text;
    for (const Cell& cell : screen.row(i).cells) {
      if ((cell.style & cell_style::kWideTail) != 0) continue;
      text += cell.character == 0 ? QStringLiteral(" ") : screen.characterOf(cell);
    }
    while (text.endsWith(u' ')) text.chop(1);
    rows.append(text);
  }
  while (!rows.isEmpty() && rows.constLast().isEmpty()) rows.removeLast();
  return rows;
}

QString allText(const TerminalScreen& screen) {
  return screen.text({screen.first(), 0}, {screen.end(), 0}).trimmed();
}

CellPlace cursorOf(const TerminalScreen& screen) {
  CellPlace place = screen.cursor().place;
  place.row -= screen.top();
  return place;
}

}  // namespace

class TestTerminalScreen : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void textIsWhereItWasWritten() {
    TerminalScreen screen(4, 10, 100);
    screen.feed("one\r\ntwo\x1b[1;6Hfar");
    QCOMPARE(rowsOf(screen), (QStringList{"one  far", "two"}));
    QCOMPARE(cursorOf(screen), (CellPlace{0, 8}));
    screen.feed("\x1b[2J");
    QCOMPARE(rowsOf(screen), QStringList());
  }

  void rowsScrollOffAndAreKept() {
    TerminalScreen screen(2, 10, 3);
    for (int i = 1; i <= 9; ++i) screen.feed("line " + QByteArray::number(i) + "\r\n");
    QCOMPARE(rowsOf(screen), (QStringList{"line 6", "line 7", "line 8", "line 9"}));
    QCOMPARE(screen.first(), 5);
    QCOMPARE(screen.top(), 8);
    screen.setScrollback(1);
    QCOMPARE(rowsOf(screen), (QStringList{"line 8", "line 9"}));
    screen.clearScrollback();
    QCOMPARE(rowsOf(screen), (QStringList{"line 9"}));
  }

  void colorsAndStylesAreCells() {
    TerminalScreen screen(1, 20, 0);
    screen.feed("\x1b[1;3;4;31mA\x1b[0;7;9;48;5;200mB\x1b[0;38;2;1;2;3;102mC\x1b[0mD");
    const std::vector<Cell>& cells = screen.row(screen.top()).cells;
    QCOMPARE(int(cells[0].style), cell_style::kBold | cell_style::kItalic | cell_style::kUnderline);
    QVERIFY(cells[0].foreground == CellColor::indexed(1));
    QVERIFY(cells[0].background.isDefault());
    QCOMPARE(int(cells[1].style), cell_style::kReverse | cell_style::kStrike);
    QVERIFY(cells[1].background == CellColor::indexed(200));
    QVERIFY(cells[2].foreground == CellColor::rgb(1, 2, 3));
    QVERIFY(cells[2].background == CellColor::indexed(10));
    Cell plain;
    plain.character = U'D';
    QVERIFY(cells[3] == plain);
  }

  // An erased cell has the ground that was set.
  void erasingTakesTheGround() {
    TerminalScreen screen(2, 5, 0);
    screen.feed("\x1b[44m\x1b[K");
    const std::vector<Cell>& cells = screen.row(screen.top()).cells;
    QCOMPARE(cells.size(), size_t(5));
    QVERIFY(cells[4].background == CellColor::indexed(4));
    screen.feed("\x1b[0m\x1b[1;3H\x1b[K");
    QCOMPARE(screen.row(screen.top()).cells.size(), size_t(2));
  }

  void wideAndCombiningCharacters() {
    TerminalScreen screen(2, 6, 0);
    screen.feed("a\u4e2db\u0065\u0301!");
    const std::vector<Cell>& cells = screen.row(screen.top()).cells;
    QCOMPARE(cells.size(), size_t(6));
    QVERIFY(cells[1].style & cell_style::kWide);
    QVERIFY(cells[2].style & cell_style::kWideTail);
    QCOMPARE(screen.characterOf(cells[4]), QString::fromUtf8("e\u0301"));
    QCOMPARE(allText(screen), QString::fromUtf8("a\u4e2dbe\u0301!"));
    // Half of it that is written over leaves a blank.
    screen.feed("\x1b[1;3Hx");
    QCOMPARE(rowsOf(screen).constFirst(), QString::fromUtf8("a xbe\u0301!"));
  }

  void invalidUtf8IsShownAsSuch() {
    TerminalScreen screen(1, 10, 0);
    screen.feed("a\xff\xc3(\xe4\xb8");
    screen.feed("\xad.");
    QCOMPARE(allText(screen), QString::fromUtf8("a\ufffd\ufffd(\u4e2d."));
    // Control characters of 8 bits and marks without a letter are none.
    TerminalScreen odd(2, 10, 0);
    odd.feed("\xc2\x9c\xc2\x80z\xc2\xa0\r\n\xcc\x81\xcc\x81y");
    QCOMPARE(rowsOf(odd), (QStringList{QString::fromUtf8("z\xc2\xa0"), "y"}));
    // Wherever the bytes are cut.
    const QByteArray bytes("\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80.");
    for (int cut = 0; cut <= bytes.size(); ++cut) {
      TerminalScreen cutScreen(1, 10, 0);
      cutScreen.feed(bytes.left(cut));
      cutScreen.feed(bytes.mid(cut));
      QCOMPARE(allText(cutScreen), QString::fromUtf8(bytes));
    }
  }

  void linesAreWrappedAnew() {
    TerminalScreen screen(3, 10, 100);
    screen.feed("abcdefghijKLMNOPQRSTuvw\r\nshort\r\n$ ");
    QCOMPARE(rowsOf(screen), (QStringList{"abcdefghij", "KLMNOPQRST", "uvw", "short", "$"}));
    screen.resize(3, 7);
    QCOMPARE(rowsOf(screen), (QStringList{"abcdefg", "hijKLMN", "OPQRSTu", "vw", "short", "$"}));
    QCOMPARE(cursorOf(screen), (CellPlace{2, 2}));
    screen.resize(3, 30);
    QCOMPARE(rowsOf(screen), (QStringList{"abcdefghijKLMNOPQRSTuvw", "short", "$"}));
    QCOMPARE(cursorOf(screen), (CellPlace{2, 2}));
    screen.feed("next");
    QCOMPARE(rowsOf(screen).constLast(), "$ next");
  }

  // A line that just fills a row does not go on with the one that follows its line end.
  void fullRowsEnd() {
    TerminalScreen screen(4, 5, 100);
    screen.feed("12345\r\nabcde\r\n");
    screen.resize(4, 10);
    QCOMPARE(rowsOf(screen), (QStringList{"12345", "abcde"}));
    QCOMPARE(allText(screen), "12345\nabcde");
  }

  void wideCharactersStayWholeWhenWrapped() {
    TerminalScreen screen(4, 5, 100);
    screen.feed("ab\u4e2d\u6587\u5b57");
    QCOMPARE(rowsOf(screen),
             (QStringList{QString::fromUtf8("ab\u4e2d"), QString::fromUtf8("\u6587\u5b57")}));
    QCOMPARE(allText(screen), QString::fromUtf8("ab\u4e2d\u6587\u5b57"));
    screen.resize(4, 3);
    QCOMPARE(allText(screen), QString::fromUtf8("ab\u4e2d\u6587\u5b57"));
    screen.resize(4, 20);
    QCOMPARE(rowsOf(screen), QStringList{QString::fromUtf8("ab\u4e2d\u6587\u5b57")});
  }

  // A screen that was cleared stays so; one that is full shows more when it grows.
  void heightFollowsTheText() {
    TerminalScreen screen(3, 10, 100);
    screen.feed("1\r\n2\r\n3\r\n4\r\n5");
    screen.resize(5, 10);
    QCOMPARE(screen.top(), screen.first());
    QCOMPARE(cursorOf(screen), (CellPlace{4, 1}));
    screen.resize(2, 10);
    QCOMPARE(cursorOf(screen), (CellPlace{1, 1}));
    screen.feed("\x1b[H\x1b[2J$");
    screen.resize(4, 12);
    QCOMPARE(cursorOf(screen), (CellPlace{0, 1}));
  }

  void anotherScreenComesAndGoes() {
    TerminalScreen screen(3, 10, 100);
    screen.feed("main\r\n\x1b[?1049h\x1b[Hfull screen");
    QVERIFY(screen.isAlternate());
    QCOMPARE(rowsOf(screen), (QStringList{"full scree", "n"}));
    screen.resize(3, 6);
    QCOMPARE(screen.rows(), 3);
    screen.feed("\x1b[?1049l");
    QVERIFY(!screen.isAlternate());
    QCOMPARE(rowsOf(screen), QStringList{"main"});
  }

  void scrollRegionsKeepTheRest() {
    TerminalScreen screen(4, 10, 100);
    screen.feed("a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\n");
    QCOMPARE(rowsOf(screen), (QStringList{"a", "c", "", "d"}));
    QCOMPARE(screen.first(), screen.top());
    screen.feed("\x1b[2;1H\x1b[L");
    QCOMPARE(rowsOf(screen), (QStringList{"a", "", "c", "d"}));
    screen.feed("\x1b[r\x1b[1;1Hxyz\x1b[1;1H\x1b[@\x1b[2C\x1b[P");
    QCOMPARE(rowsOf(screen).constFirst(), " xz");
  }

  void marginsBeyondTheScreenScrollNothing() {
    TerminalScreen screen(3, 10, 100);
    screen.feed("a\r\nb\033[?69h\033[295s\033[S\033[T");
    QCOMPARE(rowsOf(screen), (QStringList{"a", "b"}));
  }

  // Without a character, or with one that has no width, libvterm repeated for ever.
  void charactersAreRepeated() {
    TerminalScreen screen(2, 10, 0);
    screen.feed("\033[5b\033[b");
    QCOMPARE(rowsOf(screen), QStringList());
    screen.feed("a\033[3bb\xcc\x81\033[2b");
    QCOMPARE(rowsOf(screen).constFirst(), QString::fromUtf8("aaaab\xcc\x81"
                                                            "b\xcc\x81"
                                                            "b\xcc\x81"));
    screen.feed("\r\n\xcc\x81\033[2147483647bx\033[2147483647b");
    QVERIFY(rowsOf(screen).size() <= 2);
  }

  // Wherever it is cut, and with a control character in its middle.
  void sequencesAreWhole() {
    const QByteArray bytes(
        "ab\033[1;3\rHc\033[2\x18"
        "d\033[3\033[1;1He");
    for (int cut = 0; cut <= bytes.size(); ++cut) {
      TerminalScreen screen(2, 10, 0);
      screen.feed(bytes.left(cut));
      screen.feed(bytes.mid(cut));
      QCOMPARE(rowsOf(screen), QStringList{"ebcd"});
    }
  }

  // What has scrolled off is forgotten where a program says so (ED 3).
  void theScrollbackIsErasedByAProgram() {
    TerminalScreen screen(2, 10, 100);
    screen.feed("1\r\n2\r\n3\r\n4");
    QCOMPARE(rowsOf(screen), (QStringList{"1", "2", "3", "4"}));
    screen.feed("\033[3J");
    QCOMPARE(rowsOf(screen), (QStringList{"3", "4"}));
  }

  void keysAreAsXtermSendsThem_data() {
    QTest::addColumn<QByteArray>("modes");
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("sent");
    const auto row = [](const char* name, const char* modes, int key, int modifiers,
                        const char* text, const QByteArray& sent) {
      QTest::newRow(name) << QByteArray(modes) << key << modifiers << QString::fromUtf8(text)
                          << sent;
    };
    const int none = 0, shift = Qt::ShiftModifier, control = Qt::ControlModifier;
    const int alt = Qt::AltModifier, pad = Qt::KeypadModifier;
    row("letter", "", Qt::Key_A, none, "a", "a");
    row("umlaut", "", Qt::Key_Adiaeresis, none, "\u00e4", "\u00e4");
    row("Alt", "", Qt::Key_A, alt, "a", "\033a");
    row("Ctrl+C", "", Qt::Key_C, control, "\003", "\003");
    row("Ctrl+I", "", Qt::Key_I, control, "\t", "\t");
    row("Ctrl+M", "", Qt::Key_M, control, "\r", "\r");
    row("Ctrl+Space", "", Qt::Key_Space, control, " ", QByteArray(1, '\0'));
    row("Ctrl+[", "", Qt::Key_BracketLeft, control, "", "\033");
    row("Ctrl+Alt+E", "", Qt::Key_E, control | alt, "", "\033\005");
    row("Return", "", Qt::Key_Return, none, "\r", "\r");
    row("Backspace", "", Qt::Key_Backspace, none, "\b", "\177");
    row("Tab", "", Qt::Key_Tab, none, "\t", "\t");
    row("Shift+Tab", "", Qt::Key_Backtab, shift, "", "\033[Z");
    row("Escape", "", Qt::Key_Escape, none, "\033", "\033");
    row("Up", "", Qt::Key_Up, none, "", "\033[A");
    row("Up in a program", "\033[?1h", Qt::Key_Up, none, "", "\033OA");
    row("Ctrl+Left", "", Qt::Key_Left, control, "", "\033[1;5D");
    row("Home", "", Qt::Key_Home, none, "", "\033[H");
    row("Delete", "", Qt::Key_Delete, none, "", "\033[3~");
    row("Shift+Delete", "", Qt::Key_Delete, shift, "", "\033[3;2~");
    row("Page Down", "", Qt::Key_PageDown, none, "", "\033[6~");
    row("F1", "", Qt::Key_F1, none, "", "\033OP");
    row("F5", "", Qt::Key_F5, none, "", "\033[15~");
    row("F12 with Shift", "", Qt::Key_F12, shift, "", "\033[24;2~");
    row("Enter of the keypad", "", Qt::Key_Enter, pad, "\r", "\r");
    row("its application key", "\033=", Qt::Key_Enter, pad, "\r", "\033OM");
  }

  void keysAreAsXtermSendsThem() {
    QFETCH(QByteArray, modes);
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(QString, text);
    QFETCH(QByteArray, sent);
    TerminalScreen screen(4, 10, 0);
    screen.feed(modes);
    QVERIFY(screen.key(key, Qt::KeyboardModifiers(modifiers), text));
    QCOMPARE(screen.takeReply(), sent);
  }

  void pastedTextIsBracketedWhereAsked() {
    TerminalScreen screen(4, 10, 0);
    QVERIFY(!screen.isPasteBracketed());
    screen.paste("a\nb\033[201~c\r\n");
    QCOMPARE(screen.takeReply(), QByteArray("a\rb[201~c\r"));
    screen.feed("\033[?2004h");
    QVERIFY(screen.isPasteBracketed());
    QCOMPARE(screen.takeReply(), QByteArray());
    screen.paste("a\tb");
    QCOMPARE(screen.takeReply(), QByteArray("\033[200~a\tb\033[201~"));
  }

  void theMouseIsToldWhereAsked() {
    TerminalScreen screen(10, 20, 0);
    screen.mouseMove(2, 3, {});
    screen.mouseButton(1, true, {});
    QCOMPARE(screen.takeReply(), QByteArray());
    screen.feed("\033[?1002h\033[?1006h");
    QVERIFY(screen.mouseReports() == MouseReports::kDrags);
    screen.mouseMove(2, 3, {});
    screen.mouseButton(1, true, {});
    screen.mouseMove(4, 5, {});
    screen.mouseButton(1, false, {});
    screen.mouseButton(4, true, {});
    QCOMPARE(screen.takeReply(), QByteArray("\033[<0;4;3M\033[<32;6;5M\033[<0;6;5m\033[<64;6;5M"));
  }

  void questionsAreAnswered() {
    TerminalScreen screen(10, 20, 0);
    screen.setColors(0xd0d0d0, 0x1b1e20);
    screen.feed("ab\033[6n");
    QCOMPARE(screen.takeReply(), QByteArray("\033[1;3R"));
    screen.feed("\033]11;?\033\\\033]10;?\a");
    QCOMPARE(screen.takeReply(),
             QByteArray("\033]11;rgb:1b1b/1e1e/2020\033\\\033]10;rgb:d0d0/d0d0/d0d0\a"));
    screen.feed("\033[18t");
    QCOMPARE(screen.takeReply(), QByteArray("\033[8;10;20t"));
    for (const char* question : {"\033[>q", "\033[>0q"}) {
      screen.feed(question);
      const QByteArray name = screen.takeReply();
      QVERIFY2(name.startsWith("\033P>|Waferpair") && name.endsWith("\033\\"), name.constData());
    }
    QCOMPARE(allText(screen), QString("ab"));
  }

  // One that libvterm does not know ended the program.
  void theStateIsToldToWhoAsks() {
    TerminalScreen screen(10, 20, 0);
    screen.feed("\033[1;38;2;1;2;3;41m\033P$qm\033\\\033[6 q\033P$q q\033\\\033P$q m\033\\");
    QCOMPARE(screen.takeReply(), QByteArray("\033P1$r0;1;38:2::1:2:3;48:5:1m\033\\"
                                            "\033P1$r6 q\033\\\033P0$r\033\\"));
    QCOMPARE(allText(screen), QString());
    screen.feed("\033\a\x8fP$q m\033\\\033\nP$q m\033\\\r\033[2K\033[1;1H\033[K");
    QCOMPARE(screen.takeReply(), QByteArray("\033P0$r\033\\"));
    // It stays in UTF-8, whatever a program says.
    screen.feed("\033%@\xc3\xa4\x90$q m\033\\");
    QVERIFY(allText(screen).startsWith(QString::fromUtf8("\u00e4")));
  }

  // Wherever the bytes are cut.
  void titlesAndFoldersAreRead() {
    const QByteArray bytes =
        "\033]0;a title\a\033]7;file://localhost/tmp/a%20b\033\\x\033]0;cut\030y\033_no\033\\z";
    for (int cut = 0; cut < bytes.size(); ++cut) {
      TerminalScreen screen(2, 20, 0);
      screen.feed(bytes.left(cut));
      screen.feed(bytes.mid(cut));
      QCOMPARE(screen.title(), "a title");
      QCOMPARE(screen.folder(), "/tmp/a b");
      QCOMPARE(allText(screen), "xyz");
    }
    TerminalScreen screen(2, 20, 0);
    screen.feed("\033]7;file://elsewhere/tmp\a");
    QCOMPARE(screen.folder(), QString());
  }

  void linksAreOfCells() {
    TerminalScreen screen(2, 20, 0);
    screen.feed("\033]8;;https://example.org/a\033\\here\033]8;;\033\\ not");
    const std::vector<Cell>& cells = screen.row(screen.top()).cells;
    QCOMPARE(screen.link(cells[0]), "https://example.org/a");
    QCOMPARE(screen.link(cells[3]), "https://example.org/a");
    QCOMPARE(screen.link(cells[5]), QString());
    // Of so many those that are still to be seen are kept.
    for (int i = 0; i < 70000; ++i)
      screen.feed("\r\033]8;;https://example.org/" + QByteArray::number(i) + "\033\\here");
    QCOMPARE(screen.link(screen.row(screen.top()).cells[0]), "https://example.org/69999");
  }

  void marksTellCommandsAndTheirOutput() {
    TerminalScreen screen(6, 20, 100);
    QCOMPARE(screen.lastCommand(), -1);
    screen.feed("\033]133;A\a$ \033]133;B\amake all\r\n\033]133;C\aone\r\ntwo\r\n\033]133;D;2\a");
    screen.feed("\033]133;A\a$ \033]133;B\a");
    QCOMPARE(screen.lastCommand(), 0);
    QCOMPARE(screen.lineOf(0), "make all");
    QVERIFY(screen.command(0)->isOver);
    QCOMPARE(screen.command(0)->status, std::optional(2));
    const auto output = screen.outputOf(0);
    QVERIFY(output);
    QCOMPARE(screen.text(output->first, output->second), "one\ntwo\n");
    // They stay with their text.
    screen.resize(6, 5);
    screen.feed("ls\r\n\033]133;C\afile\r\n");
    QCOMPARE(screen.lineOf(0), "make all");
    const auto narrow = screen.outputOf(0);
    QCOMPARE(screen.text(narrow->first, narrow->second), "one\ntwo\n");
    QCOMPARE(screen.lastCommand(), 1);
    QVERIFY(!screen.command(1)->isOver);
    const auto running = screen.outputOf(1);
    QCOMPARE(screen.text(running->first, running->second), "file\n");
  }

  // As GCC and grep begin their colored lines, and as progress is drawn anew.
  void whatErasesItsOwnRowKeepsItsMarks_data() {
    QTest::addColumn<QByteArray>("printed");
    QTest::addColumn<QString>("text");
    QTest::newRow("gcc") << QByteArray(
                                "\033[01m\033[Ka.c:1:9:\033[m\033[K \033[01;31m\033[Kerror: "
                                "\033[m\033[Kno\r\n")
                         << "a.c:1:9: error: no\n";
    QTest::newRow("grep") << QByteArray(
                                 "\033[35m\033[Ka.c\033[m\033[K:\033[01;31m\033[Kx\033[m\033[K\r\n")
                          << "a.c:x\n";
    QTest::newRow("progress") << QByteArray("10 %\r\033[2K20 %\r\033[Kdone\r\n") << "done\n";
    QTest::newRow("to the end") << QByteArray("one\r\ntwo\r\n\033[2A\033[Jthree\r\n") << "three\n";
    QTest::newRow("to the cursor") << QByteArray("one\033[1K\r\033[1Ktwo\r\n") << "two\n";
    QTest::newRow("erased by cells") << QByteArray("\033[9Xone\r\n") << "one\n";
  }
  void whatErasesItsOwnRowKeepsItsMarks() {
    QFETCH(QByteArray, printed);
    QFETCH(QString, text);
    TerminalScreen screen(9, 40, 100);
    screen.feed("\033]133;A\a$ \033]133;B\amake\r\n\033]133;C\a" + printed + "\033]133;D;1\a");
    const auto output = screen.outputOf(0);
    QVERIFY(output);
    QCOMPARE(screen.text(output->first, output->second), text);
    QCOMPARE(screen.lineOf(0), "make");
    // The next prompt, drawn over what shells erase before it.
    screen.feed("\r\033[K\033]133;A\a$ \033]133;B\a");
    const auto after = screen.outputOf(0);
    QVERIFY(after);
    QCOMPARE(screen.text(after->first, after->second), text);
  }

  void anOutputThatIsWipedAwayHasNoMarks() {
    TerminalScreen screen(6, 40, 100);
    screen.feed("\033]133;A\a\033]133;B\a\r\n\033[H\033]133;C\aold\r\n\033]133;D;0\a");
    screen.feed("\033]133;A\a$ \033]133;B\aclear\r\n\033]133;C\a\033[H\033[2J\033]133;D;0\a");
    screen.feed("\033]133;A\a$ \033]133;B\als\r\n\033]133;C\anew\r\n");
    QVERIFY(!screen.outputOf(0));
    const auto running = screen.outputOf(2);
    QVERIFY(running);
    QCOMPARE(screen.text(running->first, running->second), "new\n");
  }

  void textIsFoundOverRows() {
    TerminalScreen screen(3, 6, 100);
    screen.feed("one needle\r\ntwo\r\nNeedle needles");
    const CellPlace home{screen.first(), 0};
    auto match = findText(screen, "needle", Qt::CaseSensitive, home, 1);
    QVERIFY(match);
    QCOMPARE(match->start, (CellPlace{home.row, 4}));
    QCOMPARE(match->end, (CellPlace{home.row + 1, 4}));
    match = findText(screen, "needle", Qt::CaseSensitive, match->end, 1);
    QCOMPARE(match->start, (CellPlace{home.row + 4, 1}));
    match = findText(screen, "needle", Qt::CaseInsensitive, match->start, -1);
    QCOMPARE(match->start, (CellPlace{home.row + 3, 0}));
    // Round the ends.
    match = findText(screen, "one", Qt::CaseSensitive, {screen.end() - 1, 0}, 1);
    QCOMPARE(match->start, home);
    QVERIFY(!findText(screen, "absent", Qt::CaseSensitive, home, 1));
  }
};

QTEST_GUILESS_MAIN(TestTerminalScreen)
#include "test_terminal_screen.moc"
