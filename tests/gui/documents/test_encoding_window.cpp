// SPDX-License-Identifier: GPL-3.0-or-later
// Texts whose bytes do not tell their encoding, or are not all of it, in the real window: what is
// said of them, and that whatever is not touched is saved as it was.
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QTest>
#include <QToolButton>

#include "editor/widget/editor_suggestion_view.h"
#include "editor/widget/find_replace.h"
#include "gui/documents/recovery_keeper.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "gui/store/settings.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

constexpr char kStray[] =
    "na\xC3\xAFve caf\xC3\xA9\nsec\xFF"
    "nd \xE6\x97\nthird\n";

QString encodingShown(WindowFixture& f) { return f.find<QToolButton>("statusEncoding")->text(); }

QString noticeOf(WindowFixture& f) {
  const Banner* banner = f.document()->banners()->find(QStringLiteral("bannerEncoding"));
  return banner ? banner->text() : QString();
}

QByteArray savedBytes(WindowFixture& f, const char* name) {
  f.document()->setFocus();
  WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
  return f.read(QString::fromLatin1(name));
}

// As a keyboard of that language does; the fixture's has the keys of ASCII.
void typeText(const char* text) {
  for (const QChar c : QString::fromUtf8(text)) {
    QKeyEvent press(QEvent::KeyPress, Qt::Key_unknown, Qt::NoModifier, QString(c));
    QCoreApplication::sendEvent(QApplication::focusWidget(), &press);
  }
}

}  // namespace

class TestEncodingWindow : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void bytesThatAreNoneStayWhileTextIsTyped();
  void bytesThatAreNoneAreCopiedAndPasted();
  void bytesThatAreNoneStayInReplacements();
  void aGuessIsSaidAndAnotherChoiceIsNear();
  void utf16WithoutAMarkIsEdited();
  void aBinaryFileIsEditedOnTheUsersWord_data();
  void aBinaryFileIsEditedOnTheUsersWord();
  void theBytesOfABinaryFileComeBackAfterACrash();
};

void TestEncodingWindow::bytesThatAreNoneStayWhileTextIsTyped() {
  WindowFixture f;
  f.openProjectWith("a.txt", kStray);
  QCOMPARE(encodingShown(f), QStringLiteral("UTF-8"));
  QVERIFY2(noticeOf(f).contains(QStringLiteral("3 bytes, the first in line 2")),
           qPrintable(noticeOf(f)));
  QCOMPARE(f.editor()->text(), QByteArray(kStray));
  QCOMPARE(f.editor()->lineCount(), 4);
  typeText("é");
  QCOMPARE(savedBytes(f, "a.txt"), QByteArray("\xC3\xA9") + kStray);
  // Beside them, and over them.
  QVERIFY(WindowFixture::click("goToStray"));
  QCOMPARE(f.editor()->caretLine(), 1);
  for (int i = 0; i < 4; ++i) f.key(Qt::Key_Right);
  typeText("о");
  QCOMPARE(f.editor()->lineText(1), QByteArray("sec\xFF"
                                               "оnd \xE6\x97"));
  f.key(Qt::Key_Backspace);
  f.key(Qt::Key_Backspace);
  QCOMPARE(f.editor()->lineText(1), QByteArray("secnd \xE6\x97"));
  f.key(Qt::Key_Z, Qt::ControlModifier);
  while (f.editor()->lineText(1) !=
             "sec\xFF"
             "nd \xE6\x97" &&
         f.editor()->sci(QsciScintillaBase::SCI_CANUNDO))
    f.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.editor()->lineText(1), QByteArray("sec\xFF"
                                               "nd \xE6\x97"));
  // What a program puts right on save knows nothing of them either.
  Preferences p = f.parts().settings->get();
  p.trimOnSave = p.finalLineEndOnSave = true;
  f.parts().settings->set(p);
  f.editor()->goToLine(2);
  f.type(QStringLiteral("x"));
  QVERIFY(savedBytes(f, "a.txt")
              .endsWith("sec\xFF"
                        "nd \xE6\x97\nxthird\n"));
}

void TestEncodingWindow::bytesThatAreNoneAreCopiedAndPasted() {
  WindowFixture f;
  f.openProjectWith("a.txt", kStray);
  // A whole line without a selection, a selection, and into another text.
  f.editor()->goToLine(1);
  f.key(Qt::Key_C, Qt::ControlModifier);
  f.key(Qt::Key_V, Qt::ControlModifier);
  QCOMPARE(f.editor()->lineText(1), QByteArray("sec\xFF"
                                               "nd \xE6\x97"));
  QCOMPARE(f.editor()->lineText(2), QByteArray("sec\xFF"
                                               "nd \xE6\x97"));
  f.editor()->setSelection(f.editor()->lineStart(1), f.editor()->lineEnd(1));
  f.key(Qt::Key_C, Qt::ControlModifier);
  // Others get characters.
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("sec\uFFFDnd \uFFFD\uFFFD"));
  f.write("b.txt", "é\n");
  f.openFile("b.txt");
  f.key(Qt::Key_V, Qt::ControlModifier);
  QCOMPARE(savedBytes(f, "b.txt"), QByteArray("sec\xFF"
                                              "nd \xE6\x97\xC3\xA9\n"));
}

