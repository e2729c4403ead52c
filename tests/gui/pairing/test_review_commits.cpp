// SPDX-License-Identifier: GPL-3.0-or-later
// Reviews of a branch, a commit and a range, by real keys, in a real repository, with a model that
// a script plays.
#include <QJsonArray>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTreeView>

#include "editor/ghost/line_hint.h"
#include "gui/git/git_tools.h"
#include "gui/git/log_model.h"
#include "gui/git/log_panel.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/review_list.h"
#include "gui/pairing/review_panel.h"
#include "tests/gui/pairing/edit_desk.h"
#include "tests/workbench/git/scratch_repository.h"

namespace waferpair::gui {
namespace {

// main has kText; topic has two commits since, of which the second is what the editor shows.
struct CommitDesk : WindowFixture {
  CommitDesk() {
    write(QStringLiteral("a.cpp"), kText);
    git({"init", "-q", "-b", "main"});
    git({"add", "-A"});
    git({"commit", "-q", "-m", "first"});
    git({"switch", "-q", "-c", "topic"});
    write(QStringLiteral("b.txt"), "b\n");
    git({"add", "-A"});
    git({"commit", "-q", "-m", "b comes"});
    write(QStringLiteral("a.cpp"), changed());
    git({"commit", "-q", "-am", "second is three"});
  }
  QByteArray git(const QStringList& arguments) const {
    return workbench::runGit(project(), arguments);
  }
  static QByteArray changed() { return QByteArray(kText).replace("return 2", "return 3"); }
  // The window, once it knows the repository.
  void begin() {
    open({project()});
    openFile(QStringLiteral("a.cpp"));
    QTRY_VERIFY(parts().git->watch()->status());
    pairing::chooseScripted(parts().roster, server.base());
  }
  void run(const char* command) { trigger(window(), command); }
  QListView* rows() { return find<QListView>("pickerList"); }
  void answer(const QByteArray& text) {
    server.script({{said(text), pairing::chatFinish("stop")}});
  }
  ReviewPanel* panel() { return parts().pairDock->review(); }
  QString title() { return find<QLabel>("reviewTitle")->text(); }
  // The list that is open, as it is shown.
  QStringList offered() {
    QStringList all;
    for (int i = 0; i < rows()->model()->rowCount(); ++i)
      all += rows()->model()->index(i, 0).data().toString();
    return all;
  }
  QStringList remarks() {
    QStringList all;
    for (int i = 0; i < panel()->remarks()->count(); ++i)
      all += panel()->remarks()->item(i)->text();
    return all;
  }
  QString sent() const {
    const auto messages = server.requests().last().body.value(QStringLiteral("messages"));
    return messages.toArray().last().toObject().value(QStringLiteral("content")).toString();
  }
  QString note() {
    Banner* banner = parts().notices->find(QStringLiteral("gitNote"));
    return banner ? banner->text() : QString();
  }

  ScriptedEndpoint server;
};

}  // namespace

class TestReviewCommits : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { workbench::useTestersGit(); }

