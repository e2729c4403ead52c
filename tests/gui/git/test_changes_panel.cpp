// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of changes in the real window, by keys: staging files and lines, commits, discards,
// and what goes to a remote and comes from it.
#include <QCheckBox>
#include <QDockWidget>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>

#include "gui/documents/comparison.h"
#include "gui/git/changes_panel.h"
#include "gui/git/diff_view.h"
#include "gui/git/git_tools.h"
#include "gui/kit/banner.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/workbench/git/scratch_repository.h"

using namespace waferpair;
using namespace waferpair::gui;
using workbench::runGit;

namespace {

class TestChangesPanel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { workbench::useTestersGit(); }
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->write("a.txt", "one\ntwo\nthree\n");
    w_->write("b.txt", "one\n");
    git({"init", "-q", "-b", "main"});
    git({"add", "-A"});
    git({"commit", "-q", "-m", "first"});
  }
  void cleanup() { w_.reset(); }

  void filesAreStagedByKey() {
    open({{"a.txt", "ONE\ntwo\nthree\n"}, {"new.txt", "x\n"}});
    QCOMPARE(rows(), (QStringList{"Not staged  (2)", "M  a.txt", "?  new.txt"}));
    WindowFixture::key(Qt::Key_Space);
    QTRY_COMPARE(rows(), (QStringList{"Staged  (1)", "M  a.txt", "Not staged  (1)", "?  new.txt"}));
    QCOMPARE(git({"status", "--porcelain"}), QByteArray("M  a.txt\n?? new.txt\n"));
    // Keys go on with the next file.
    QTRY_COMPARE(current(), QString("?  new.txt"));
    WindowFixture::key(Qt::Key_Space);
    QTRY_COMPARE(rows(), (QStringList{"Staged  (2)", "M  a.txt", "A  new.txt"}));
    WindowFixture::key(Qt::Key_Space);
    QTRY_COMPARE(rows(), (QStringList{"Staged  (1)", "M  a.txt", "Not staged  (1)", "?  new.txt"}));
  }

  // Whoever opens the panel and types writes the message, and changes nothing.
  void typingIsTheMessage() {
    w_->write("a.txt", "ONE\ntwo\nthree\n");
    w_->write("new.txt", "x\n");
    w_->openProject();
    QTRY_VERIFY(w_->parts().git->watch()->status());
    const QByteArray before = git({"status", "--porcelain"});
    WindowFixture::key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(w_->find<QPlainTextEdit>("commitMessage")->hasFocus());
    WindowFixture::type("fix a bug ");
    QCOMPARE(message(), QString("fix a bug "));
    WindowFixture::key(Qt::Key_Delete);
    WindowFixture::key(Qt::Key_Return);
    QVERIFY(!w_->parts().git->jobs()->isRunning());
    QCOMPARE(git({"status", "--porcelain"}), before);
    // In the list words look for a file.
    WindowFixture::key(Qt::Key_Down);
    QTRY_VERIFY(tree()->hasFocus());
    WindowFixture::type("fix a bug ");
    QVERIFY(!w_->parts().git->jobs()->isRunning());
    QCOMPARE(git({"status", "--porcelain"}), before);
    // And a blank alone stages, once one has gone somewhere.
    WindowFixture::key(Qt::Key_Home);
    WindowFixture::key(Qt::Key_Space);
    QTRY_COMPARE(git({"status", "--porcelain"}), QByteArray("M  a.txt\nA  new.txt\n"));
  }

  // Commands act on the repository, whatever was shown of it.
  void allIsStagedWithoutThePanel() {
    w_->write("a.txt", "ONE\ntwo\nthree\n");
    w_->write("n.txt", "x\n");
    w_->openProject();
    // Not even its state is known yet.
    WindowFixture::trigger(w_->window(), "git.stageAll");
    QTRY_COMPARE(git({"status", "--porcelain"}), QByteArray("M  a.txt\nA  n.txt\n"));
    QVERIFY(!w_->parts().git->dock()->isVisible());
    QTRY_COMPARE(w_->parts().git->watch()->status()->staged.size(), 2);
    WindowFixture::trigger(w_->window(), "git.unstageAll");
    QTRY_COMPARE(git({"status", "--porcelain"}), QByteArray(" M a.txt\n?? n.txt\n"));
    QTRY_COMPARE(w_->parts().git->watch()->status()->staged.size(), 0);
    WindowFixture::trigger(w_->window(), "git.unstageAll");
    QTRY_COMPARE(notice("gitNote"), QString("Nothing is staged."));
  }

  // Git runs what a repository names, so it is asked about first; then it goes on by itself.
  void whatWritesWantsATrustedFolder() {
    w_->trustNothing();
    open({{"a.txt", "ONE\ntwo\nthree\n"}});
    WindowFixture::key(Qt::Key_Space);
    QTRY_VERIFY(w_->parts().notices->find("gitTrust"));
    QVERIFY(!w_->parts().git->jobs()->isRunning());
    QCOMPARE(git({"status", "--porcelain"}), QByteArray(" M a.txt\n"));
    QVERIFY(WindowFixture::click("gitTrustFolder"));
    QTRY_COMPARE(git({"status", "--porcelain"}), QByteArray("M  a.txt\n"));
    QTRY_COMPARE(w_->parts().git->watch()->status()->staged.size(), 1);
    WindowFixture::trigger(w_->window(), "git.unstageAll");
    QTRY_COMPARE(git({"status", "--porcelain"}), QByteArray(" M a.txt\n"));
  }

  // A name is bytes. One that is no UTF-8 is staged, discarded and put back like any other.
  void aNameThatIsNoUtf8IsStaged() {
    const QByteArray name = QFile::encodeName(w_->project()) + "/caf\xe9.txt";
    FILE* file = std::fopen(name.constData(), "w");
    QVERIFY(file);
    std::fputs("x\n", file);
    std::fclose(file);
    open({{"a.txt", "ONE\n"}});
    QCOMPARE(rows(), (QStringList{"Not staged  (2)", "M  a.txt", "?  caf\\xe9.txt"}));
    WindowFixture::trigger(w_->window(), "git.stageAll");
    QTRY_COMPARE(git({"status", "--porcelain"}), QByteArray("M  a.txt\nA  \"caf\\351.txt\"\n"));
    QCOMPARE(std::remove(name.constData()), 0);
  }

  void aHeadingMeansAll() {
    open({{"a.txt", "ONE\ntwo\nthree\n"}, {"new.txt", "x\n"}});
    WindowFixture::key(Qt::Key_Up);
    WindowFixture::key(Qt::Key_Space);
    QTRY_COMPARE(rows(), (QStringList{"Staged  (2)", "M  a.txt", "A  new.txt"}));
  }

  // What is being written outlives the window, for each repository by itself.
  void theMessageIsKept() {
    open({{"a.txt", "ONE\ntwo\nthree\n"}});
    chordMessage();
    WindowFixture::type("half a mess");
    QVERIFY(w_->close());
    w_->openProject();
    QTRY_COMPARE(message(), QString("half a mess"));
    // After a crash, too, once it had a moment to be written.
    chordMessage();
    QTRY_VERIFY(w_->find<QPlainTextEdit>("commitMessage")->hasFocus());
    WindowFixture::key(Qt::Key_End, Qt::ControlModifier);
    WindowFixture::type("age");
    const auto kept = [this] {
      QFile file(w_->state() + "/commit-messages.json");
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QTRY_VERIFY(kept().contains("half a message"));
    w_->drop();
    // Another repository has its own.
    const QTemporaryDir other;
    runGit(other.path(), {"init", "-q", "-b", "main"});
    w_->open({other.path()});
    QTRY_VERIFY(w_->parts().git->watch()->status());
    QTRY_COMPARE(message(), QString());
    QVERIFY(w_->close());
    w_->openProject();
    QTRY_COMPARE(message(), QString("half a message"));
    // A commit takes it away.
    QTRY_VERIFY(w_->find<QAbstractButton>("changesCommit")->isEnabled());
    chordMessage();
    QTRY_VERIFY(w_->find<QPlainTextEdit>("commitMessage")->hasFocus());
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(git({"log", "-1", "--format=%s"}), QByteArray("half a message\n"));
    QTRY_COMPARE(message(), QString());
    QVERIFY(w_->close());
    w_->openProject();
    QTRY_VERIFY(w_->parts().git->watch()->status());
    QCOMPARE(message(), QString());
  }

  void linesAreStagedByKey() {
    open({{"a.txt", "ONE\ntwo\nTHREE\n"}});
    QTRY_COMPARE(diffText(), QByteArray("@@ line 1 @@\none\nONE\ntwo\nthree\nTHREE"));
    WindowFixture::key(Qt::Key_Return);
    auto* text = panel()->diff()->text();
    QTRY_VERIFY(text->hasFocus());
    text->setSelection(text->lineStart(4), text->lineEnd(5));
    WindowFixture::key(Qt::Key_Space);
    QTRY_COMPARE(git({"cat-file", "-p", ":a.txt"}), QByteArray("one\ntwo\nTHREE\n"));
    QTRY_COMPARE(rows(), (QStringList{"Staged  (1)", "M  a.txt", "Not staged  (1)", "M  a.txt"}));
    QTRY_COMPARE(diffText(), QByteArray("@@ line 1 @@\none\nONE\ntwo\nTHREE"));
    // A heading means its whole change.
    text->setSelection(0, 0);
    WindowFixture::key(Qt::Key_Space);
    QTRY_COMPARE(git({"cat-file", "-p", ":a.txt"}), QByteArray("ONE\ntwo\nTHREE\n"));
  }

  void aCommitIsMade() {
    open({{"a.txt", "ONE\ntwo\nthree\n"}, {"b.txt", "two\n"}});
    WindowFixture::key(Qt::Key_Space);
    QTRY_COMPARE(rows().size(), 4);
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_G, Qt::ControlModifier);
    WindowFixture::type("second, with a.txt");
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(git({"log", "-1", "--format=%s"}), QByteArray("second, with a.txt\n"));
    QTRY_COMPARE(panel()->message(), QString());
    QTRY_COMPARE(rows(), (QStringList{"Not staged  (1)", "M  b.txt"}));
    // With nothing staged all is committed, and the button says so.
    auto* button = w_->find<QPushButton>("changesCommit");
    QCOMPARE(button->text(), QString("Stage All and &Commit"));
    QVERIFY(!button->isEnabled());
    WindowFixture::type("third");
    QTRY_VERIFY(button->isEnabled());
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(git({"log", "-1", "--format=%s"}), QByteArray("third\n"));
    QTRY_COMPARE(rows(), QStringList());
    QCOMPARE(w_->find<QLabel>("changesNote")->text(),
             QString("Nothing has changed since the last commit."));
  }

  void aHookThatRefusesIsToldAndTheMessageStays() {
    w_->write(".git/hooks/commit-msg", "#!/bin/sh\necho 'name the issue' >&2\nexit 1\n");
    QVERIFY(QFile::setPermissions(w_->path(".git/hooks/commit-msg"), QFile::Permissions(0x7755)));
    open({{"a.txt", "ONE\n"}});
    panel()->enterMessage();
    WindowFixture::type("second");
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(notice("gitProblem"), QString("git commit: name the issue"));
    QCOMPARE(panel()->message(), QString("second"));
    QCOMPARE(git({"rev-list", "--count", "HEAD"}), QByteArray("1\n"));
  }

  void amendingBringsTheLastMessage() {
    open({{"a.txt", "ONE\n"}});
    WindowFixture::key(Qt::Key_Space);
    QTRY_COMPARE(rows().value(0), QString("Staged  (1)"));
    auto* amend = w_->find<QCheckBox>("commitAmend");
    amend->setFocus();
    WindowFixture::key(Qt::Key_Space);
    QTRY_COMPARE(panel()->message(), QString("first"));
    panel()->enterMessage();
    WindowFixture::key(Qt::Key_End);
    WindowFixture::type(" and more");
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(git({"log", "--format=%s"}), QByteArray("first and more\n"));
    QTRY_VERIFY(!amend->isChecked());
  }

  void discardsArePutBack() {
    open({{"a.txt", "mine\n"}});
    WindowFixture::key(Qt::Key_Delete);
    QTRY_COMPARE(w_->read("a.txt"), QByteArray("one\ntwo\nthree\n"));
    QTRY_VERIFY(w_->parts().notices->find("gitDiscarded"));
    QVERIFY(WindowFixture::click("gitUndoDiscard"));
    QTRY_COMPARE(w_->read("a.txt"), QByteArray("mine\n"));
    QTRY_COMPARE(rows(), (QStringList{"Not staged  (1)", "M  a.txt"}));
  }

  void aFileIsComparedWithCommits() {
    git({"tag", "v1"});
    w_->write("a.txt", "ONE\ntwo\nthree\n");
    git({"commit", "-q", "-a", "-m", "second"});
    w_->openProject();
    w_->openFile("a.txt");
    WindowFixture::type("x");
    WindowFixture::trigger(w_->window(), "git.compareHead");
    QTRY_VERIFY(Comparison::of(w_->document()));
    QCOMPARE(Comparison::of(w_->document())->with().title, QString("a.txt in the last commit"));
    QCOMPARE(Comparison::of(w_->document())->with().text.toByteArray(),
             QByteArray("ONE\ntwo\nthree\n"));
    WindowFixture::trigger(w_->window(), "git.compareIndex");
    QTRY_COMPARE(Comparison::of(w_->document())->with().title, QString("a.txt in the index"));
    QCOMPARE(Comparison::of(w_->document())->with().text.toByteArray(),
             QByteArray("ONE\ntwo\nthree\n"));
    WindowFixture::trigger(w_->window(), "git.compareCommit");
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    WindowFixture::type("v1");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(Comparison::of(w_->document())->with().text.toByteArray(),
                 QByteArray("one\ntwo\nthree\n"));
    WindowFixture::trigger(w_->window(), "git.compareCommit");
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    WindowFixture::type("nothing");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(notice("gitNote").startsWith("There is no commit called nothing."),
                 qPrintable(notice("gitNote")));
  }

  void commitsArePushedAndPulled() {
    QTemporaryDir remote, other;
    runGit(remote.path(), {"init", "-q", "--bare", "-b", "main"});
    git({"remote", "add", "origin", remote.path()});
    w_->openProject();
    QTRY_COMPARE(branch(), QString("main"));
    WindowFixture::trigger(w_->window(), "git.push");
    QTRY_COMPARE(runGit(remote.path(), {"log", "--format=%s", "main"}, true),
                 QByteArray("first\n"));
    QTRY_COMPARE(w_->parts().git->watch()->status()->upstream, QString("origin/main"));
    runGit(other.path(), {"clone", "-q", remote.path(), "."});
    runGit(other.path(), {"commit", "-q", "--allow-empty", "-m", "theirs"});
    runGit(other.path(), {"push", "-q"});
    WindowFixture::trigger(w_->window(), "git.fetch");
    QTRY_COMPARE(branch(), QString("main \u21931"));
    WindowFixture::trigger(w_->window(), "git.pull");
    QTRY_COMPARE(git({"log", "-1", "--format=%s"}), QByteArray("theirs\n"));
    // What the other side refuses is told.
    runGit(other.path(), {"commit", "-q", "--allow-empty", "-m", "newer"});
    runGit(other.path(), {"push", "-q"});
    git({"commit", "-q", "--allow-empty", "-m", "mine"});
    QTRY_COMPARE(branch(), QString("main \u21911"));
    WindowFixture::trigger(w_->window(), "git.push");
    QTRY_VERIFY2(notice("gitProblem").contains("rejected"), qPrintable(notice("gitProblem")));
  }

  void pullingAsksToSaveFirst() {
    w_->openProject();
    QTRY_COMPARE(branch(), QString("main"));
    w_->openFile("a.txt");
    WindowFixture::type("x");
    WindowFixture::trigger(w_->window(), "git.pull");
    QTRY_VERIFY(w_->parts().notices->find("gitUnsaved"));
    QVERIFY(WindowFixture::click("gitSaveAll"));
    QTRY_COMPARE(w_->read("a.txt"), QByteArray("xone\ntwo\nthree\n"));
    QTRY_VERIFY(w_->parts().notices->find("gitProblem"));  // there is no upstream
  }

  void aSlowPushIsShownAndCancelled() {
    QTemporaryDir bin;
    QFile script(bin.filePath("git"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(
        "#!/bin/sh\ncase \" $* \" in *\" fetch \"*) ;; *) exit 1 ;; esac\n"
        "printf 'Receiving objects:  34%% (12/35)\\r' >&2; exec sleep 300\n");
    script.close();
    script.setPermissions(QFile::Permissions(0x7755));
    w_->openProject();
    QTRY_COMPARE(branch(), QString("main"));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", bin.path().toUtf8() + ':' + path);
    WindowFixture::trigger(w_->window(), "git.fetch");
    auto* job = w_->find<QToolButton>("gitJob");
    QTRY_COMPARE(job->text(), QString("Fetching 34 %"));
    QVERIFY(job->isVisible());
    QTest::mouseClick(job, Qt::LeftButton);
    QTRY_COMPARE(notice("gitProblem"), QString("git fetch was cancelled."));
    qputenv("PATH", path);
    QVERIFY(!job->isVisible());
  }

  void withoutRepositoryTheReasonIsSaid() {
    QVERIFY(QDir(w_->path(".git")).removeRecursively());
    w_->openProject();
    WindowFixture::key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(w_->find<QLabel>("changesNote")->text(),
                 QString("The open folder is in no git repository."));
    QCOMPARE(rows(), QStringList());
  }

 private:
  static void chordMessage() {
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_G, Qt::ControlModifier);
  }
  QString message() { return w_->find<QPlainTextEdit>("commitMessage")->toPlainText(); }
  QByteArray git(const QStringList& arguments) const { return runGit(w_->project(), arguments); }
  // The project with these files, and the panel with the keyboard at its first file.
  void open(const QVector<std::pair<const char*, QByteArray>>& files) {
    for (const auto& [path, bytes] : files) w_->write(path, bytes);
    w_->openProject();
    QTRY_VERIFY(w_->parts().git->watch()->status());
    WindowFixture::key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(w_->find<QPlainTextEdit>("commitMessage")->hasFocus());
    WindowFixture::key(Qt::Key_Down);
    QTRY_VERIFY(tree()->hasFocus());
    QTRY_VERIFY(tree()->currentIndex().isValid());
  }
  ChangesPanel* panel() { return w_->parts().git->panel(); }
  QTreeView* tree() { return w_->find<QTreeView>("changesTree"); }
  QByteArray diffText() {
    return panel()->diff()->text()->isVisible() ? panel()->diff()->text()->text() : QByteArray();
  }
  QString branch() { return w_->find<QToolButton>("branch")->text(); }
  QString current() { return tree()->currentIndex().data().toString(); }
  QStringList rows() {
    QStringList all;
    const auto* model = tree()->model();
    for (int i = 0; i < model->rowCount(); ++i) {
      const QModelIndex heading = model->index(i, 0);
      all.append(heading.data().toString());
      for (int k = 0; k < model->rowCount(heading); ++k)
        all.append(model->index(k, 0, heading).data().toString());
    }
    return all;
  }
  QString notice(const char* id) {
    const Banner* banner = w_->parts().notices->find(QLatin1String(id));
    return banner ? banner->text() : QString();
  }

  std::unique_ptr<WindowFixture> w_;
};

}  // namespace

QTEST_MAIN(TestChangesPanel)
#include "test_changes_panel.moc"
