// SPDX-License-Identifier: GPL-3.0-or-later
// The real window on repositories that somebody else made: whatever is looked at by keys, nothing
// that they name is run.
#include <QPlainTextEdit>

#include "editor/ghost/line_hint.h"
#include "editor/layers/margin_words.h"
#include "gui/documents/comparison.h"
#include "gui/git/changes_panel.h"
#include "gui/git/diff_view.h"
#include "gui/git/file_blame.h"
#include "gui/git/git_tools.h"
#include "gui/git/hunk_actions.h"
#include "gui/git/log_model.h"
#include "gui/git/log_panel.h"
#include "gui/kit/banner.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/workbench/git/hostile_repository.h"

using namespace waferpair;
using namespace waferpair::gui;
using workbench::HostileRepository;

namespace {

class TestHostileWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { workbench::useTestersGit(); }
  void lookingRunsNothing_data() {
    QTest::addColumn<bool>("isRead");
    // libgit2 reads no repository with an extension that it does not know.
    const QStringList unknown{"partial clone", "config.worktree"};
    for (const HostileRepository::Trap& trap : HostileRepository::traps())
      QTest::newRow(trap.name) << !unknown.contains(QLatin1String(trap.name));
  }
  void lookingRunsNothing() {
    QFETCH(bool, isRead);
    const QString trap = QString::fromUtf8(QTest::currentDataTag());
    HostileRepository r;
    r.set(trap);
    r.forgetMarks();
    WindowFixture w;
    w.open({r.folder(), r.path("a.txt")});
    GitTools* git = w.parts().git;
    QTRY_VERIFY(git->watch()->status() || !git->watch()->problem().what.isEmpty());
    QVERIFY2(!isRead || git->watch()->status(), qPrintable(git->watch()->problem().message()));
    const auto rest = [&] { QTRY_VERIFY(!git->jobs()->isRunning()); };
    const auto run = [&](const char* command) {
      w.parts().tabs->current()->setFocus();
      WindowFixture::trigger(w.window(), command);
      rest();
      WindowFixture::key(Qt::Key_Escape);
    };
    if (!git->watch()->status()) {
      for (const char* command : {"git.changes", "git.log", "git.blameLine", "git.stageAll"})
        run(command);
      QVERIFY(w.close());
      QCOMPARE(r.marks(), QByteArray());
      return;
    }
    w.editor()->goToLine(1);
    for (const char* command :
         {"git.nextChange", "git.peek", "git.compareHead", "git.compareIndex"})
      run(command);
    // Where git's objects are not all there, and where a program would have to convert the text,
    // the reason is told instead. What was asked before the caret came to rest is not told.
    const auto isTold = [&] {
      return w.find<editor::LineHint>("lineBlame") || w.parts().notices->find("gitNote");
    };
    QVERIFY(QTest::qWaitFor(
        [&] {
          if (!isTold()) WindowFixture::trigger(w.window(), "git.blameLine");
          rest();
          return isTold();
        },
        60'000));
    WindowFixture::trigger(w.window(), "git.blameFile");
    QTRY_VERIFY(editor::MarginWords::of(w.editor())->isShown() ||
                w.parts().notices->find("gitNote"));
    WindowFixture::trigger(w.window(), "git.lineCommit");
    rest();
    WindowFixture::key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(w.find<QPlainTextEdit>("commitMessage")->hasFocus());
    WindowFixture::key(Qt::Key_Down);
    QTRY_VERIFY(!w.find<QWidget>("diffNote")->isVisible() ||
                !w.find<QWidget>("diffTitle")->property("text").toString().isEmpty());
    for (const char* log : {"git.fileLog", "git.log"}) {
      w.parts().tabs->current()->setFocus();
      WindowFixture::trigger(w.window(), log);
      QTRY_VERIFY(git->log()->model()->total() >= 2);
      QTRY_VERIFY(!git->log()->model()->isReading());
      for (int row = 0; row < 3; ++row) {
        QTRY_VERIFY(!git->log()->text()->text().isEmpty());
        WindowFixture::key(Qt::Key_Down);
      }
    }
    for (const char* command : {"git.switch", "git.popStash", "git.dropStash", "git.merge",
                                "git.worktrees", "git.discarded", "git.deleteTag"})
      run(command);
    // What would run something wants the user's word first.
    w.parts().tabs->current()->setFocus();
    w.editor()->goToLine(3);
    for (const char* command : {"git.stageChange", "git.stageAll", "git.fetch", "git.pull"}) {
      w.parts().notices->remove("gitTrust");
      WindowFixture::trigger(w.window(), command);
      QTRY_VERIFY2(w.parts().notices->find("gitTrust") || w.parts().notices->find("gitNote"),
                   command);
      rest();
    }
    QVERIFY(w.close());
    QCOMPARE(r.marks(), QByteArray());
  }
};

}  // namespace

QTEST_MAIN(TestHostileWindow)
#include "test_hostile_window.moc"
