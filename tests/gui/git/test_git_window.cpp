// SPDX-License-Identifier: GPL-3.0-or-later
// The branch in the status bar and the states in the tree of the real window.
#include <QAccessible>
#include <QToolButton>
#include <QTreeView>

#include "gui/git/git_tools.h"
#include "gui/project/folder_model.h"
#include "gui/project/folder_tree.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/rest.h"
#include "tests/workbench/git/scratch_repository.h"

using namespace waferpair;
using namespace waferpair::gui;
using workbench::runGit;

class TestGitWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->write("a.txt", "one\n");
    w_->write("src/b.txt", "one\n");
    git({"init", "-q", "-b", "main"});
    git({"add", "-A"});
    git({"commit", "-q", "-m", "first"});
  }
  void cleanup() { w_.reset(); }

  void theBranchIsInTheStatusBar() {
    w_->openProject();
    QTRY_COMPARE(branch()->text(), QString("main"));
    QCOMPARE(branch()->accessibleName(), QString("Git: Branch main"));
    QVERIFY(branch()->isVisible());
    git({"switch", "-q", "-c", "topic"});
    git({"branch", "-q", "--set-upstream-to=main"});
    QTRY_COMPARE(branch()->accessibleName(), QString("Git: Branch topic, even with main"));
    git({"commit", "-q", "--allow-empty", "-m", "second"});
    QTRY_COMPARE(branch()->text(), QString("topic \u21911"));
    QCOMPARE(branch()->accessibleName(), QString("Git: Branch topic, 1 commit ahead of main"));
  }

  void withoutRepositoryNothingIsShown() {
    QVERIFY(QDir(w_->path(".git")).removeRecursively());
    w_->openProject();
    test::rest();
    QVERIFY(!branch()->isVisible());
    git({"init", "-q", "-b", "later"});
    QTRY_COMPARE(branch()->text(), QString("later"));
    QVERIFY(branch()->isVisible());
  }

  void aDamagedRepositoryIsTold() {
    w_->write(".git/HEAD", "nothing that git knows");
    w_->openProject();
    QTRY_COMPARE(branch()->text(), QString("git: problem"));
    QVERIFY2(branch()->toolTip().contains(".git"), qPrintable(branch()->toolTip()));
  }

  void statesFollowWhatIsTypedAndSaved() {
    w_->openProject();
    w_->openFile("src/b.txt");
    QTRY_COMPARE(spoken("src/b.txt"), QString("b.txt"));
    WindowFixture::type("x");
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QTRY_COMPARE(spoken("src/b.txt"), QString("b.txt, modified"));
    QCOMPARE(mark("src/b.txt"), QString("M"));
    QCOMPARE(spoken("src"), QString("src, with changes"));
    QCOMPARE(spoken("a.txt"), QString("a.txt"));
    w_->write("new.txt", "x");
    QTRY_COMPARE(spoken("new.txt"), QString("new.txt, untracked"));
    QCOMPARE(mark("new.txt"), QString("?"));
    git({"add", "-A"});
    QTRY_COMPARE(spoken("new.txt"), QString("new.txt, added"));
    git({"commit", "-q", "-m", "second"});
    QTRY_COMPARE(spoken("src"), QString("src"));
    QCOMPARE(mark("new.txt"), QString());
  }

  void lettersAreThePixelsAtTheEndOfARow() {
    w_->openProject();
    QTRY_VERIFY(index("a.txt").isValid());
    QTRY_COMPARE(branch()->text(), QString("main"));
    QTreeView* view = w_->parts().tree->view();
    const auto end = [&] {
      QRect row = view->visualRect(index("a.txt"));
      row.setLeft(row.right() - 20);
      return view->viewport()->grab(row).toImage();
    };
    const QImage before = end();
    w_->write("a.txt", "two\n");
    QTRY_COMPARE(mark("a.txt"), QString("M"));
    QVERIFY(end() != before);
  }

 private:
  void git(const QStringList& arguments) const { runGit(w_->project(), arguments); }
  QToolButton* branch() { return w_->find<QToolButton>("branch"); }
  QModelIndex index(const char* relative) {
    const QString folder = QDir(w_->project()).canonicalPath();
    return w_->parts().tree->model()->indexOf(folder + u'/' + QLatin1String(relative));
  }
  QString spoken(const char* relative) {
    return index(relative).data(Qt::AccessibleTextRole).toString();
  }
  QString mark(const char* relative) {
    return index(relative).data(FolderModel::kMarkRole).toString();
  }

  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestGitWindow)
#include "test_git_window.moc"
