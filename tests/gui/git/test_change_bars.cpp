// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of the text in the real window to what git has: marks, and what keys do about them.
#include <QLabel>
#include <QToolButton>

#include "editor/layers/line_states.h"
#include "editor/layers/scroll_marks.h"
#include "gui/git/change_bars.h"
#include "gui/git/git_tools.h"
#include "gui/git/hunk_peek.h"
#include "gui/kit/banner.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/rest.h"
#include "tests/workbench/git/scratch_repository.h"

using namespace waferpair;
using namespace waferpair::gui;
using workbench::runGit;
using Sci = QsciScintillaBase;

namespace {

constexpr char kCommitted[] = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";

class TestChangeBars : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->write("a.txt", kCommitted);
    git({"init", "-q", "-b", "main"});
    git({"add", "-A"});
    git({"commit", "-q", "-m", "first"});
    w_->openProject();
    w_->openFile("a.txt");
    QTRY_VERIFY(editor::LineStates::of(w_->editor())->isShown());
  }
  void cleanup() { w_.reset(); }

  void marksFollowWhatIsTyped() {
    QCOMPARE(marks(), QString("........."));
    w_->editor()->goToLine(1);
    WindowFixture::type("x");
    QTRY_COMPARE(marks(), QString(".c......."));
    WindowFixture::key(Qt::Key_End);
    WindowFixture::key(Qt::Key_Return);
    WindowFixture::type("new");
    w_->editor()->goToLine(5);
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(marks(), QString(".cc..r..."));
    w_->editor()->undo();
    w_->editor()->undo();
    w_->editor()->undo();
    w_->editor()->undo();
    QTRY_COMPARE(marks(), QString("........."));
  }

  void theIndexIsWhatTheyAreAgainst() {
    w_->editor()->goToLine(1);
    WindowFixture::type("x");
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QTRY_COMPARE(marks(), QString(".c......."));
    git({"add", "-A"});
    QTRY_COMPARE(marks(), QString(".C......."));
    git({"commit", "-q", "-m", "second"});
    QTRY_COMPARE(marks(), QString("........."));
  }

  void keysGoFromChangeToChange() {
    edit({{0, "1\n"}, {7, "8\n"}});
    QTRY_COMPARE(marks(), QString("c......c."));
    w_->editor()->goToLine(3);
    WindowFixture::key(Qt::Key_F7);
    QTRY_COMPARE(w_->editor()->caretLine(), 7);
    WindowFixture::key(Qt::Key_F7);
    QTRY_COMPARE(w_->editor()->caretLine(), 0);
    WindowFixture::key(Qt::Key_F7, Qt::ShiftModifier);
    QTRY_COMPARE(w_->editor()->caretLine(), 7);
  }

  void aPeekShowsHowItWas() {
    edit({{2, "3\n"}});
    QTRY_COMPARE(marks(), QString("..c......"));
    w_->editor()->goToLine(2);
    chord(Qt::Key_P);
    QTRY_VERIFY(peek() && peek()->isVisible());
    QCOMPARE(peek()->findChild<QLabel*>("hunkPeekTitle")->text(),
             QString("Change 1 of 1: 1 line changed"));
    QCOMPARE(oldText(), QByteArray("three"));
    // It goes on with the text, and closes with the change.
    WindowFixture::key(Qt::Key_End);
    WindowFixture::type("4");
    QTRY_COMPARE(marks(), QString("..c......"));
    QVERIFY(peek()->isVisible());
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(!peek()->isVisible());
    chord(Qt::Key_P);
    QTRY_VERIFY(peek()->isVisible());
    w_->editor()->undo();
    w_->editor()->undo();
    QTRY_VERIFY(!peek()->isVisible());
  }

  void aClickInTheMarginPeeks() {
    edit({{2, ""}});
    QTRY_COMPARE(marks(), QString("..r....."));
    int left = 0;
    for (unsigned long i = 0; i < 4; ++i)
      left += static_cast<int>(w_->editor()->sci(Sci::SCI_GETMARGINWIDTHN, i));
    const auto y = static_cast<int>(w_->editor()->sci(
        Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(w_->editor()->lineStart(2))));
    QTest::mouseClick(w_->editor()->viewport(), Qt::LeftButton, {}, QPoint(left + 2, y + 2));
    QTRY_VERIFY(peek() && peek()->isVisible());
    QCOMPARE(oldText(), QByteArray("three"));
    QVERIFY(WindowFixture::click("hunkPeekRevert"));
    QTRY_COMPARE(w_->editor()->text(), QByteArray(kCommitted));
    QTRY_VERIFY(!peek()->isVisible());
  }

  void aChangeIsTakenBackAsOneStep() {
    edit({{1, "2\nand more\n"}, {6, ""}});
    const QByteArray changed = w_->editor()->text();
    QTRY_COMPARE(marks(), QString(".cc....r."));
    w_->editor()->goToLine(1);
    chord(Qt::Key_Backspace);
    QTRY_COMPARE(marks(), QString("......r."));
    w_->editor()->undo();
    QCOMPARE(w_->editor()->text(), changed);
  }

  // What is typed and not compared yet is taken back, too, and what was staged meanwhile stays.
  void takingBackActsOnTheTextAndTheIndexOfThatMoment() {
    edit({{1, "2\n"}});
    QTRY_COMPARE(marks(), QString(".c......."));
    runGit(w_->project(),
           {"update-index", "--cacheinfo",
            "100644," + blob("one\nindexed\nthree\nfour\nfive\nsix\nseven\neight\n") + ",a.txt"});
    w_->editor()->setSelection(0, 0);
    WindowFixture::type("x");
    w_->editor()->goToLine(1);
    chord(Qt::Key_Backspace);
    QTRY_COMPARE(w_->editor()->lineText(1), QByteArray("indexed"));
    QCOMPARE(w_->editor()->lineText(0), QByteArray("one"));  // the neighbor is of the same change
  }

  void aChangeIsStagedAndUnstaged() {
    edit({{0, "1\n"}, {7, "8\n"}});
    QTRY_COMPARE(marks(), QString("c......c."));
    w_->editor()->goToLine(7);
    chord(Qt::Key_A);
    QTRY_COMPARE(marks(), QString("c......C."));
    QCOMPARE(git({"cat-file", "-p", ":a.txt"}),
             QByteArray("one\ntwo\nthree\nfour\nfive\nsix\nseven\n8\n"));
    // The text is not saved by that.
    QCOMPARE(w_->read("a.txt"), QByteArray(kCommitted));
    chord(Qt::Key_U);
    QTRY_COMPARE(marks(), QString("c......c."));
    QCOMPARE(git({"cat-file", "-p", ":a.txt"}), QByteArray(kCommitted));
  }

  void selectedLinesAreStaged() {
    edit({{2, "3\nx\ny\n"}});
    QTRY_COMPARE(marks(), QString("..ccc......"));
    auto* editor = w_->editor();
    editor->setSelection(editor->lineStart(2), editor->lineStart(4));
    chord(Qt::Key_A);
    QTRY_COMPARE(git({"cat-file", "-p", ":a.txt"}),
                 QByteArray("one\ntwo\n3\nx\nfour\nfive\nsix\nseven\neight\n"));
  }

  // Of a line that stands for none of the old ones nothing is staged but the line.
  void aSelectedLineDoesNotStageTheRemovalOfAnother() {
    const QByteArray before("line 1\nline 2\nline 3");
    reopen({}, before, "line 1\nline 2\nline 2.2\nline 3\n");
    w_->editor()->setSelection(w_->editor()->lineStart(2), w_->editor()->lineEnd(2));
    chord(Qt::Key_A);
    QTRY_COMPARE(git({"cat-file", "-p", ":a.txt"}), QByteArray("line 1\nline 2\nline 2.2\nline 3"));
    QCOMPARE(w_->editor()->text(), QByteArray("line 1\nline 2\nline 2.2\nline 3\n"));
  }

  // What one has on disk with CRLF and git with LF is the same text.
  void lineEndsAreNoChange_data() {
    QTest::addColumn<QByteArray>("attributes");
    QTest::addColumn<QString>("autoCrLf");
    QTest::addColumn<QByteArray>("end");
    QTest::newRow("text=auto") << QByteArray("* text=auto\n") << QString("false")
                               << QByteArray("\n");
    QTest::newRow("autocrlf") << QByteArray() << QString("true") << QByteArray("\n");
    QTest::newRow("input") << QByteArray() << QString("input") << QByteArray("\n");
    QTest::newRow("eol=crlf") << QByteArray("* text eol=crlf\n") << QString("false")
                              << QByteArray("\n");
    QTest::newRow("stored with CRLF") << QByteArray() << QString("false") << QByteArray("\r\n");
    QTest::newRow("-text, CRLF") << QByteArray("* -text\n") << QString("true")
                                 << QByteArray("\r\n");
  }
  void lineEndsAreNoChange() {
    QFETCH(QByteArray, attributes);
    QFETCH(QString, autoCrLf);
    QFETCH(QByteArray, end);
    const auto ended = [](const char* lf, const QByteArray& with) {
      return QByteArray(lf).replace("\n", with);
    };
    git({"config", "core.autocrlf", autoCrLf});
    const char* const before = "l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9\n";
    const char* const after = "l1\nCHANGED\nl3\nl4\nl5\nl6\nl7\nl8\nNINE\n";
    reopen(attributes, ended(before, end), ended(after, "\r\n"));
    QTRY_COMPARE(marks(), QString(".c......c."));
    w_->editor()->goToLine(8);
    chord(Qt::Key_A);
    QTRY_COMPARE(git({"cat-file", "-p", ":a.txt"}),
                 ended("l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nNINE\n", end));
    QTRY_COMPARE(marks(), QString(".c......C."));
    w_->editor()->goToLine(1);
    chord(Qt::Key_Backspace);
    QTRY_COMPARE(w_->editor()->text(), ended("l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nNINE\n", "\r\n"));
    w_->editor()->goToLine(8);
    chord(Qt::Key_U);
    QTRY_COMPARE(git({"cat-file", "-p", ":a.txt"}), ended(before, end));
    QTRY_COMPARE(marks(), QString("........c."));
    chord(Qt::Key_Backspace);
    QTRY_COMPARE(w_->editor()->text(), ended(before, "\r\n"));
  }

  void onlyLineEndsAreTold() {
    reopen({}, "one\r\ntwo\r\n", "one\ntwo\n");
    QTRY_COMPARE(marks(), QString("..."));
    WindowFixture::key(Qt::Key_F7);
    QTRY_VERIFY2(note().startsWith("Only line ends of a.txt"), qPrintable(note()));
  }

  // Lines of a text that mixes ends come back with those of the text.
  void mixedEndsStayWhereTheyAre() {
    reopen("* text=auto\n", "a\nb\nc\nd\n", "a\r\nB\r\nc\nd\r\n");
    QTRY_COMPARE(marks(), QString(".c..."));
    w_->editor()->goToLine(1);
    chord(Qt::Key_Backspace);
    QTRY_COMPARE(w_->editor()->text(), QByteArray("a\r\nb\r\nc\nd\r\n"));
    QTRY_COMPARE(marks(), QString("....."));
  }

  void whyThereIsNothingIsSaid() {
    WindowFixture::key(Qt::Key_F7);
    QTRY_COMPARE(note(), QString("a.txt is as git has it: there are no changes."));
    w_->write("new.txt", "x\n");
    w_->openFile("new.txt");
    WindowFixture::key(Qt::Key_F7);
    QTRY_COMPARE(note(), QString("Git does not track new.txt: add it first."));
    QVERIFY(!editor::LineStates::of(w_->editor())->isShown());
  }

  // A read that fails is not taken for a file that git does not have.
  void aRepositoryThatCannotBeReadIsTold() {
    const QString id = git({"rev-parse", ":a.txt"}).trimmed();
    edit({{1, "2\n"}});
    QTRY_COMPARE(marks(), QString(".c......."));
    w_->write("b.txt", "other\n");
    git({"add", "-A"});
    const QString other = git({"rev-parse", ":b.txt"}).trimmed();
    QVERIFY(QFile::remove(w_->path(".git/objects/" + other.left(2) + '/' + other.mid(2))));
    w_->openFile("b.txt");
    WindowFixture::key(Qt::Key_F7);
    QTRY_VERIFY2(note().startsWith("Git's version of b.txt can't be read."), qPrintable(note()));
  }

  void secondViewsHaveTheMarks() {
    edit({{1, "2\n"}});
    WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
    QTRY_VERIFY(w_->find<editor::CodeEditor>("secondView"));
    auto* view = w_->find<editor::CodeEditor>("secondView");
    QVERIFY(view->sci(Sci::SCI_GETMARGINWIDTHN, 4) > 0);
    QTRY_VERIFY((view->sci(Sci::SCI_MARKERGET, 1) & (0x3f << 4)) != 0);
    WindowFixture::type("x");
    QTRY_COMPARE(marks().left(1), QString("c"));
    QVERIFY((view->sci(Sci::SCI_MARKERGET, 0) & (0x3f << 4)) != 0);
  }

  void marksStandBesideTheScrollBar() {
    const auto strip = [&] { return w_->document()->scrollMarks()->grab().toImage(); };
    w_->editor()->goToLine(0);
    test::rest();
    const QImage before = strip();
    edit({{5, "6\n"}});
    QTRY_COMPARE(marks(), QString(".....c..."));
    QTRY_VERIFY(strip() != before);
  }

  void withoutGitTheMarksAreThereAndStagingSaysWhy() {
    const QByteArray path = qgetenv("PATH");
    edit({{1, "2\n"}});
    QTRY_COMPARE(marks(), QString(".c......."));
    w_->editor()->goToLine(1);
    qputenv("PATH", "/nowhere");
    chord(Qt::Key_A);
    QTRY_VERIFY(w_->parts().notices->find("gitProblem"));
    qputenv("PATH", path);
    QCOMPARE(w_->parts().notices->find("gitProblem")->text(),
             QString("Git is not installed, or not in PATH. Install the package \"git\"."));
    QCOMPARE(marks(), QString(".c......."));
  }

 private:
  QByteArray git(const QStringList& arguments) const { return runGit(w_->project(), arguments); }
  // Git has `stored` of a.txt, byte by byte, and the file is `now`.
  void reopen(const QByteArray& attributes, const QByteArray& stored, const QByteArray& now) {
    QVERIFY(w_->close());
    git({"update-index", "--cacheinfo", "100644," + blob(stored) + ",a.txt"});
    git({"commit", "-q", "-m", "as it is stored"});
    if (!attributes.isEmpty()) w_->write(".gitattributes", attributes);
    w_->write("a.txt", now);
    w_->openProject();
    w_->openFile("a.txt");
    QTRY_VERIFY(editor::LineStates::of(w_->editor())->isShown());
  }
  QString blob(const QByteArray& text) const {
    w_->write(".git/some-text", text);
    return git({"hash-object", "-w", "--no-filters", ".git/some-text"}).trimmed();
  }
  static void chord(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    WindowFixture::key(key, modifiers);
  }
  // Replaces lines of what was committed, each with its end.
  void edit(const QVector<std::pair<int, QByteArray>>& lines) {
    for (auto it = lines.crbegin(); it != lines.crend(); ++it) {
      auto* editor = w_->editor();
      editor->replaceRange(editor->lineStart(it->first), editor->lineStart(it->first + 1),
                           it->second);
    }
  }
  // A letter for each line: added, changed, removed above it; capital where it is staged.
  QString marks() {
    QString all;
    for (int line = 0; line < w_->editor()->lineCount(); ++line) {
      const long mask = w_->editor()->sci(Sci::SCI_MARKERGET, static_cast<unsigned long>(line));
      QChar mark('.');
      const char* letters = "ACRacr";
      for (int i = 0; i < 6; ++i)
        if ((mask & (1L << (4 + i))) != 0) mark = QLatin1Char(letters[i]);
      all += mark;
    }
    return all;
  }
  HunkPeek* peek() { return w_->find<HunkPeek>("hunkPeek"); }
  QByteArray oldText() { return peek()->findChild<editor::CodeEditor*>("hunkPeekText")->text(); }
  QString note() {
    const Banner* banner = w_->parts().notices->find("gitNote");
    return banner ? banner->text() : QString();
  }

  std::unique_ptr<WindowFixture> w_;
};

}  // namespace

QTEST_MAIN(TestChangeBars)
#include "test_change_bars.moc"
