// SPDX-License-Identifier: GPL-3.0-or-later
// Several folders in one window, by keys in the real window: each is a root of the tree, what is
// found is found in all of them, and a file has the git repository, the trust and the exclusions of
// its own folder.
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QToolButton>
#include <QTreeView>

#include "editor/assist/hunks.h"
#include "gui/client/model_gate.h"
#include "gui/debug/debug_runner.h"
#include "gui/git/file_actions.h"
#include "gui/git/git_tools.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "gui/kit/start_gate.h"
#include "gui/pairing/answer_blocks.h"
#include "gui/pairing/pair_dock.h"
#include "gui/project/file_index.h"
#include "gui/project/folder_model.h"
#include "gui/project/folder_names.h"
#include "gui/project/folder_tree.h"
#include "gui/project/workspace.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/trust_flow.h"
#include "gui/shell/window_set.h"
#include "gui/tasks/task_runner.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "gui/workbench/breadcrumbs.h"
#include "gui/workbench/language_tools.h"
#include "gui/workbench/search_panel.h"
#include "pairing/context/gather_context.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/rest.h"
#include "tests/workbench/git/scratch_repository.h"
#include "workbench/terminal/terminal_session.h"

using namespace waferpair;
using namespace waferpair::gui;
using workbench::runGit;