void TestEncodingWindow::bytesThatAreNoneStayInReplacements() {
  WindowFixture f;
  f.openProjectWith("a.txt", kStray);
  editor::FindReplace* find = f.document()->find();
  editor::FindQuery query;
  query.text = QStringLiteral("(c.)nd");
  query.regex = true;
  QVERIFY(find->setQuery(query));
  QCOMPARE(find->replaceAll(QStringLiteral("<$1>")), 1);
  QCOMPARE(f.editor()->lineText(1), QByteArray("se<c\xFF> \xE6\x97"));
  // Where it is not certain which byte goes where, the match stays.
  query.text = QStringLiteral("c(.)> (.)");
  QVERIFY(find->setQuery(query));
  find->replaceAll(QStringLiteral("$1$1$2"));
  QCOMPARE(f.editor()->lineText(1), QByteArray("se<c\xFF> \xE6\x97"));
  f.editor()->setSelection(0, f.editor()->length());
  QVERIFY(f.editor()->perform("upper-case"));
  QVERIFY(f.editor()->text().contains("\xFF"));
  QVERIFY(!f.editor()->text().contains("\xEF\xBF\xBD"));
}

void TestEncodingWindow::aGuessIsSaidAndAnotherChoiceIsNear() {
  WindowFixture f;
  const QByteArray bytes =
      *editor::encodeText("Привет, мир. Это простой текст\n", editor::Encoding::kWindows1251);
  f.openProjectWith("a.txt", bytes);
  QCOMPARE(encodingShown(f), QStringLiteral("Guessed: Windows-1251"));
  QVERIFY2(noticeOf(f).contains(QStringLiteral("guessed: Windows-1251")), qPrintable(noticeOf(f)));
  typeText("Я");
  QCOMPARE(savedBytes(f, "a.txt"), "\xDF" + bytes);
  QVERIFY(WindowFixture::click("reopenWithEncoding"));
  QTRY_VERIFY(f.find<Picker>("picker")->isVisible());
  f.type(QStringLiteral("KOI8-U"));
  f.key(Qt::Key_Return);
  QCOMPARE(encodingShown(f), QStringLiteral("KOI8-U"));
  QVERIFY(noticeOf(f).isEmpty());
  QCOMPARE(f.read("a.txt"), "\xDF" + bytes);
  // What is written by hand in an encoding says nothing of a guess.
  f.write("b.txt", "caf\xE9\n");
  f.openFile("b.txt");
  QCOMPARE(encodingShown(f), QStringLiteral("Guessed: Windows-1252"));
  f.document()->setEncoding(editor::Encoding::kUtf8);
  QCOMPARE(encodingShown(f), QStringLiteral("UTF-8"));
  QVERIFY(noticeOf(f).isEmpty());
}

void TestEncodingWindow::utf16WithoutAMarkIsEdited() {
  WindowFixture f;
  const QByteArray bytes =
      *editor::encodeText("Hello, world, this is\n", editor::Encoding::kUtf16LeNoMark);
  f.openProjectWith("a.txt", bytes);
  QCOMPARE(encodingShown(f), QStringLiteral("Guessed: UTF-16 LE without BOM"));
  f.type(QStringLiteral("x"));
  QCOMPARE(savedBytes(f, "a.txt"), QByteArray("x\0", 2) + bytes);
}

void TestEncodingWindow::aBinaryFileIsEditedOnTheUsersWord_data() {
  QTest::addColumn<QByteArray>("bytes");
  QByteArray tail("#!/bin/sh\nexit  \n");
  for (int byte = 0; byte < 256; ++byte) tail += static_cast<char>(byte);
  QTest::newRow("a binary tail") << tail;
  QTest::newRow("one NUL") << QByteArray("line one\r\nnul \0 here  \nline three", 32);
  QTest::newRow("no end of line") << QByteArray(70'000, '\0');
  QTest::newRow("half a pair of UTF-16") << QByteArray(
      "\xFF\xFE"
      "a\0\x00\xD8",
      6);
}

void TestEncodingWindow::aBinaryFileIsEditedOnTheUsersWord() {
  QFETCH(QByteArray, bytes);
  WindowFixture f;
  f.openProjectWith("a.cpp", bytes);
  Preferences p = f.parts().settings->get();
  p.trimOnSave = p.finalLineEndOnSave = true;
  f.parts().settings->set(p);
  f.type(QStringLiteral("x"));
  QCOMPARE(f.editor()->text(), bytes);
  QVERIFY(WindowFixture::click("openAnyway"));
  QCOMPARE(f.editor()->text(), bytes);
  QVERIFY(!f.document()->isModified());
  QVERIFY(!editor::EditorSuggestionView(f.editor()).silence().isEmpty());
  f.document()->setFocus();
  f.key(Qt::Key_Home, Qt::ControlModifier);
  typeText("#é");
  QCOMPARE(savedBytes(f, "a.cpp"), "#\xC3\xA9" + bytes);
  f.key(Qt::Key_Backspace);
  f.key(Qt::Key_Backspace);
  QCOMPARE(savedBytes(f, "a.cpp"), bytes);
}

void TestEncodingWindow::theBytesOfABinaryFileComeBackAfterACrash() {
  WindowFixture f;
  const QByteArray bytes("a\0\xFF\r\nb", 6);
  f.openProjectWith("a.bin", bytes);
  QVERIFY(WindowFixture::click("openAnyway"));
  f.document()->setFocus();
  f.key(Qt::Key_Home, Qt::ControlModifier);
  f.type(QStringLiteral("x"));
  f.parts().recovery->keepAll();
  f.drop();
  f.openProject();
  QCOMPARE(f.document()->path(), f.path("a.bin"));
  QCOMPARE(f.editor()->text(), 'x' + bytes);
  QVERIFY(!f.document()->banners()->find("bannerChanged"));
  QCOMPARE(savedBytes(f, "a.bin"), 'x' + bytes);
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestEncodingWindow)
#include "test_encoding_window.moc"
