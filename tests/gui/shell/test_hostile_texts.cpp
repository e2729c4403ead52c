// SPDX-License-Identifier: GPL-3.0-or-later
// A whole window on a project whose names and texts hide what they are: no such character reaches
// the screen, a tool tip or assistive technology without its mark.
#include <sys/stat.h>

#include <QDockWidget>
#include <QProcess>
#include <QScrollArea>
#include <QTreeView>

#include "editor/text/path_bytes.h"
#include "gui/automation/idle.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "gui/pairing/ask_panel.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/plan_list.h"
#include "gui/pairing/plan_panel.h"
#include "gui/pairing/transcript.h"
#include "gui/project/folder_model.h"
#include "gui/project/folder_tree.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "gui/workbench/language_tools.h"
#include "pairing/plans/plan_store.h"
#include "pairing/threads/thread_store.h"
#include "tests/gui/kit/unmarked_texts.h"
#include "tests/gui/shell/window_fixture.h"
#include "workbench/language/diagnostic_store.h"
#include "workbench/language/language_service.h"
#include "workbench/tasks/shell_line.h"
#include "workbench/terminal/terminal_session.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

// What is turned round, has no width, and stands behind 60 line ends and 3,000 blanks.
const QString kShort = QStringLiteral("gnp\u202Etxt.\u200Bexe\u2066\u00AD");
const QString kLong =
    kShort + QString(60, u'\n') + QString(3000, u' ') + QStringLiteral("end\u202E");
const QByteArray kFile =
    "a\xe2\x80\xaetxt.\xe2\x80\x8b"
    "cpp";
const QByteArray kFolder = "src\xe2\x80\xae\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nx";

constexpr int kRestPatience = 60'000;  // ms

}  // namespace

