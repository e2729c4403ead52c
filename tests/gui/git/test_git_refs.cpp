// SPDX-License-Identifier: GPL-3.0-or-later
// Branches, tags, stashes, merges and the log in the real window, by keys.
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include "editor/widget/line_hint.h"
#include "gui/documents/merge_conflicts.h"
#include "gui/git/git_tools.h"
#include "gui/git/log_model.h"
#include "gui/git/log_panel.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/workbench/git/scratch_repository.h"

using namespace waferpair;
using namespace waferpair::gui;
using workbench::runGit;

namespace {

class TestGitRefs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    qputenv("GIT_CONFIG_GLOBAL", "/dev/null");
    qputenv("GIT_CONFIG_NOSYSTEM", "1");
    for (const char* who : {"AUTHOR", "COMMITTER"}) {
      qputenv(QByteArray("GIT_") + who + "_NAME", "A Tester");
      qputenv(QByteArray("GIT_") + who + "_EMAIL", "tester@example.org");
    }
  }
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

 private:
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
