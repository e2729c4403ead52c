// SPDX-License-Identifier: GPL-3.0-or-later
// A file that was read beforehand is shown as one that is read where it is opened.
#include <QtTest>

#include "editor/text/text_document.h"
#include "editor/view/layout_pieces.h"
#include "editor/view/shown_buffer.h"
#include "editor/view/text_preparation.h"
#include "editor/widget/editor_sync.h"
#include "tests/editor/editor_test.h"

using namespace waferpair::editor;

namespace {

// All that can be told of a text in a view.
struct Seen {
  QByteArray text;
  QString language;
  Indentation indentation;
  LineEnds lineEnds;
  SafeMode mode;
  bool hasLongLine, isReadOnly, isModified, canUndo, isStyled;
  QByteArray buffer;

  bool operator==(const Seen&) const = default;
};

struct Desk {
  TextDocument document;
  std::unique_ptr<CodeEditor> editor = makeEditor({}, {});
  ShownBuffer shown{document.buffer(), editor.get()};

  Seen seen() {
    editor->highlightAll();
    const qint64 last = std::max<qint64>(0, editor->length() - 2);
    return {editor->text(),
            editor->language(),
            editor->indentation(),
            editor->lineEnds(),
            editor->safeMode(),
            editor->hasLongLine(),
            editor->sci(QsciScintillaBase::SCI_GETREADONLY) != 0,
            document.isModified(),
            document.buffer()->canUndo(),
            editor->sci(QsciScintillaBase::SCI_GETSTYLEAT, static_cast<unsigned long>(last)) != 0,
            document.snapshot().toByteArray()};
  }
};

}  // namespace