class TestHostileTexts : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    const QByteArray project = w_->project().toUtf8();
    QCOMPARE(::mkdir(project + '/' + kFolder, 0777), 0);
    write(kFile, "int a; // \xe2\x80\xae gnp\n");
    write(kFolder + '/' + kFile, "int b;\n");
    write("a\xef\xe9.txt", "bytes\n");
  }
  void cleanup() { w_.reset(); }

  void theTextsOfTheWindow() {
    w_->openProject();
    QVERIFY(w_->parts().tabs->openFile(w_->path(QString::fromUtf8(kFile))));
    QVERIFY(w_->parts().tabs->openFile(w_->path(QString::fromUtf8(kFolder + '/' + kFile))));
    w_->parts().tree->reveal(w_->path(QString::fromUtf8(kFolder + '/' + kFile)));
    expectMarks("tabs, title, tree, status");
  }

  void notices() {
    w_->openProject();
    using Kind = Banner::Kind;
    w_->parts().notices->show("a", Kind::kError, kLong).addButton("b", kShort, [] {});
    Q_EMIT w_->parts().tabs->problem(kLong);
    expectMarks("notices");
  }

  void aConversation() {
    using Author = pairing::Message::Author;
    pairing::ThreadStore store(w_->state() + "/threads");
    store.load(w_->project());
    pairing::Thread thread = pairing::Thread::make();
    thread.title = kShort;
    pairing::Message& asked = thread.append(Author::kUser, pairing::MessageState::kSent, kLong);
    pairing::ContextItem item;
    item.name = kShort;
    item.why = kLong;
    item.outcome = pairing::ContextItem::Outcome::kLeftOut;
    asked.context = {item};
    pairing::Message& answer =
        thread.append(Author::kModel, pairing::MessageState::kFailed,
                      kShort + "\n\n```" + kShort + "\n" + kShort + "\n```\n\n- `" + kShort +
                          "` [" + kShort + "](a.cpp \"" + kShort + "\")\n\n| " + kShort +
                          " | b |\n|---|---|\n| " + kShort + " | d |\n");
    answer.figures.model = kShort;
    answer.figures.place = kShort;
    answer.problem = {kLong, kShort};
    answer.plan = {{kShort, pairing::AgentPlanEntry::State::kRunning}};
    pairing::AgentStep step;
    step.id = "1";
    step.title = kLong;
    step.kind = "execute";
    step.command = kLong;
    step.folder = "/" + kShort;
    step.paths = {"/" + kShort};
    step.output = kLong;
    answer.steps = {step};
    answer.touched = {{kShort, 1, 1, kLong}};
    pairing::Message& found =
        thread.append(Author::kProject, pairing::MessageState::kComplete, kShort);
    pairing::FoundPassage passage;
    passage.path = kShort;
    passage.text = kLong;
    passage.symbol = kShort;
    passage.why = pairing::FoundPassage::Why::kDefines;
    found.passages = {passage};
    store.save(thread);
    store.flush();
    w_->openProject();
    AskPanel* ask = w_->parts().pairDock->ask();
    WindowFixture::trigger(w_->window(), "ask.ask");
    w_->parts().pairDock->show();
    QTRY_VERIFY(ask->thread() && ask->thread()->messages.size() == 3);
    expectMarks("Ask");
  }

  // A command that waits for the user's word, one that was run, and what went wrong: each is chosen
  // in turn.
  void aPlan() {
    using pairing::PlanStep;
    using pairing::StepState;
    pairing::PlanStore store(w_->state() + "/plans");
    store.load(w_->project());
    pairing::Plan plan = pairing::Plan::make();
    plan.talk.title = kShort;
    plan.talk.append(pairing::Message::Author::kUser, pairing::MessageState::kSent, kLong);
    for (const StepState state : {StepState::kApproval, StepState::kFailed, StepState::kToDo}) {
      PlanStep step = PlanStep::make(kLong);
      step.state = state;
      plan.steps.append(step);
    }
    plan.steps[0].command = kLong;
    pairing::Message answer;
    answer.id = "answer";
    answer.time = QDateTime::currentDateTime();
    answer.author = pairing::Message::Author::kModel;
    answer.state = pairing::MessageState::kComplete;
    answer.text = kShort;
    answer.figures.model = kShort;
    plan.steps[0].answer = answer;
    plan.steps[1].runs = {{kLong, "/" + kShort, kShort, 1}};
    plan.steps[1].problem = kLong;
    plan.steps[1].leftOver = {kLong};
    store.save(plan);
    store.flush();
    w_->openProject();
    WindowFixture::trigger(w_->window(), "plan.plan");
    const PlanPanel* panel = w_->parts().pairDock->plan();
    QTRY_VERIFY(panel->plan() && panel->plan()->steps.size() == 3);
    for (int row = 0; row < 3; ++row) {
      panel->list()->setCurrentIndex(panel->list()->model()->index(row, 0));
      expectMarks("a plan");
    }
  }

  void problemsAndMarks() {
    w_->openProjectWith("a.cpp", "int a;\nint b;\n");
    workbench::Diagnostic one;
    one.place = {1, 0};
    one.message = kLong;
    one.source = kShort;
    auto* found = w_->parts().languages->service()->found();
    for (const QString& path : {w_->path("a.cpp"), w_->path(QString::fromUtf8(kFile))})
      found->report("test", path, {one}, workbench::ColumnUnit::kUtf8);
    w_->parts().problemsDock->show();
    w_->parts().problemsDock->raise();
    w_->editor()->goToLine(1);
    expectMarks("Problems");
  }

  void theTerminal() {
    w_->openProject();
    // The title that a program sets, and one that a task has.
    const QString line = QStringLiteral("printf '\\033]0;%1\\007%1\\n'; sleep 100").arg(kShort);
    w_->parts().terminalDock->show();
    TerminalView* view =
        w_->parts().terminals->run({kShort, workbench::shellLine(line), false}, w_->project());
    QVERIFY(view);
    QTRY_VERIFY(view->session()->title().contains(u'\u202E') ||
                view->session()->title().contains("gnp"));
    expectMarks("terminal");
    view->session()->hangUp();
  }

  void git() {
    const auto git = [&](const QStringList& arguments) {
      QProcess process;
      process.setWorkingDirectory(w_->project());
      process.start("git",
                    QStringList{"-c", "user.name=" + kShort, "-c", "user.email=a@b"} + arguments);
      return process.waitForFinished() && process.exitCode() == 0;
    };
    QVERIFY(git({"init", "-q", "-b", QStringLiteral("gnp\u202Etxt")}));
    QVERIFY(git({"add", "."}));
    QVERIFY(git({"commit", "-q", "-m", kShort + "\n\n" + kShort}));
    write(kFile, "int a; // \xe2\x80\xae changed\n");
    w_->openProjectWith("new.txt", "new\n");
    WindowFixture::trigger(w_->window(), "git.changes");
    auto* tree = w_->find<QTreeView>("changesTree");
    QVERIFY(tree);
    QTRY_VERIFY(tree->model() && tree->model()->rowCount() > 0);
    WindowFixture::trigger(w_->window(), "git.log");
    expectMarks("Changes and Log");
  }

  void lists() {
    w_->openProject();
    w_->parts().picker->open(kShort, QStringLiteral("Type"),
                             {{.text = kShort, .hint = kShort, .data = 0}}, [](const QVariant&) {});
    w_->parts().picker->setNote(kLong);
    expectMarks("picker");
    WindowFixture::key(Qt::Key_Escape);
    WindowFixture::key(Qt::Key_P, Qt::ControlModifier);
    expectMarks("Go to File");
  }

 private:
  void write(const QByteArray& name, const QByteArray& bytes) const {
    FILE* file = std::fopen(w_->project().toUtf8() + '/' + name, "w");
    QVERIFY(file);
    std::fwrite(bytes.constData(), 1, std::size_t(bytes.size()), file);
    std::fclose(file);
  }

  void expectMarks(const char* where) {
    // Texts are marked once they are shown.
    const Idle idle(&w_->window(), nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(idle.busyWith().isEmpty(), kRestPatience);
    w_->window().grab();
    QCoreApplication::processEvents();
    QStringList unmarked;
    qsizetype looked = 0;
    for (QWidget* each : QApplication::topLevelWidgets()) {
      if (!each->isVisible()) continue;
      test::UnmarkedTexts texts;
      unmarked += texts.in(each);
      looked += texts.looked();
    }
    QVERIFY(looked > 50);
    QVERIFY2(unmarked.isEmpty(),
             qPrintable(QString::fromLatin1(where) + ":\n" + unmarked.join('\n')));
  }

  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestHostileTexts)
#include "test_hostile_texts.moc"