  void aBranchIsReviewedSinceTheOneThatItCameFrom() {
    CommitDesk desk;
    desk.git({"tag", "v1", "main"});
    desk.begin();
    desk.answer("a.cpp:6: It should be two.\na.cpp\n" + block("  return 3;\n", "  return 2;\n") +
                "\nb.txt:1: It is short.\n");
    desk.key(Qt::Key_M, Qt::ControlModifier);
    desk.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(desk.parts().picker->isVisible());
    QCOMPARE(desk.offered(), (QStringList{QStringLiteral("main"), QStringLiteral("v1")}));
    desk.key(Qt::Key_Return);
    QTRY_VERIFY(!desk.panel()->isRunning() && desk.remarks().size() == 2);
    QCOMPARE(desk.title(), QStringLiteral("Review of topic since main, 2 commits, 2 files"));
    QCOMPARE(desk.remarks(),
             (QStringList{QStringLiteral("a.cpp:6\nIt should be two. (with a change)"),
                          QStringLiteral("b.txt:1\nIt is short.")}));
    QVERIFY2(desk.sent().startsWith(
                 QStringLiteral("What topic changed since main:\n- second is three\n- b comes\n")),
             qPrintable(desk.sent()));
    QVERIFY2(desk.sent().contains(QStringLiteral("     6 +  return 3;")), qPrintable(desk.sent()));
    QVERIFY(!desk.panel()->stateText().contains(QStringLiteral("not committed")));
    // F8 and the list of changes are as ever.
    desk.document()->setFocus();
    desk.key(Qt::Key_F8);
    desk.key(Qt::Key_F8, Qt::ShiftModifier);
    QTRY_COMPARE(desk.editor()->caretLine(), 5);
    desk.panel()->changes()->tree()->setFocus();
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), QByteArray(kText));
  }

  // Of the commit's two remarks one is about lines that moved, the other about lines that changed.
  void remarksStandWhereTheirLinesAreByNow() {
    CommitDesk desk;
    const QByteArray now = "// new\n" + CommitDesk::changed().replace("return 1", "return 11");
    desk.write(QStringLiteral("a.cpp"), now);
    desk.begin();
    desk.answer("a.cpp:6: It should be two.\na.cpp\n" + block("  return 3;\n", "  return 2;\n") +
                "\na.cpp:2: It should be none.\na.cpp\n" + block("  return 1;\n", "  return 0;\n"));
    desk.run("review.branch");
    QTRY_VERIFY(desk.parts().picker->isVisible());
    desk.key(Qt::Key_Return);
    QTRY_VERIFY(!desk.panel()->isRunning() && desk.remarks().size() == 2);
    QCOMPARE(
        desk.remarks(),
        (QStringList{QStringLiteral("a.cpp:7\nIt should be two. (with a change)"),
                     QStringLiteral("a.cpp:2 as it was committed; that text has changed since"
                                    "\nIt should be none. (with a change, which is left out)")}));
    const QString state = desk.panel()->stateText();
    QVERIFY2(state.contains(QStringLiteral(
                 "No place in a.cpp: The text that the remark is about has changed since.")),
             qPrintable(state));
    QVERIFY2(state.contains(QStringLiteral("What is not committed was not looked at.")),
             qPrintable(state));
    QVector<int> hinted;
    for (auto* hint : desk.editor()->viewport()->findChildren<editor::LineHint*>())
      if (hint->objectName() == QStringLiteral("remarkHint") && hint->isOffered())
        hinted.append(hint->line());
    QCOMPARE(hinted, QVector<int>{6});
    // The place and what is remarked there are two lines.
    const auto* row = qobject_cast<QStyledItemDelegate*>(desk.panel()->remarks()->itemDelegate());
    QCOMPARE(row->displayText(desk.remarks()[0], QLocale()),
             QStringLiteral("a.cpp:7\u2028It should be two. (with a change)"));
    desk.panel()->changes()->tree()->setFocus();
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), QByteArray(now).replace("return 3", "return 2"));
  }

  void aCommitIsChosenFromTheLatest() {
    CommitDesk desk;
    desk.begin();
    desk.answer("No remarks.");
    desk.run("review.commit");
    QTRY_VERIFY(desk.parts().picker->isVisible());
    QCOMPARE(desk.offered().size(), 3);
    QVERIFY(desk.offered()[0].endsWith(QStringLiteral(" second is three")));
    WindowFixture::type(QStringLiteral("b comes"));
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.server.requests().size(), 1);
    const QString name = QString::fromLatin1(desk.git({"rev-parse", "HEAD~1"}).left(10));
    QTRY_COMPARE(desk.title(), QStringLiteral("Review of commit %1, “b comes”, 1 file").arg(name));
    QVERIFY(desk.sent().contains(QStringLiteral("diff of b.txt")));
    QVERIFY(!desk.sent().contains(QStringLiteral("diff of a.cpp")));
  }

  void aCommitIsReviewedFromTheLog() {
    CommitDesk desk;
    desk.begin();
    desk.answer("No remarks.");
    desk.run("git.log");
    auto* list = desk.find<QListView>("logList");
    QTRY_COMPARE(list->model()->rowCount(), 3);
    list->setCurrentIndex(list->model()->index(2, 0));
    QContextMenuEvent asked(QContextMenuEvent::Keyboard, QPoint());
    QCoreApplication::sendEvent(list, &asked);
    auto* menu = desk.find<QMenu>("logMenu");
    QVERIFY(menu);
    auto* action = menu->findChild<QAction*>(QStringLiteral("logReview"));
    QVERIFY(action);
    action->trigger();
    // There was nothing before the first commit.
    QTRY_COMPARE(desk.server.requests().size(), 1);
    QVERIFY(desk.title().contains(QStringLiteral("“first”")));
    QVERIFY2(desk.sent().contains(QStringLiteral("     1 +int first() {")),
             qPrintable(desk.sent()));
  }

  void aRangeIsTypedAndRemembered() {
    CommitDesk desk;
    desk.begin();
    desk.answer("No remarks.");
    desk.run("review.range");
    QTRY_VERIFY(desk.parts().prompt->isVisible());
    auto* field = desk.find<QLineEdit>("inputPromptField");
    QCOMPARE(field->text(), QStringLiteral("HEAD~1..HEAD"));
    field->selectAll();
    WindowFixture::type(QStringLiteral("--output=x..HEAD"));
    desk.key(Qt::Key_Return);
    QVERIFY(desk.parts().prompt->isVisible());
    QVERIFY(!desk.find<QLabel>("inputPromptComplaint")->text().isEmpty());
    field->selectAll();
    WindowFixture::type(QStringLiteral("main...topic"));
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.server.requests().size(), 1);
    QTRY_COMPARE(desk.title(), QStringLiteral("Review of main...topic, 2 commits, 2 files"));
    QVERIFY(!QFile::exists(desk.path(QStringLiteral("x"))));
    QTRY_VERIFY(!desk.panel()->isRunning());
    QVERIFY(desk.close());
    desk.begin();
    desk.run("review.range");
    QTRY_VERIFY(desk.parts().prompt->isVisible());
    QCOMPARE(desk.find<QLineEdit>("inputPromptField")->text(), QStringLiteral("main...topic"));
  }

  // The branch that was chosen is the first one the next time.
  void theBranchThatWasChosenIsRemembered() {
    CommitDesk desk;
    desk.git({"branch", "other", "main"});
    desk.begin();
    desk.answer("No remarks.");
    desk.run("review.branch");
    QTRY_VERIFY(desk.parts().picker->isVisible());
    QCOMPARE(desk.offered(), (QStringList{QStringLiteral("main"), QStringLiteral("other")}));
    WindowFixture::type(QStringLiteral("other"));
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.server.requests().size(), 1);
    QTRY_VERIFY(!desk.panel()->isRunning());
    QVERIFY(desk.close());
    desk.begin();
    desk.run("review.branch");
    QTRY_VERIFY(desk.parts().picker->isVisible());
    QCOMPARE(desk.offered(), (QStringList{QStringLiteral("other"), QStringLiteral("main")}));
  }

  void whatIsKeptFromTheModelIsLeftOutOfCommits() {
    CommitDesk desk;
    desk.write(QStringLiteral(".env"), "SECRET=1\n");
    desk.git({"add", "-f", ".env"});
    desk.git({"commit", "-q", "-m", "an environment"});
    desk.begin();
    desk.run("review.commit");
    QTRY_VERIFY(desk.parts().picker->isVisible());
    desk.key(Qt::Key_Return);
    QTRY_VERIFY2(desk.panel()->stateText().startsWith(
                     QStringLiteral("There is nothing to send. diff of .env: ")),
                 qPrintable(desk.panel()->stateText()));
    QVERIFY(desk.server.requests().isEmpty());
    desk.answer("No remarks.");
    desk.run("review.branch");
    QTRY_VERIFY(desk.parts().picker->isVisible());
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.server.requests().size(), 1);
    QVERIFY(!desk.sent().contains(QStringLiteral("SECRET")));
    QTRY_VERIFY(desk.panel()->stateText().contains(QStringLiteral("diff of .env: ")));
  }

  void whereThereIsNothingToReviewItIsTold() {
    CommitDesk desk;
    desk.git({"switch", "-q", "main"});
    desk.begin();
    desk.run("review.branch");
    QTRY_VERIFY(desk.parts().picker->isVisible());
    desk.key(Qt::Key_Return);
    QTRY_VERIFY2(desk.note().startsWith(
                     QStringLiteral("There are no commits here that topic does not have.")),
                 qPrintable(desk.note()));
    QVERIFY(desk.server.requests().isEmpty());
    WindowFixture fresh;
    fresh.write(QStringLiteral("a.txt"), "a\n");
    workbench::runGit(fresh.project(), {"init", "-q"});
    fresh.openProject();
    QTRY_VERIFY(fresh.parts().git->watch()->status());
    for (const char* command : {"review.branch", "review.commit", "review.range"}) {
      WindowFixture::trigger(fresh.window(), command);
      Banner* banner = fresh.parts().notices->find(QStringLiteral("gitNote"));
      QVERIFY(banner && banner->text().startsWith(QStringLiteral("There is no commit yet.")));
      fresh.parts().notices->remove(QStringLiteral("gitNote"));
    }
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestReviewCommits)
#include "test_review_commits.moc"
