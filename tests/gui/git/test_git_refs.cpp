// SPDX-License-Identifier: GPL-3.0-or-later
// Branches, tags, stashes, merges and the log in the real window, by keys.
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include "editor/ghost/line_hint.h"
#include "editor/layers/margin_words.h"
#include "gui/documents/merge_conflicts.h"
#include "gui/git/git_tools.h"
#include "gui/git/log_model.h"
#include "gui/git/log_panel.h"
#include "gui/kit/banner.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/project/workspace.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/workbench/git/scratch_repository.h"

using namespace waferpair;
using namespace waferpair::gui;
using workbench::runGit;

namespace {

class TestGitRefs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { workbench::useTestersGit(); }
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->write("a.txt", "one\ntwo\nthree\n");
    git({"init", "-q", "-b", "main"});
    git({"add", "-A"});
    git({"commit", "-q", "-m", "first"});
    git({"branch", "topic"});
  }
  void cleanup() { w_.reset(); }

  void aBranchIsSwitchedTo() {
    open();
    QTest::mouseClick(w_->find<QToolButton>("branch"), Qt::LeftButton);
    choose("topic");
    QTRY_COMPARE(branch(), QString("topic"));
    run("git.newBranch");
    WindowFixture::type("fresh");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(branch(), QString("fresh"));
  }

  void switchingAsksToSaveAndStashesWhatIsInTheWay() {
    git({"switch", "-q", "topic"});
    w_->write("a.txt", "ONE\ntwo\nthree\n");
    git({"commit", "-q", "-a", "-m", "on topic"});
    git({"switch", "-q", "main"});
    open();
    w_->openFile("a.txt");
    WindowFixture::type("mine");
    run("git.switch");
    choose("topic");
    QTRY_VERIFY(w_->parts().notices->find("gitUnsaved"));
    QCOMPARE(branch(), QString("main"));
    QVERIFY(WindowFixture::click("gitSaveAll"));
    QTRY_VERIFY2(notice("gitProblem").contains("would be overwritten"),
                 qPrintable(notice("gitProblem")));
    QCOMPARE(w_->read("a.txt"), QByteArray("mineone\ntwo\nthree\n"));
    QVERIFY(WindowFixture::click("gitStashAndSwitch"));
    QTRY_COMPARE(branch(), QString("topic"));
    QCOMPARE(w_->read("a.txt"), QByteArray("ONE\ntwo\nthree\n"));
    QCOMPARE(git({"show", "stash@{0}:a.txt"}), QByteArray("mineone\ntwo\nthree\n"));
  }

  void aDeletedBranchIsPutBack() {
    git({"switch", "-q", "topic"});
    git({"commit", "-q", "--allow-empty", "-m", "only here"});
    const QByteArray commit = git({"rev-parse", "HEAD"});
    git({"switch", "-q", "main"});
    open();
    run("git.deleteBranch");
    choose("topic");
    QTRY_VERIFY2(notice("gitDeleted").startsWith("The branch topic was deleted."),
                 qPrintable(notice("gitDeleted")));
    QCOMPARE(git({"branch", "--list", "topic"}), QByteArray());
    QVERIFY(WindowFixture::click("gitUndoDelete"));
    QTRY_COMPARE(runGit(w_->project(), {"rev-parse", "topic"}, true), commit);
  }

  void aBranchIsRenamed() {
    open();
    run("git.renameBranch");
    choose("topic");
    QTRY_VERIFY(w_->window().focusWidget());
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    WindowFixture::type("a b");
    WindowFixture::key(Qt::Key_Return);  // no such name
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    WindowFixture::type("other");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(git({"branch", "--format=%(refname:short)"}), QByteArray("main\nother\n"));
  }

  void tagsAreMadeDeletedAndPutBack() {
    open();
    run("git.newTag");
    WindowFixture::type("v1");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(git({"tag"}), QByteArray("v1\n"));
    run("git.deleteTag");
    choose("v1");
    QTRY_COMPARE(git({"tag"}), QByteArray());
    QTRY_VERIFY(w_->parts().notices->find("gitDeleted"));
    QVERIFY(WindowFixture::click("gitUndoDelete"));
    QTRY_COMPARE(git({"tag"}), QByteArray("v1\n"));
  }

  void changesAreStashedAndPutBack() {
    w_->write("a.txt", "mine\n");
    w_->write("new.txt", "new\n");
    open();
    run("git.stash");
    WindowFixture::type("for later");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->read("a.txt"), QByteArray("one\ntwo\nthree\n"));
    QTRY_VERIFY(!QFile::exists(w_->path("new.txt")));
    QTRY_VERIFY(!w_->parts().git->jobs()->isRunning());
    run("git.popStash");
    choose("for later");
    QTRY_COMPARE(w_->read("a.txt"), QByteArray("mine\n"));
    QTRY_COMPARE(w_->read("new.txt"), QByteArray("new\n"));
    // It stays among the stashes until it is dropped, and comes back from there, too.
    QTRY_VERIFY(w_->parts().notices->find("gitDeleted"));
    QVERIFY(WindowFixture::click("gitDropStash"));
    QTRY_COMPARE(git({"stash", "list"}), QByteArray());
    QTRY_VERIFY(notice("gitDeleted").contains("was dropped"));
    QVERIFY(WindowFixture::click("gitUndoDelete"));
    QTRY_VERIFY(git({"stash", "list"}).contains("for later"));
  }

  void aMergeWithConflictsIsResolvedAndContinued() {
    conflict();
    open();
    run("git.merge");
    choose("topic");
    QTRY_COMPARE(branch(), QString("main, merge under way"));
    WindowFixture::key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    auto* text = w_->find<QLabel>("operationText");
    QTRY_COMPARE(text->text(), QString("A merge is under way: 1 file in conflict."));
    QVERIFY(!w_->find<QPushButton>("gitContinue")->isEnabled());
    w_->openFile("a.txt");
    QTRY_COMPARE(MergeConflicts::of(w_->document())->conflicts().size(), 1);
    run("merge.allTheirs");
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(w_->read("a.txt"), QByteArray("topic\ntwo\nthree\n"));
    WindowFixture::key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Space);
    QTRY_VERIFY(w_->find<QPushButton>("gitContinue")->isEnabled());
    QVERIFY(WindowFixture::click("gitContinue"));
    QTRY_COMPARE(branch(), QString("main"));
    QCOMPARE(git({"log", "-1", "--format=%s"}), QByteArray("Merge branch 'topic'\n"));
    QTRY_VERIFY(!text->isVisible());
  }

  void anAbortedMergeKeepsWhatWasResolved() {
    conflict();
    runGit(w_->project(), {"merge", "-q", "topic"}, true);
    w_->write("a.txt", "resolved with care\n");
    open();
    QTRY_COMPARE(branch(), QString("main, merge under way"));
    run("git.abort");
    QTRY_COMPARE(branch(), QString("main"));
    QCOMPARE(w_->read("a.txt"), QByteArray("main\ntwo\nthree\n"));
    run("git.discarded");
    choose("a.txt");
    QTRY_COMPARE(w_->read("a.txt"), QByteArray("resolved with care\n"));
  }

  void theLogIsReadSearchedAndShown() {
    w_->write("b.txt", "b\n");
    git({"add", "-A"});
    git({"commit", "-q", "-m", "another file"});
    w_->write("a.txt", "ONE\ntwo\nthree\n");
    git({"commit", "-q", "-a", "-m", "louder"});
    open();
    chord(Qt::Key_H, Qt::ControlModifier);
    auto* log = w_->parts().git->log();
    QTRY_COMPARE(subjects(), (QStringList{"louder", "another file", "first"}));
    QTRY_VERIFY2(log->text()->text().contains("+ONE"), log->text()->text().constData());
    WindowFixture::key(Qt::Key_Down);
    QTRY_VERIFY(log->text()->text().contains("another file"));
    w_->find<QLineEdit>("logFilter")->setFocus();
    WindowFixture::type("tester FIRST");
    QTRY_COMPARE(subjects(), QStringList{"first"});
    // What comes later is looked through, too; without words all are there again.
    git({"commit", "-q", "--allow-empty", "-m", "first of others"});
    QTRY_COMPARE(subjects(), (QStringList{"first of others", "first"}));
    w_->find<QLineEdit>("logFilter")->setFocus();
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    WindowFixture::type("no such words");
    QTRY_COMPARE(subjects(), QStringList());
    QTRY_COMPARE(w_->find<QLabel>("logState")->text(), QString("0 of 4 commits"));
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_Delete);
    QTRY_COMPARE(subjects(), (QStringList{"first of others", "louder", "another file", "first"}));
    git({"reset", "-q", "--hard", "HEAD~1"});
    // The file's own.
    w_->openFile("a.txt");
    chord(Qt::Key_F, Qt::ControlModifier);
    QTRY_COMPARE(subjects(), (QStringList{"louder", "first"}));
    // What comes by a commit elsewhere is there, too.
    git({"commit", "-q", "--allow-empty", "-m", "not of this file"});
    w_->write("a.txt", "one\n");
    git({"commit", "-q", "-a", "-m", "shorter"});
    QTRY_COMPARE(subjects(), (QStringList{"shorter", "louder", "first"}));
  }

  void aCommitsMenuMakesABranchThere() {
    git({"commit", "-q", "--allow-empty", "-m", "second"});
    open();
    chord(Qt::Key_H, Qt::ControlModifier);
    QTRY_COMPARE(subjects(), (QStringList{"second", "first"}));
    WindowFixture::key(Qt::Key_Down);
    auto* list = w_->find<QListView>("logList");
    QContextMenuEvent menu(QContextMenuEvent::Keyboard, {}, {});
    QCoreApplication::sendEvent(list, &menu);
    QTRY_VERIFY(QApplication::activePopupWidget());
    auto* popup = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(popup);
    popup->findChild<QAction*>("logBranch")->trigger();
    popup->close();
    WindowFixture::type("back");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(branch(), QString("back"));
    QCOMPARE(git({"log", "-1", "--format=%s"}), QByteArray("first\n"));
  }

  void whoChangedTheLineIsSaid() {
    open();
    w_->openFile("a.txt");
    w_->editor()->goToLine(1);
    chord(Qt::Key_W, Qt::ControlModifier);
    QTRY_VERIFY(hint());
    QVERIFY2(hint()->text().startsWith("A Tester, "), qPrintable(hint()->text()));
    QVERIFY2(hint()->text().contains("first"), qPrintable(hint()->text()));
    // Of the text as it is: this line is new.
    WindowFixture::key(Qt::Key_End);
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(!hint());
    WindowFixture::type("x");
    chord(Qt::Key_W, Qt::ControlModifier);
    QTRY_VERIFY(hint());
    QCOMPARE(hint()->text(), QString("Not committed yet"));
  }

  // The column beside the text: the commit of each line, as the text is by now; a click opens it.
  void whoWroteTheLinesIsBesideThem() {
    w_->write("a.txt", "one\nTWO\nthree\n");
    git({"commit", "-q", "-a", "-m", "louder"});
    const QByteArray first = git({"rev-parse", "HEAD~1"}).trimmed();
    const QByteArray second = git({"rev-parse", "HEAD"}).trimmed();
    open();
    w_->openFile("a.txt");
    chord(Qt::Key_W, Qt::ShiftModifier);
    auto* column = editor::MarginWords::of(w_->editor());
    const auto commits = [&] {
      QStringList all;
      for (int line = 0; line < 3; ++line) all.append(column->words(line).section(u' ', 0, 0));
      return all;
    };
    const QString a = QString::fromLatin1(first.left(8)), b = QString::fromLatin1(second.left(8));
    QTRY_COMPARE(commits(), QStringList({a, b, a}));
    QVERIFY2(column->words(0).contains("A Tester"), qPrintable(column->words(0)));
    // Lines take it along, and a new one is not committed.
    w_->editor()->goToLine(0);
    WindowFixture::key(Qt::Key_Home);
    WindowFixture::type("new\n");
    QCOMPARE(column->words(2).section(u' ', 0, 0), b);
    QTRY_COMPARE(column->words(0), QString("not committed"));
    QTRY_COMPARE(column->words(1).section(u' ', 0, 0), a);
    // A click, and the key, open the commit in the log of the file.
    clickColumn(2);
    auto* log = w_->parts().git->log();
    QTRY_VERIFY2(log->text()->text().contains("+TWO"), log->text()->text().constData());
    QTRY_COMPARE(subjects(), (QStringList{"louder", "first"}));
    w_->document()->setFocus();
    w_->editor()->goToLine(1);
    chord(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY2(log->text()->text().contains("+three"), log->text()->text().constData());
    QCOMPARE(w_->find<QListView>("logList")->currentIndex().row(), 1);
    // A second view has it, too; hidden, it is gone from both.
    w_->document()->setFocus();
    WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
    QVERIFY(column->isShown());
    chord(Qt::Key_W, Qt::ShiftModifier);
    QTRY_VERIFY(!column->isShown());
    QCOMPARE(column->words(1), QString());
  }

  void whoWroteTheLinesNeedsAFileOfGit() {
    w_->write("new.txt", "x\n");
    open();
    w_->openFile("new.txt");
    chord(Qt::Key_W, Qt::ShiftModifier);
    QTRY_VERIFY2(notice("gitNote").contains("new.txt"), qPrintable(notice("gitNote")));
    QVERIFY(!editor::MarginWords::of(w_->editor())->isShown());
  }

  // A worktree by keys: made for a branch, opened, listed, and removed only while nothing is lost.
  void worktreesAreMadeOpenedAndRemoved() {
    const QTemporaryDir around;
    const QString place = QDir(around.path()).canonicalPath() + "/topic tree";
    const QString main = QDir(w_->project()).canonicalPath();
    open();
    run("git.newWorktree");
    choose("topic");
    QTRY_VERIFY(w_->parts().prompt->isVisible());
    // The place that is offered is free, and beside this one.
    QCOMPARE(w_->parts().prompt->findChild<QLineEdit*>()->text(), main + "-topic");
    w_->parts().prompt->findChild<QLineEdit*>()->selectAll();
    WindowFixture::type(place);
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(notice("gitNote").contains("topic tree"), qPrintable(notice("gitNote")));
    QVERIFY(WindowFixture::click("gitOpenWorktree"));
    QTRY_COMPARE(w_->parts().workspace->folder(), place);
    QTRY_COMPARE(branch(), QString("topic"));
    // Back to the other one by the list.
    chord(Qt::Key_K, Qt::ControlModifier);
    choose(main);
    QTRY_COMPARE(QDir(w_->parts().workspace->folder()).canonicalPath(), main);
    QTRY_COMPARE(branch(), QString("main"));
    QFile changed(place + "/a.txt");
    QVERIFY(changed.open(QIODevice::Append) && changed.write("mine\n") > 0);
    changed.close();
    run("git.removeWorktree");
    choose("topic");
    QTRY_VERIFY2(notice("gitProblem").contains("modified"), qPrintable(notice("gitProblem")));
    QVERIFY(QFile::exists(place + "/a.txt"));
    runGit(place, {"checkout", "-q", "a.txt"});
    run("git.removeWorktree");
    choose("topic");
    QTRY_VERIFY(!QFile::exists(place));
    QCOMPARE(git({"worktree", "list", "--porcelain"}).count("worktree "), 1);
  }

  // With a new branch, and a place that is taken.
  void aWorktreeMayHaveANewBranch() {
    const QTemporaryDir around;
    const QString place = QDir(around.path()).canonicalPath() + "/new";
    open();
    chord(Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(w_->parts().picker->isVisible());
    WindowFixture::key(Qt::Key_Return);  // the note's button: there is no other worktree
    choose("no such branch");            // likewise
    QTRY_VERIFY(w_->parts().prompt->isVisible());
    WindowFixture::type("feature/x");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(w_->parts().prompt->findChild<QLineEdit*>()->text().endsWith("-feature-x"));
    w_->parts().prompt->findChild<QLineEdit*>()->selectAll();
    WindowFixture::type(w_->project());
    WindowFixture::key(Qt::Key_Return);
    QVERIFY(w_->parts().prompt->isVisible());
    w_->parts().prompt->findChild<QLineEdit*>()->selectAll();
    WindowFixture::type(place);
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(QFile::exists(place + "/a.txt"));
    QCOMPARE(runGit(place, {"branch", "--show-current"}), QByteArray("feature/x\n"));
  }

 private:
  void clickColumn(int line) {
    using Sci = QsciScintillaBase;
    editor::CodeEditor* editor = w_->editor();
    int x = 0;
    for (unsigned long margin = 0; margin < 7; ++margin)
      x += static_cast<int>(editor->sci(Sci::SCI_GETMARGINWIDTHN, margin));
    const auto start = static_cast<long>(editor->lineStart(line));
    const int y = static_cast<int>(editor->sci(Sci::SCI_POINTYFROMPOSITION, 0, start));
    QTest::mouseClick(editor->viewport(), Qt::LeftButton, {}, {x + 20, y + 6});
  }
  QByteArray git(const QStringList& arguments) const { return runGit(w_->project(), arguments); }
  void open() {
    w_->openProject();
    QTRY_VERIFY(w_->parts().git->watch()->status());
  }
  void conflict() {
    for (const char* name : {"topic", "main"}) {
      git({"switch", "-q", name});
      w_->write("a.txt", QByteArray(name) + "\ntwo\nthree\n");
      git({"commit", "-q", "-a", "-m", name});
    }
  }
  void run(const char* command) { WindowFixture::trigger(w_->window(), command); }
  void choose(const QString& typed) {
    QTRY_VERIFY(w_->parts().picker->isVisible());
    WindowFixture::type(typed);
    WindowFixture::key(Qt::Key_Return);
  }
  static void chord(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    WindowFixture::key(key, modifiers);
  }
  QString branch() { return w_->find<QToolButton>("branch")->text(); }
  QString notice(const char* id) {
    const Banner* banner = w_->parts().notices->find(QLatin1String(id));
    return banner ? banner->text() : QString();
  }
  editor::LineHint* hint() { return w_->find<editor::LineHint>("lineBlame"); }
  QStringList subjects() {
    QStringList all;
    const LogModel* model = w_->parts().git->log()->model();
    for (int i = 0; i < model->rowCount(); ++i) all.append(model->row(i)->commit.subject);
    return all;
  }

  std::unique_ptr<WindowFixture> w_;
};

}  // namespace

QTEST_MAIN(TestGitRefs)
#include "test_git_refs.moc"
