// SPDX-License-Identifier: GPL-3.0-or-later
// What language servers know, drawn in the text and listed beside it: colors of names, hints behind
// lines, the outline, uses, calls and types, and what a server is at work on or asks. By keys.
#include <QDockWidget>
#include <QLineEdit>
#include <QStandardPaths>

#include "editor/ghost/ghost_text.h"
#include "editor/layers/line_notes.h"
#include "editor/layers/text_tints.h"
#include "gui/kit/command_registry.h"
#include "gui/store/settings.h"
#include "tests/gui/workbench/language_window.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;
using editor::TextTints;

class TestLanguagePanels : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { w_ = std::make_unique<LanguageWindow>(); }
  void cleanup() { w_.reset(); }

  // -- In the text

  void namesHaveTheColorsOfWhatTheyAre_data() {
    QTest::addColumn<QString>("how");
    QTest::newRow("in UTF-16 units") << "";
    QTest::newRow("in bytes") << "utf8";
  }
  void namesHaveTheColorsOfWhatTheyAre() {
    QFETCH(QString, how);
    w_->begin("\u00e4 Type run(x)\n", how);
    QTRY_COMPARE_WITH_TIMEOUT(tinted(), QByteArray("...TTTT.RRR.x.."), kPatience);
    // It moves with the text at once.
    w_->editor()->goToLine(0, 0);
    WindowFixture::type("b");
    QCOMPARE(tinted().mid(1), QByteArray("...TTTT.RRR.x.."));
    // What is no longer a type is none.
    w_->editor()->goToLine(0, 3);
    WindowFixture::key(Qt::Key_Delete);
    WindowFixture::type("t");
    QTRY_COMPARE_WITH_TIMEOUT(tinted(),
                              QByteArray("........"
                                         ".RRR.x.."),
                              kPatience);
  }

  void colorsGoAndComeWithTheSetting() {
    w_->begin("Type run(x)\n");
    QTRY_COMPARE_WITH_TIMEOUT(tinted(), QByteArray("TTTT.RRR.x.."), kPatience);
    run("language.semanticColors");
    QTRY_COMPARE(tinted(), QByteArray("............"));
    run("language.semanticColors");
    QTRY_COMPARE_WITH_TIMEOUT(tinted(), QByteArray("TTTT.RRR.x.."), kPatience);
  }

  // Only what is in sight is drawn, and what comes into sight.
  void aLongTextIsDrawnAsItIsSeen() {
    w_->begin("Type a\n" + QByteArray("b\n").repeated(2000) + "Type c\n");
    QTRY_COMPARE_WITH_TIMEOUT(tinted().left(7), QByteArray("TTTT..."), kPatience);
    QVERIFY(!tinted().mid(100).contains('T'));
    WindowFixture::key(Qt::Key_End, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(tinted().endsWith("TTTT..."), kPatience);
  }

  void aWrongServerColorsNothing() {
    w_->begin("Type run(x)\n", "wrong");
    WindowFixture::type("b");
    test::rest();
    QVERIFY(!tinted().contains('T'));
  }

  void hintsStandBehindLinesWhileTheyAreWanted() {
    w_->begin("auto size = run(3);\nplain\nrun(b)\n");
    test::rest();
    QCOMPARE(notes(), QStringList());
    WindowFixture::key(Qt::Key_T, Qt::AltModifier | Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(notes(), QStringList({"0 size: int \u00b7 times: 3", "2 times: b"}),
                              kPatience);
    // They move with their lines.
    w_->editor()->goToLine(0, 0);
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(notes().value(1).left(2), "3 ");
    WindowFixture::key(Qt::Key_T, Qt::AltModifier | Qt::ShiftModifier);
    QTRY_COMPARE(notes(), QStringList());
  }

  void hintsArePainted() {
    w_->begin("run(b)\n");
    w_->editor()->setFocus();
    const QImage before = w_->editor()->viewport()->grab().toImage();
    WindowFixture::key(Qt::Key_T, Qt::AltModifier | Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(notes().size(), 1, kPatience);
    const QRect row = behindLine(0);
    QTRY_VERIFY(inked(w_->editor()->viewport()->grab().toImage(), row) > inked(before, row) + 20);
    // A ghost has the place behind the line for itself.
    w_->editor()->goToLine(0, 6);
    w_->editor()->ghost()->show(w_->editor()->caret(), "x");
    QVERIFY(inked(w_->editor()->viewport()->grab().toImage(), row.adjusted(60, 0, 0, 0)) <= 20);
  }

  void selectionsGrowByTheSyntax() {
    w_->begin("\u00e4 (one two) | three\n");
    w_->editor()->setSelection(5, 5);  // in "one"
    QStringList grown;
    QTRY_VERIFY_WITH_TIMEOUT(
        (w_->editor()->setSelection(5, 5), test::rest({w_->service()}),
         w_->editor()->perform("expand-selection"), w_->editor()->perform("expand-selection"),
         w_->editor()->selectedText() == "\u00e4 (one two) "),
        kPatience);
    QVERIFY(w_->editor()->perform("shrink-selection"));
    QCOMPARE(w_->editor()->selectedText(), QByteArray("one"));
    // Of a text that is another it knows nothing: brackets come first again.
    w_->editor()->setSelection(5, 5);
    WindowFixture::type("n");
    QVERIFY(w_->editor()->perform("expand-selection") && w_->editor()->perform("expand-selection"));
    QCOMPARE(w_->editor()->selectedText(), QByteArray("onne two"));
  }

  // -- Beside it

  void theOutlineFollowsTheText() {
    w_->begin("class Outer\ndef run\ndef other\nclass Last\n");
    WindowFixture::key(Qt::Key_U, Qt::AltModifier | Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(rowsOf("outlineTree"),
                              QStringList({"Outer", "  run", "  other", "Last"}), kPatience);
    auto* tree = w_->find<QTreeView>("outlineTree");
    QVERIFY(tree->hasFocus());
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(w_->editor()->hasFocus());
    QCOMPARE(w_->editor()->caretLine(),
             tree->currentIndex().data().toString().startsWith("run") ? 1 : 2);
    // The row of the caret is marked.
    w_->editor()->goToLine(3, 7);
    QTRY_VERIFY(tree->currentIndex().data().toString().startsWith("Last"));
    WindowFixture::key(Qt::Key_End);
    WindowFixture::key(Qt::Key_Return);
    WindowFixture::type("def more");
    QTRY_COMPARE_WITH_TIMEOUT(rowsOf("outlineTree"),
                              QStringList({"Outer", "  run", "  other", "Last", "  more"}),
                              kPatience);
    // Letters leave out what has them not, but for what is around it.
    auto* filter = w_->find<QLineEdit>("outlineFilter");
    filter->setFocus();
    WindowFixture::type("oth");
    QTRY_COMPARE(rowsOf("outlineTree"), QStringList({"Outer", "  other"}));
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(w_->editor()->hasFocus());
  }

  void usesAreListedByFile() {
    w_->write("b.cpp", "// b\nname();\n");
    w_->begin("name\nother\nname\n");
    w_->openFile("b.cpp");
    w_->openFile("a.cpp");
    w_->editor()->goToLine(0, 2);
    WindowFixture::key(Qt::Key_F12, Qt::AltModifier | Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(
        rowsOf("relationsTree"),
        QStringList({"a.cpp  (2)", "  1: name", "  3: name", "b.cpp  (1)", "  2: name();"}),
        kPatience);
    QCOMPARE(w_->status("relationsTitle"), "Uses of \u201cname\u201d: 3 places");
    QVERIFY(w_->find<QTreeView>("relationsTree")->hasFocus());
    for (int i = 0; i < 4; ++i) WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->document()->title(), "b.cpp");
    QCOMPARE(w_->editor()->caretLine(), 1);
    QVERIFY(w_->editor()->hasFocus());
  }

  void callsAreATree() {
    w_->begin("def low\n  x = 1\ndef mid\n  low(1)\ndef top\n  mid(2)\n");
    w_->editor()->goToLine(0, 5);
    WindowFixture::key(Qt::Key_H, Qt::AltModifier | Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(names("relationsTree"), QStringList({"low", "  mid"}), kPatience);
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Right);
    QTRY_COMPARE_WITH_TIMEOUT(names("relationsTree"), QStringList({"low", "  mid", "    top"}),
                              kPatience);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->editor()->caretLine(), 3);  // where it is called
    w_->editor()->goToLine(4, 5);
    run("go.callees");
    QTRY_COMPARE_WITH_TIMEOUT(names("relationsTree"), QStringList({"top", "  mid"}), kPatience);
    w_->document()->setFocus();
    w_->editor()->goToLine(1, 2);
    run("go.callers");
    QTRY_COMPARE(notice(), "There is no function at the caret.");
  }

  void typesAreATree() {
    w_->begin("class Base\nclass Middle from Base\nclass Leaf from Middle\n");
    w_->editor()->goToLine(1, 8);
    run("go.subtypes");
    QTRY_COMPARE_WITH_TIMEOUT(names("relationsTree"), QStringList({"Middle", "  Leaf"}), kPatience);
    w_->document()->setFocus();
    run("go.supertypes");
    QTRY_COMPARE_WITH_TIMEOUT(names("relationsTree"), QStringList({"Middle", "  Base"}), kPatience);
    auto* tree = w_->find<QTreeView>("relationsTree");
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Right);
    QTRY_COMPARE_WITH_TIMEOUT(rowsOf("relationsTree").last().trimmed(), "None is known.",
                              kPatience);
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(w_->editor()->hasFocus() && tree->isVisible());
  }

  // -- What a server does and asks

  void itsWorkIsSeenAndCancelled() {
    w_->begin("int a;\n");
    auto* work = w_->find<QToolButton>("languageWork");
    QVERIFY(!work->isVisible());
    ask("test/works");
    QTRY_VERIFY_WITH_TIMEOUT(work->isVisible(), kPatience);
    QCOMPARE(work->accessibleName(), "scripted: Indexing 3/7 42 %");
    QVERIFY(WindowFixture::click("languageWork"));
    QTRY_VERIFY_WITH_TIMEOUT(!work->isVisible(), kPatience);
    run("language.cancelWork");
    QTRY_COMPARE(notice(), "The language server does nothing that can be cancelled.");
  }

  void itsQuestionIsABanner_data() {
    QTest::addColumn<QString>("button");
    QTest::addColumn<QString>("answer");
    QTest::newRow("yes") << "languageChoice0"
                         << "Yes";
    QTest::newRow("no") << "languageChoice1"
                        << "No";
  }
  void itsQuestionIsABanner() {
    QFETCH(QString, button);
    QFETCH(QString, answer);
    w_->begin("int a;\n");
    ask("test/asks");
    QVERIFY(WindowFixture::click(qPrintable(button)));
    QTRY_COMPARE_WITH_TIMEOUT(answers().value(0), answer, kPatience);
    test::rest();
    QCOMPARE(answers().size(), 1);
  }

  void filesOnDiskAreToldWhereTheyAreWanted() {
    w_->write("sub/x.toml", "a = 1\n");
    w_->begin("int a;\n");
    ask("test/registers");
    const LanguageClient* client = w_->service()->clientOf(w_->document()->id());
    QTRY_VERIFY_WITH_TIMEOUT(client->watchesFiles(), kPatience);
    test::rest();  // its folder is watched
    w_->write("sub/x.toml", "a = 2\n");
    QTRY_VERIFY_WITH_TIMEOUT(toldFiles().contains("sub/x.toml 2"), kPatience);
    w_->write("sub/other.txt", "x");
    w_->write("sub/new.cfg", "x");
    QTRY_VERIFY_WITH_TIMEOUT(toldFiles().contains("sub/new.cfg 1"), kPatience);
    QVERIFY(QFile::remove(w_->path("sub/new.cfg")));
    QTRY_VERIFY_WITH_TIMEOUT(toldFiles().contains("sub/new.cfg 3"), kPatience);
    for (const QString& one : toldFiles()) QVERIFY(!one.contains("other.txt"));
  }

  void clangdTellsCallsAndColors() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    w_->useInstalledLanguageServers();
    w_->openProjectWith("a.cpp", "int low(int n) { return n; }\nint top() { return low(1); }\n");
    w_->agree();
    QTRY_VERIFY_WITH_TIMEOUT(TextTints::colorAt(*w_->editor(), 4) >= 0, kPatience);
    QVERIFY(TextTints::colorAt(*w_->editor(), 4) != TextTints::colorAt(*w_->editor(), 12));
    run("language.inlayHints");
    QTRY_VERIFY_WITH_TIMEOUT(notes().contains("1 n: 1"), kPatience);
    w_->editor()->goToLine(0, 5);
    run("go.callers");
    QTRY_COMPARE_WITH_TIMEOUT(names("relationsTree"), QStringList({"low", "  top"}), kPatience);
  }

 private:
  void run(const char* command) { QVERIFY(w_->parts().commands->run(QLatin1String(command))); }
  QString notice() {
    const Banner* banner = w_->parts().notices->find("languageGuide");
    return banner ? banner->text() : QString();
  }
  // For each byte the letter of its color: T as the type has, R as the function, x as the
  // parameter, "." for none.
  QByteArray tinted() {
    const editor::CodeEditor* editor = w_->editor();
    QByteArray drawn;
    QHash<long, char> letters;
    for (qint64 at = 0; at < editor->length(); ++at) {
      const long color = TextTints::colorAt(*editor, at);
      if (color >= 0 && !letters.contains(color)) {
        const QByteArray here = editor->textRange(at, at + 1);
        letters.insert(color, here == "r" ? 'R' : here[0]);
      }
      drawn += color < 0 ? '.' : letters[color];
    }
    return drawn;
  }
  // "line text" of each.
  QStringList notes() {
    QStringList notes;
    for (const editor::LineNote& one : w_->editor()->lineNotes()->notes())
      notes.append(QStringLiteral("%1 %2").arg(w_->editor()->lineAt(one.at)).arg(one.text));
    return notes;
  }
  QRect behindLine(int line) {
    const editor::CodeEditor* editor = w_->editor();
    const auto end = static_cast<long>(editor->lineEnd(line));
    const int x = static_cast<int>(editor->sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, end));
    const int y = static_cast<int>(editor->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, end));
    return {x + 10, y, 160, static_cast<int>(editor->sci(QsciScintillaBase::SCI_TEXTHEIGHT, 0))};
  }
  // The number of pixels there that are unlike the last one of the row.
  static int inked(const QImage& image, const QRect& rect) {
    const double ratio = image.devicePixelRatio();
    const QRect pixels = QRect(rect.topLeft() * ratio, rect.size() * ratio) & image.rect();
    const QRgb ground = image.pixel(pixels.right(), pixels.top() + 1);
    int inked = 0;
    for (int y = pixels.top(); y <= pixels.bottom(); ++y)
      for (int x = pixels.left(); x <= pixels.right(); ++x) inked += image.pixel(x, y) != ground;
    return inked;
  }
  // The rows that are open, two blanks a level.
  QStringList rowsOf(const char* name) {
    auto* tree = w_->find<QTreeView>(name);
    QStringList rows;
    for (QModelIndex at = tree->model()->index(0, 0); at.isValid(); at = tree->indexBelow(at)) {
      int depth = 0;
      for (QModelIndex up = at.parent(); up.isValid(); up = up.parent()) ++depth;
      const QString text = at.data().toString();
      rows.append(QString(2 * depth, ' ') +
                  (QLatin1String(name) == "outlineTree" ? text.section("  ", 0, 0) : text));
    }
    return rows;
  }
  QStringList names(const char* tree) {
    QStringList names;
    for (const QString& row : rowsOf(tree)) {
      const qsizetype blanks = row.size() - row.trimmed().size();
      names.append(row.left(blanks) + row.trimmed().section(' ', 0, 0));
    }
    return names;
  }
  QJsonValue ask(const QString& method) {
    std::optional<QJsonValue> result;
    LanguageClient* client = w_->service()->clientOf(w_->document()->id());
    client->ask(method, w_->document()->id(), {},
                [&](const workbench::LanguageAnswer& answer) { result = answer.result; });
    (void)QTest::qWaitFor([&] { return result.has_value(); }, kPatience);
    return result.value_or(QJsonValue());
  }
  // The titles that the server's question was answered with.
  QStringList answers() {
    QStringList answers;
    for (const QJsonValue one : ask("test/told").toArray())
      if (one[u"answer"] == QJsonValue("asked"))
        answers.append(one[u"result"][u"title"].toString());
    return answers;
  }
  QStringList toldFiles() {
    QStringList files;
    for (const QJsonValue one : ask("test/told").toArray()) {
      if (one[u"method"].toString() != "workspace/didChangeWatchedFiles") continue;
      for (const QJsonValue change : one[u"params"][u"changes"].toArray())
        files.append(workbench::pathOf(change[u"uri"].toString()).mid(w_->project().size() + 1) +
                     ' ' + QString::number(change[u"type"].toInt()));
    }
    return files;
  }

  std::unique_ptr<LanguageWindow> w_;
};

QTEST_MAIN(TestLanguagePanels)
#include "test_language_panels.moc"