class TestFolders : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    other_ = std::make_unique<test::TemporaryFolder>();
    QVERIFY(QDir(other_->path()).mkdir("lib"));
    lib_ = QDir(other_->path() + "/lib").canonicalPath();
    app_ = QDir(w_->project()).canonicalPath();
    w_->write("a.txt", "one word\n");
    put("src/b.txt", "two words\n");
  }
  void cleanup() {
    w_.reset();
    other_.reset();
  }

  void foldersHaveNamesThatTellThemApart() {
    QCOMPARE(folderLabels({"/x/app", "/y/lib"}), (QStringList{"app", "lib"}));
    QCOMPARE(folderLabels({"/p/a/lib", "/p/b/lib", "/q/c"}), (QStringList{"a/lib", "b/lib", "c"}));
    QCOMPARE(folderLabels({"/p/a/lib", "/p/b/lib", "/q/a"}),
             (QStringList{"p/a/lib", "b/lib", "q/a"}));
    QCOMPARE(folderLabels({"/lib", "/p/lib"}), (QStringList{"/lib", "p/lib"}));
    QCOMPARE(folderLabels({"/"}), (QStringList{"/"}));
    QCOMPARE(placeIn({"/x/app", "/y/lib"}, "/y/lib/s/a.c"), QString("lib/s/a.c"));
    QCOMPARE(placeIn({"/x/app"}, "/x/app/s/a.c"), QString("s/a.c"));
    QCOMPARE(placeIn({"/x/app"}, "/x/apple/a.c"), QString("/x/apple/a.c"));
    QCOMPARE(folderAround({"/x/app", "/x/lib"}), QString("/x"));
    QCOMPARE(folderAround({"/x/app", "/x/apple"}), QString("/x"));
    QCOMPARE(folderAround({"/x/app", "/y"}), QString());
    QVERIFY(!isBelowFolder("/x", "/x") && isBelowFolder("/x", "/") && !isBelowFolder("/xy", "/x"));
  }

  // -- The tree and quick open

  void eachFolderIsARootOfTheTree() {
    w_->openProject();
    QTRY_VERIFY(index(app_ + "/a.txt").isValid());
    QTreeView* view = w_->parts().tree->view();
    QCOMPARE(view->rootIndex(), index(app_));
    add(lib_);
    QVERIFY(!view->rootIndex().isValid());
    QCOMPARE(roots(), (QStringList{QFileInfo(app_).fileName(), "lib"}));
    QVERIFY(view->isExpanded(index(lib_)) && view->isExpanded(index(app_)));
    QTRY_VERIFY(index(lib_ + "/src/b.txt").isValid());
    QCOMPARE(index(lib_).data(Qt::AccessibleTextRole).toString(), QString("lib"));
    QVERIFY(w_->window().windowTitle().contains(", lib"));
    // By keys: down to the file of the second folder.
    WindowFixture::trigger(w_->window(), "files.focus");
    view->setCurrentIndex(index(lib_ + "/src/b.txt"));
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->document()->path(), lib_ + "/src/b.txt");
    QCOMPARE(w_->parts().workspace->frontFolder(), lib_);
    QCOMPARE(Breadcrumbs::of(w_->document())->texts(), (QStringList{"lib", "src", "b.txt"}));
    // Taken out again, its text stays open, and the tree is as before.
    WindowFixture::trigger(w_->window(), "files.removeFolder");
    QCOMPARE(w_->parts().workspace->folders(), QStringList{app_});
    QVERIFY(w_->document() && w_->document()->path() == lib_ + "/src/b.txt");
    QVERIFY(QFile::exists(lib_ + "/src/b.txt"));
    QCOMPARE(view->rootIndex(), index(app_));
    QTRY_VERIFY(index(app_ + "/a.txt").isValid());
    QCOMPARE(w_->parts().workspace->frontFolder(), app_);
  }

  void aFolderOfTheWindowIsNeitherRenamedNorDeleted() {
    w_->openProject();
    add(lib_);
    WindowFixture::trigger(w_->window(), "files.focus");
    w_->parts().tree->view()->setCurrentIndex(index(lib_));
    for (const Qt::Key key : {Qt::Key_Delete, Qt::Key_F2}) {
      WindowFixture::key(key);
      QVERIFY2(notices().contains("neither renamed nor deleted"), qPrintable(notices()));
      QVERIFY(!QApplication::activeModalWidget());
      w_->parts().notices->remove("notice0");
    }
    QVERIFY(QFile::exists(lib_ + "/src/b.txt"));
  }

  void theTreeFollowsTheTextInFront() {
    w_->write("deep/down/c.txt", "x\n");
    w_->openProjectWith("a.txt", "one\n");
    add(lib_);
    QTreeView* view = w_->parts().tree->view();
    QTRY_COMPARE(view->currentIndex(), index(app_ + "/a.txt"));
    w_->parts().tabs->openFile(lib_ + "/src/b.txt");
    QTRY_VERIFY(index(lib_ + "/src/b.txt").isValid());
    QTRY_COMPARE(view->currentIndex(), index(lib_ + "/src/b.txt"));
    // Who goes through the tree is not led elsewhere.
    WindowFixture::trigger(w_->window(), "files.focus");
    w_->parts().tabs->openFile(app_ + "/deep/down/c.txt", false);
    test::rest();
    QCOMPARE(view->currentIndex(), index(lib_ + "/src/b.txt"));
    w_->document()->setFocus();
    // Turned off, it stays, and that is remembered.
    WindowFixture::trigger(w_->window(), "files.follow");
    w_->parts().tabs->openFile(app_ + "/a.txt");
    test::rest();
    QCOMPARE(view->currentIndex(), index(lib_ + "/src/b.txt"));
    QVERIFY(w_->close());
    w_->openProject();
    QTRY_VERIFY(w_->document());
    QVERIFY(!w_->parts().commands->action("files.follow")->isChecked());
  }

  void quickOpenFindsFilesOfBoth() {
    put("a.txt", "the other\n");
    w_->openProject();
    add(lib_);
    QTRY_COMPARE(w_->parts().fileIndex->filesOf(lib_).size(), 2);
    WindowFixture::trigger(w_->window(), "file.quickOpen");
    QTRY_COMPARE(rows().size(), 3);
    const QString name = QFileInfo(app_).fileName();
    QVERIFY2(rows().contains("lib/a.txt") && rows().contains(name + "/a.txt"),
             qPrintable(rows().join(' ')));
    WindowFixture::type("lib/a.txt");
    QTRY_COMPARE(rows().value(0), QString("lib/a.txt"));
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->document()->path(), lib_ + "/a.txt");
    // What was used last is on top, with the name of its folder, and leads there.
    w_->parts().tabs->openFile(app_ + "/a.txt");
    WindowFixture::trigger(w_->window(), "file.quickOpen");
    QTRY_COMPARE(rows().value(0), QString("lib/a.txt"));
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->document()->path(), lib_ + "/a.txt");
  }

  // -- Search

  void bothAreSearchedAndReplacedIn() {
    w_->openProject();
    add(lib_);
    QTRY_COMPARE(w_->parts().fileIndex->filesOf(lib_).size(), 1);
    WindowFixture::trigger(w_->window(), "search.find");
    SearchPanel* panel = w_->parts().search;
    panel->enter("word");
    QTRY_COMPARE(panel->stateText(), QString("2 matches in 2 files"));
    // A pattern is about what lies in each of them.
    w_->find<QLineEdit>("searchInclude")->setText("src");
    QTRY_COMPARE(panel->stateText(), QString("1 match in 1 file"));
    w_->find<QLineEdit>("searchInclude")->clear();
    QTRY_COMPARE(panel->stateText(), QString("2 matches in 2 files"));
    // A match of the second folder opens there.
    for (int i = 0; i < 2; ++i) {
      panel->step(+1);
      QTRY_VERIFY(w_->document());
      opened_.insert(w_->document()->path());
    }
    QCOMPARE(opened_, (QSet<QString>{app_ + "/a.txt", lib_ + "/src/b.txt"}));
    panel->enterReplace("word");
    w_->find<QLineEdit>("searchReplace")->setText("sign");
    QTRY_COMPARE(panel->stateText(), QString("2 matches in 2 files"));
    QTRY_VERIFY(w_->find<QWidget>("searchPreview")->isEnabled());
    QVERIFY(WindowFixture::click("searchPreview"));
    QVERIFY(WindowFixture::click("reviewAcceptAll"));
    for (const QString& path : std::as_const(opened_))
      QVERIFY2(textOf(path).contains("sign"), qPrintable(panel->stateText()));
  }

  // A link that leads out of its folder is not written through, though what is around both
  // folders holds the place.
  void replacingFollowsNoLinkOutOfAFolder() {
    QDir(other_->path()).mkdir("app");
    const QString app = QDir(other_->path() + "/app").canonicalPath();
    QFile outside(other_->path() + "/outside.txt");
    QVERIFY(outside.open(QIODevice::WriteOnly));
    outside.write("word\n");
    outside.close();
    QVERIFY(QFile::link(other_->path() + "/outside.txt", app + "/link.txt"));
    w_->open({app, lib_});
    QTRY_COMPARE(w_->parts().fileIndex->filesOf(app).size(), 1);
    QTRY_VERIFY(!w_->parts().fileIndex->isReading());
    WindowFixture::trigger(w_->window(), "search.find");
    SearchPanel* panel = w_->parts().search;
    panel->enterReplace("word");
    w_->find<QLineEdit>("searchReplace")->setText("sign");
    QTRY_COMPARE(panel->stateText(), QString("2 matches in 2 files"));
    QVERIFY(WindowFixture::click("searchPreview"));
    QVERIFY(WindowFixture::click("reviewAcceptAll"));
    QVERIFY2(panel->stateText().contains("link.txt"), qPrintable(panel->stateText()));
    QVERIFY(outside.open(QIODevice::ReadOnly));
    QCOMPARE(outside.readAll(), QByteArray("word\n"));
  }

  // -- Git

  void gitIsThatOfTheTextInFront() {
    begin(app_, "main");
    begin(lib_, "topic");
    w_->openProjectWith("a.txt", "one word\n");
    add(lib_);
    auto* branch = w_->find<QToolButton>("branch");
    QTRY_COMPARE(branch->text(), QString("main"));
    w_->parts().tabs->openFile(lib_ + "/src/b.txt");
    QTRY_COMPARE(branch->text(), QString("topic"));
    WindowFixture::type("x");
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QTRY_COMPARE(mark(lib_ + "/src/b.txt"), QString("M"));
    // The other one's states stay in the tree, and follow.
    put("../../outside", "");
    w_->write("a.txt", "changed\n");
    QTRY_COMPARE(mark(app_ + "/a.txt"), QString("M"));
    w_->parts().tabs->openFile(app_ + "/a.txt");
    QTRY_COMPARE(branch->text(), QString("main"));
    QTRY_COMPARE(mark(lib_ + "/src/b.txt"), QString("M"));
    QTRY_COMPARE(mark(app_ + "/a.txt"), QString("M"));
    // A text without a file leaves things as they are.
    w_->parts().tabs->newDocument("note");
    test::rest();
    QCOMPARE(branch->text(), QString("main"));
  }

  // What was put off until the user answers is not done where other files have the same names.
  void whatWaitsForOneRepositoryIsNotDoneInAnother() {
    workbench::useTestersGit();
    put("a.txt", "of the other\n");
    begin(app_, "main");
    begin(lib_, "topic");
    put("a.txt", "changed\n");
    w_->write("a.txt", "changed, too\n");
    w_->trust(lib_);
    w_->openProject();
    add(lib_);
    GitTools* git = w_->parts().git;
    auto* branch = w_->find<QToolButton>("branch");
    w_->parts().tabs->openFile(lib_ + "/src/b.txt");
    QTRY_COMPARE(branch->text(), QString("topic"));
    QCOMPARE(git->watch()->status()->unstaged.size(), 1);
    git->files()->discard(git->watch()->status()->unstaged);
    QTRY_VERIFY(w_->parts().notices->find("gitDiscarded"));
    QCOMPARE(textOf(lib_ + "/a.txt"), QByteArray("of the other\n"));
    w_->parts().tabs->openFile(app_ + "/a.txt");
    QTRY_COMPARE(branch->text(), QString("main"));
    QVERIFY(WindowFixture::click("gitUndoDiscard"));
    test::rest();
    QVERIFY2(notices().contains("another repository"), qPrintable(notices()));
    QCOMPARE(textOf(app_ + "/a.txt"), QByteArray("changed, too\n"));
    QCOMPARE(textOf(lib_ + "/a.txt"), QByteArray("of the other\n"));
  }

  // -- Trust

  void trustIsOfEachFolderByItself() {
    put(".waferpair/tasks.json",
        R"({"tasks": [{"name": "b", "kind": "build", "command": "touch ran"}]})");
    put("m.cpp", "int m;\n");
    w_->useScriptedLanguageServer({});
    w_->openProjectWith("a.txt", "one\n");
    QVERIFY(w_->parts().gate->isTrusted(app_));
    add(lib_);
    QVERIFY(!w_->parts().gate->isTrusted(lib_));
    auto* status = w_->find<QToolButton>("statusTrust");
    QVERIFY(!status->isVisible());
    w_->parts().tabs->openFile(lib_ + "/m.cpp");
    QTRY_VERIFY(status->isVisible());
    QCOMPARE(status->text(), QString("Restricted: lib"));
    // No server, no task, no terminal.
    test::rest();
    QVERIFY(!w_->parts().languages->service()->clientOf(lib_ + "/m.cpp"));
    QCOMPARE(w_->parts().languages->service()->restrictedFolder(), lib_);
    WindowFixture::trigger(w_->window(), "task.build");
    QTRY_VERIFY(trustNotice().startsWith("Not started"));
    QVERIFY2(trustNotice().contains("/lib"), qPrintable(trustNotice()));
    QVERIFY(WindowFixture::click("trustNot"));
    WindowFixture::trigger(w_->window(), "terminal.new");
    QTRY_VERIFY(trustNotice().startsWith("Not started"));
    QVERIFY2(trustNotice().contains("/lib"), qPrintable(trustNotice()));
    QVERIFY(WindowFixture::click("trustNot"));
    QVERIFY(w_->parts().terminals->views().isEmpty());
    QVERIFY(!QFile::exists(lib_ + "/ran"));
    // Trusted by itself, the task of this folder is asked about and runs in it.
    w_->parts().gate->trustFolder(lib_);
    QTRY_VERIFY(!status->isVisible());
    WindowFixture::trigger(w_->window(), "task.build");
    QTRY_VERIFY(w_->parts().notices->find("taskAgree"));
    QVERIFY(WindowFixture::click("taskAgreed"));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(lib_ + "/ran"), 60'000);
    QVERIFY(!QFile::exists(app_ + "/ran"));
    QTRY_COMPARE(w_->parts().tasks->running(), 0);
    // A server is started for its own folder.
    QTRY_VERIFY(w_->parts().notices->find("languageOffer"));
    QVERIFY(WindowFixture::click("startLanguageServer"));
    QTRY_VERIFY(w_->parts().languages->service()->clientOf(lib_ + "/m.cpp"));
    QCOMPARE(w_->parts().languages->service()->clientOf(lib_ + "/m.cpp")->root(), lib_);
  }

  void aTerminalBeginsInTheFolderInFront() {
    w_->trust(lib_);
    w_->openProject();
    add(lib_);
    w_->parts().tabs->openFile(lib_ + "/src/b.txt");
    WindowFixture::trigger(w_->window(), "terminal.new");
    QTRY_VERIFY(w_->parts().terminals->current());
    QCOMPARE(w_->parts().terminals->current()->session()->folder(), lib_);
  }

  // -- What models are shown

  void exclusionsOfTheSecondFolderHold() {
    put(".waferpairignore", "kept.txt\n");
    put("module/kept.txt", "nobody is shown this\n");
    // A repository of its own, at which a gate would stop that does not know the folder around it.
    QVERIFY(QDir(lib_).mkpath("module/.git"));
    const QString kept = lib_ + "/module/kept.txt";
    w_->openProject();
    QVERIFY(pairing::heldBack(app_, kept, "x").isEmpty());
    add(lib_);
    QVERIFY2(pairing::heldBack(app_, kept, "x").contains("kept.txt"),
             qPrintable(pairing::heldBack(app_, kept, "x")));
    ModelGate gate;
    gate.setProject(app_);
    QVERIFY(!gate.reason(kept).isEmpty());
    const auto passed = gate.pass(GatedText{kept, {}, 1, editor::Snapshot("x\n")});
    QVERIFY(!passed && passed.error().byFile);
    w_->parts().folders->remove(lib_);
    QVERIFY(gate.reason(kept).isEmpty());
  }

  // An answer about a file that was mentioned is put into that file, and makes none elsewhere.
  void anAnswerIsPutIntoTheOtherFoldersFile() {
    w_->openProjectWith("a.txt", "one\n");
    add(lib_);
    QTRY_COMPARE(w_->parts().fileIndex->filesOf(lib_).size(), 1);
    const auto apply = [this](const QString& path) {
      AnswerBlock block;
      block.text =
          QStringLiteral("--- a/%1\n+++ b/%1\n@@ -1 +1 @@\n-two words\n+few words\n").arg(path);
      return w_->parts().pairDock->apply(block).join(' ');
    };
    QCOMPARE(apply("lib/src/b.txt"), QString());
    QCOMPARE(w_->document()->path(), lib_ + "/src/b.txt");
    QCOMPARE(w_->document()->hunks()->offeredCount(), 1);
    QVERIFY(apply("lib/src/none.txt").contains("none.txt"));
    QVERIFY(!QFile::exists(app_ + "/lib"));
  }

  void editorConfigIsOfTheFilesFolder() {
    w_->write(".editorconfig", "root = true\n[*]\nindent_style = space\nindent_size = 3\n");
    put(".editorconfig", "root = true\n[*]\nindent_style = tab\n");
    w_->openProjectWith("a.txt", "one\n");
    add(lib_);
    QVERIFY(!w_->editor()->indentation().tabs);
    QCOMPARE(w_->editor()->indentation().width, 3);
    w_->parts().tabs->openFile(lib_ + "/src/b.txt");
    QVERIFY(w_->editor()->indentation().tabs);
  }

  // -- Refusals, the session, the command line

  void onesThatLieInOneAnotherAreRefused() {
    QDir(lib_).mkpath("inner");
    w_->openProject();
    add(lib_);
    const auto refused = [this](const QString& folder) {
      w_->parts().folders->add(folder);
      const Banner* banner = w_->parts().notices->find("addFolderNotice");
      return banner ? banner->text() : QString();
    };
    QVERIFY(refused(lib_).contains("in this window already"));
    QVERIFY(refused(lib_ + "/").contains("in this window already"));
    QVERIFY(refused(lib_ + "/inner").contains("it lies in"));
    QVERIFY(refused(QDir(other_->path()).canonicalPath()).contains("lies in it"));
    QVERIFY(refused(other_->path() + "/nowhere").contains("no such folder"));
    QVERIFY(QFile::link(lib_, w_->state() + "/link"));
    QVERIFY(refused(w_->state() + "/link").contains("in this window already"));
    QCOMPARE(w_->parts().workspace->folders(), (QStringList{app_, lib_}));
  }

  void theSessionHasTheFoldersInTheirOrder() {
    QDir(other_->path()).mkdir("third");
    const QString third = QDir(other_->path() + "/third").canonicalPath();
    w_->openProjectWith("a.txt", "one\n");
    add(lib_);
    add(third);
    w_->parts().tabs->openFile(lib_ + "/src/b.txt");
    QVERIFY(w_->close());
    // As it was left, and where the first is opened, or some of them together.
    for (const QStringList& targets :
         {QStringList(), QStringList{app_}, QStringList{app_, third, lib_}}) {
      w_->open(targets);
      QTRY_VERIFY(w_->document());
      QCOMPARE(w_->parts().workspace->folders(), (QStringList{app_, lib_, third}));
      QCOMPARE(w_->parts().tabs->documents().size(), 2);
      QTRY_VERIFY(index(lib_ + "/src/b.txt").isValid());
      QVERIFY(!w_->parts().notices->find("addFolderNotice"));
      QVERIFY(w_->close());
    }
    // One is gone: that is said, it can be taken out, and nothing else is lost.
    QVERIFY(QDir(third).removeRecursively());
    w_->open({});
    QTRY_VERIFY(w_->document());
    QTRY_COMPARE(roots().value(2), QString("third (not there)"));
    QVERIFY(index(third).data(Qt::ToolTipRole).toString().contains("not there"));
    WindowFixture::trigger(w_->window(), "file.removeFolder");
    QTRY_COMPARE(rows().size(), 3);
    WindowFixture::type("third");
    QTRY_COMPARE(rows().size(), 1);
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->parts().workspace->folders(), (QStringList{app_, lib_}));
    QCOMPARE(w_->parts().tabs->documents().size(), 2);
    // Without the first one the next is the first, and the first comes back alone.
    w_->parts().folders->remove(app_);
    QCOMPARE(w_->parts().workspace->folder(), lib_);
    QVERIFY(w_->close());
    w_->open({});
    QTRY_COMPARE(w_->parts().workspace->folders(), QStringList{lib_});
    QCOMPARE(w_->parts().tabs->documents().size(), 2);
    QVERIFY(w_->close());
    w_->open({app_});
    QCOMPARE(w_->parts().workspace->folders(), QStringList{app_});
  }

  void twoThatAreNamedOpenInOneWindow() {
    w_->open({app_, lib_, lib_ + "/src/b.txt"});
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->parts().workspace->folders(), (QStringList{app_, lib_}));
    QCOMPARE(w_->document()->path(), lib_ + "/src/b.txt");
    QTRY_COMPARE(w_->parts().fileIndex->filesOf(lib_).size(), 1);
  }

  void aFolderIsInOneWindow() {
    WindowSet set({w_->config(), w_->state()}, nullptr);
    MainWindow* first = set.makeFirst(false);
    first->show();
    first->parts().workspace->open(app_);
    QCOMPARE(first->parts().workspace->add(lib_), QString());
    MainWindow* second = set.open();
    second->parts().folders->open(lib_);
    QCOMPARE(second->parts().workspace->folder(), QString());
    QVERIFY(QDir(other_->path()).mkdir("more"));
    second->parts().workspace->open(other_->path() + "/more");
    second->parts().folders->add(lib_);
    QCOMPARE(second->parts().workspace->folders().size(), 1);
    QVERIFY(second->parts().notices->find("addFolderNotice")->text().contains("another window"));
  }

 private:
  void put(const QString& relative, const QByteArray& bytes) const {
    const QString path = QDir::cleanPath(lib_ + '/' + relative);
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  // As it is in the window, or else on disk.
  QByteArray textOf(const QString& path) {
    if (const Document* open = w_->parts().tabs->documentAt(path))
      return open->text().toByteArray();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  static void begin(const QString& folder, const char* branch) {
    runGit(folder, {"init", "-q", "-b", branch});
    runGit(folder, {"add", "-A"});
    runGit(folder, {"commit", "-q", "-m", "first"});
  }
  void add(const QString& folder) {
    w_->parts().folders->add(folder);
    QVERIFY(w_->parts().workspace->folders().contains(folder));
  }
  QModelIndex index(const QString& path) { return w_->parts().tree->model()->indexOf(path); }
  QString mark(const QString& path) { return index(path).data(FolderModel::kMarkRole).toString(); }
  QStringList roots() {
    const FolderModel* model = w_->parts().tree->model();
    QStringList names;
    for (int row = 0; row < model->rowCount(); ++row)
      names.append(model->index(row, 0).data().toString());
    return names;
  }
  QStringList rows() {
    const auto* list = w_->parts().picker->findChild<QListView*>();
    QStringList rows;
    for (int i = 0; i < list->model()->rowCount(); ++i)
      rows.append(list->model()->index(i, 0).data().toString());
    return w_->parts().picker->isOpen() ? rows : QStringList();
  }
  QString notices() {
    QStringList all;
    for (const Banner* banner : w_->parts().notices->findChildren<Banner*>())
      all.append(banner->text());
    return all.join('\n');
  }
  QString trustNotice() {
    const Banner* banner = w_->parts().notices->find("trust");
    return banner ? banner->text() : QString();
  }

  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<test::TemporaryFolder> other_;
  QString app_, lib_;  // canonical
  QSet<QString> opened_;
};

QTEST_MAIN(TestFolders)
#include "test_folders.moc"