class TestTextPreparation : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void isAsReadAtOnce_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray code = "int value(int a) {\r\n\treturn a + 1;\r\n}\r\n";
    QTest::newRow("empty") << "a.txt" << QByteArray();
    QTest::newRow("small") << "a.cpp" << code;
    QTest::newRow("several pieces") << "a.cpp" << code.repeated(80'000);
    QTest::newRow("a character between pieces")
        << "a.py" << QByteArray("x") + QByteArray("# \xe2\x82\xac\n").repeated(700'000);
    QTest::newRow("Latin-1") << "a.txt"
                             << QByteArray("caf\xe9 na\xefve d\xe9j\xe0 vu\n").repeated(9);
    QTest::newRow("UTF-16") << "a.js"
                            << QByteArray(
                                   "\xff\xfe"
                                   "a\0;\0\n\0",
                                   8);
    QTest::newRow("binary") << "a.bin" << QByteArray("a\0b", 3).repeated(300'000);
    QTest::newRow("a long line") << "a.js" << QByteArray("a=1;").repeated(60'000) + "\nb\n";
    QTest::newRow("huge") << "a.js" << QByteArray("a = 1;\n").repeated(3'100'000);
    QTest::newRow("huge, with a long line")
        << "a.js"
        << QByteArray("a=1;").repeated(60'000) + QByteArray("\na = 1;\n").repeated(2'700'000);
  }
  void isAsReadAtOnce() {
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    const QString path = write(name, bytes);
    Desk atOnce, beforehand;
    QVERIFY(atOnce.document.load(path));
    const auto prepared = prepare(path);
    QVERIFY2(prepared, qPrintable(prepared ? QString() : prepared.error().message()));
    QVERIFY(prepared->file.looksUnchanged());
    QSignalSpy reset(beforehand.document.buffer(), &Buffer::wasReset);
    beforehand.document.load(*prepared);
    QCOMPARE(reset.size(), 1);
    const Seen expected = atOnce.seen(), seen = beforehand.seen();
    QCOMPARE(seen.text.size(), expected.text.size());
    QVERIFY(seen == expected);
    QCOMPARE(beforehand.document.path(), path);
    QCOMPARE(beforehand.document.encoding(), atOnce.document.encoding());
  }

  // A line of megabytes is cut beforehand, so that this takes no time when it is shown.
  void longLinesAreCutBeforehand_data() {
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray wide = QByteArray("\xe2\x82\xac").repeated(700'000);
    const QByteArray line = QByteArray("a=[1];").repeated(5000);  // 30,000 bytes
    QTest::newRow("alone") << line.repeated(100) + "\n";
    QTest::newRow("wide characters") << "x" + wide + "\n";
    QTest::newRow("behind many") << QByteArray("a = 1;\n").repeated(2000) + wide + "\r\n" + line;
    QTest::newRow("lines that are not long beside it")
        << (line + "\n").repeated(9) + line.repeated(5) + "\r" + (line + "\r").repeated(50);
  }
  void longLinesAreCutBeforehand() {
    QFETCH(const QByteArray, bytes);
    const QString path = write("a.js", bytes);
    const auto prepared = prepare(path);
    const auto* made = static_cast<const PreparedDocument*>(prepared->view.get());
    QVERIFY(made->isCut);
    const QByteArray styles = stylesOf(made->holder.get());
    Desk atOnce, beforehand;
    QVERIFY(atOnce.document.load(path));
    QCOMPARE(styles, stylesOf(atOnce.editor.get()));
    beforehand.document.load(*prepared);
    QCOMPARE(styles, stylesOf(beforehand.editor.get()));
    QVERIFY(beforehand.editor->hasLongLine());
    // Another text is highlighted again, and this one cut again, whatever is shown before.
    const QString plain = write("b.js", QByteArray("var a = 1;\n").repeated(60'000));
    beforehand.document.load(*prepare(plain));
    QVERIFY(!beforehand.editor->hasLongLine() && beforehand.seen().isStyled);
    beforehand.document.load(*prepare(path));
    QCOMPARE(styles, stylesOf(beforehand.editor.get()));
    beforehand.document.load(*prepare(path));
    QCOMPARE(styles, stylesOf(beforehand.editor.get()));
  }

  // What is done to it then is told, undone and saved as ever.
  void isEditedAndSaved() {
    const QString path = write("a.cpp", QByteArray("int a;\n").repeated(200'000));
    Desk desk;
    desk.document.load(*prepare(path));
    QSignalSpy edited(desk.document.buffer(), &Buffer::edited);
    QTest::keyClick(desk.editor.get(), 'x');
    QCOMPARE(edited.size(), 1);
    QVERIFY(desk.document.isModified());
    QVERIFY(desk.document.snapshot().toByteArray().startsWith("xint a;\n"));
    QVERIFY(desk.document.buffer()->undo());
    QVERIFY(!desk.document.isModified() && !desk.document.buffer()->canUndo());
    QTest::keyClick(desk.editor.get(), 'y');
    QVERIFY(desk.document.save());
    QFile file(path);
    QVERIFY(file.open(QFile::ReadOnly));
    QVERIFY(file.readAll() == QByteArray("yint a;\n") + QByteArray("int a;\n").repeated(199'999));
    QCOMPARE(desk.document.outsideChange(), OutsideChange::kNone);
  }

  void whatCannotBeReadIsSaid() {
    const auto missing = prepare(dir_.filePath("missing.txt"));
    QVERIFY(!missing);
    QCOMPARE(missing.error(), TextFile::open(dir_.filePath("missing.txt")).error());
    QVERIFY(!prepare(dir_.path()));
  }

  void aLaterChangeIsSeen() {
    const QString path = write("a.txt", "one\n");
    const auto prepared = prepare(path);
    write("a.txt", "another\n");
    QVERIFY(!prepared->file.looksUnchanged());
  }

  // Neither the thread nor the view lives on for one that nobody wants any more.
  void isGivenUp() {
    bool isTold = false;
    {
      QObject owner;
      new TextPreparation(write("a.txt", QByteArray("a\n").repeated(3'000'000)), &owner,
                          [&](const auto&) { isTold = true; });
    }
    QVERIFY(prepare(write("b.txt", "b\n")));
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    QVERIFY(!isTold);
  }

 private:
  QString write(const QString& name, const QByteArray& bytes) {
    const QString path = dir_.filePath(name);
    QFile file(path);
    if (!file.open(QFile::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("no file");
    return path;
  }
  // Of each byte; which of the hidden styles it is makes no difference.
  static QByteArray stylesOf(const QsciScintillaBase* view) {
    using Sci = QsciScintillaBase;
    QByteArray styles(view->SendScintilla(Sci::SCI_GETLENGTH), 0);
    for (qsizetype at = 0; at < styles.size(); ++at) {
      const long style = view->SendScintilla(Sci::SCI_GETSTYLEAT, static_cast<unsigned long>(at));
      styles[at] = isHiddenStyle(style) ? 'h' : static_cast<char>(style);
    }
    return styles;
  }
  static Result<PreparedText> prepare(const QString& path) {
    std::optional<Result<PreparedText>> got;
    QObject owner;
    new TextPreparation(path, &owner,
                        [&](const Result<PreparedText>& prepared) { got = prepared; });
    if (!QTest::qWaitFor([&] { return got.has_value(); }, 60'000)) qFatal("nothing came");
    return *got;
  }

  QTemporaryDir dir_;
};

QTEST_MAIN(TestTextPreparation)
#include "test_text_preparation.moc"
