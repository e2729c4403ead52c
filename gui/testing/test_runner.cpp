// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/testing/test_runner.h"

#include <QApplication>
#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QThreadPool>
#include <algorithm>
#include <utility>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/kit/start_gate.h"
#include "gui/project/file_index.h"
#include "gui/tasks/task_problems.h"
#include "gui/testing/test_debug.h"
#include "pairing/edits/error_places.h"
#include "workbench/language/diagnostic_store.h"

namespace waferpair::gui {

using workbench::Diagnostic;
using workbench::StepEnd;
using workbench::TestId;
using workbench::TestItem;
using workbench::TestOutcome;
using workbench::TestPlan;
using workbench::TestResult;
using workbench::TestState;
using workbench::TestStep;
using workbench::WantedTest;

namespace {

constexpr char kTestNotice[] = "tests";
constexpr char kBuildReporter[] = "tests build";
constexpr qsizetype kMostOfLastLines = 300;  // UTF-16 units that a notice quotes
constexpr qsizetype kMostOfExcerpt = 4000;   // UTF-16 units that a model is told of a failure

QString reporterOf(const QString& key) { return QStringLiteral("test\n") + key; }

// The end of what a program printed, as far as a notice has room for it.
QString lastLineOf(const QByteArray& output) {
  const QList<QByteArray> lines = output.trimmed().split('\n');
  return QString::fromUtf8(lines.constLast()).simplified().left(kMostOfLastLines);
}

// In the protocol's form, which the list of problems reads.
Diagnostic diagnosticAt(int line, const QString& message, const QString& source) {
  constexpr int kToLineEnd = 1 << 20;
  const auto at = [&](int column) {
    return QJsonObject{{QStringLiteral("line"), std::max(0, line - 1)},
                       {QStringLiteral("character"), column}};
  };
  const QJsonObject range{{QStringLiteral("start"), at(0)},
                          {QStringLiteral("end"), at(kToLineEnd)}};
  const QJsonObject told{{QStringLiteral("range"), range},
                         {QStringLiteral("severity"), 1},
                         {QStringLiteral("source"), source},
                         {QStringLiteral("message"), message}};
  return workbench::readDiagnostics(QJsonArray{told}).constFirst();
}

programs::GivenStart testsIn(const QString& folder) {
  return {folder, programs::GivenStart::Kind::kTests, QDir(folder).dirName(), {}, {}};
}

}  // namespace

TestRunner::TestRunner(const TestParts& parts, TestBook* book, QObject* parent)
    : QObject(parent), p_(parts), book_(book) {
  p_.gate->addRunning(this, [this]() -> QVector<RunningStart> {
    if (!isRunning()) return {};
    return {{testsIn(book_->folder()), [this] { cancel(); }}};
  });
  connect(book, &TestBook::filesChanged, this, [this] {
    if (!book_->folder().isEmpty() && book_->folder() == book_->setup().folder) return;
    // Another project: nothing of this one's runs on.
    if (isRunning()) run_->cancel();
    for (const Reported& each : std::exchange(reported_, {}))
      p_.found->report(reporterOf(each.id.key()), each.path, {}, workbench::ColumnUnit::kUtf8);
    p_.found->retract(QLatin1String(kBuildReporter));
    last_ = {};
    hasRun_ = false;
    output_.clear();
    Q_EMIT changed();
  });
}

void TestRunner::say(const QString& text) {
  p_.notices->show(QLatin1String(kTestNotice), Banner::Kind::kWarning, text);
}

WantedTest TestRunner::wantedOf(const TestId& id) const {
  WantedTest wanted{id, {}, false};
  if (const TestItem* item = book_->find(id, &wanted.path)) wanted.isGroup = item->isGroup;
  return wanted;
}

// -- What is to be run

void TestRunner::run(const QVector<WantedTest>& wanted) {
  if (!wanted.isEmpty()) start({false, false, wanted});
}

void TestRunner::debug(const WantedTest& wanted) { start({false, false, {wanted}, true}); }

void TestRunner::runAll() { start({true, false, {}}); }

void TestRunner::list() { start({false, true, {}}); }

void TestRunner::runFailed() {
  QVector<WantedTest> wanted;
  for (const TestId& id : book_->results().failed()) wanted.append(wantedOf(id));
  if (wanted.isEmpty()) return say(tr("No test has failed."));
  run(wanted);
}

void TestRunner::again() {
  if (last_.isAll || !last_.wanted.isEmpty()) return start({last_.isAll, false, last_.wanted});
  say(tr("No test was run so far."));
}

void TestRunner::cancel() {
  if (isRunning()) run_->cancel();
}

void TestRunner::start(const Wish& wish) {
  if (isRunning()) {
    p_.notices->show(QLatin1String(kTestNotice), Banner::Kind::kInfo, tr("Tests still run."))
        .addButton(QStringLiteral("testsCancel"), tr("&Cancel Them"), [this] { cancel(); })
        .addButton(QStringLiteral("testsKeep"), tr("&Let Them Run"), [] {});
    return;
  }
  if (book_->folder().isEmpty()) return say(tr("Open a folder first: tests are run in it."));
  // What builds and runs them is made up here, and then runs the folder's own code.
  p_.gate->start(testsIn(book_->folder()), [this, wish] {
    if (!isRunning()) startTrusted(wish);
  });
}

void TestRunner::startTrusted(const Wish& wish) {
  for (Document* document : p_.tabs->documents()) document->saveByItself();
  p_.notices->remove(QLatin1String(kTestNotice));
  book_->whenRead([this, wish] {
    if (!isRunning()) begin(wish);
  });
}

void TestRunner::begin(const Wish& wish) {
  const bool isCompiled =
      std::any_of(wish.wanted.begin(), wish.wanted.end(),
                  [](const WantedTest& each) { return workbench::isCompiled(each.id.framework); });
  const workbench::TestSetup setup = book_->setup();
  if (isCompiled && setup.build.isEmpty())
    return say(
        tr("These tests are compiled, and CMake has configured no build folder. Run "
           "“cmake -B build”, with enable_testing() in CMakeLists.txt."));
  if (run_) run_->deleteLater();
  run_ = new workbench::TestRun(this);
  connect(run_, &workbench::TestRun::took, this, &TestRunner::take);
  connect(run_, &workbench::TestRun::stepEnded, this, &TestRunner::stepEnded);
  connect(run_, &workbench::TestRun::ended, this, &TestRunner::ended);
  connect(run_, &workbench::TestRun::stepBegan, this, [this](const TestStep& step) {
    step_ = step.title;
    Q_EMIT changed();
  });
  connect(run_, &workbench::TestRun::wrote, this, [this](const QByteArray& bytes) {
    output_ += bytes;
    if (output_.size() > 2 * kMostOutput) output_ = output_.right(kMostOutput);
  });
  done_.clear();
  output_.clear();
  listedByPytest_.clear();
  debugged_.reset();
  step_.clear();
  total_ = 0;
  clock_.start();
  if (!wish.isList) last_ = wish;
  if (!wish.isList && !wish.isDebug) {
    hasRun_ = true;
    if (wish.isAll) {
      for (const workbench::TestFile& file : book_->files())
        for (const TestItem& item : file.items) total_ += item.isGroup ? 0 : 1;
      total_ += static_cast<int>(book_->otherTests().size());
      for (const Reported& each : QHash(reported_)) retract(each.id);
      book_->results().beginAll();
    } else {
      QSet<QString> tests;
      QVector<TestId> ids;
      for (const WantedTest& each : wish.wanted) {
        ids.append(each.id);
        if (!each.isGroup) tests.insert(each.id.key());
        for (const TestId& inner : book_->testsIn(each.id)) tests.insert(inner.key());
        retract(each.id);
      }
      total_ = static_cast<int>(tests.size());
      book_->results().begin(ids);
    }
  }
  p_.found->retract(QLatin1String(kBuildReporter));
  book_->resultsMayChange();
  const QVector<workbench::TestFile> files = book_->files();
  plan([setup, wish, files, isCompiled] {
    TestPlan plan;
    if (wish.isList) {
      if (!setup.build.isEmpty()) plan.steps.append(workbench::listStep(setup));
      plan.steps += workbench::collectSteps(setup, files);
      return plan;
    }
    QVector<WantedTest> others = wish.wanted;
    others.removeIf(
        [](const WantedTest& each) { return workbench::isCompiled(each.id.framework); });
    workbench::TestSetup withoutCompiled = setup;
    withoutCompiled.entries.clear();
    plan = wish.isAll ? workbench::planAllTests(withoutCompiled, files)
                      : workbench::planTests(withoutCompiled, others);
    // Last, as nothing follows where it fails.
    if (wish.isAll ? !setup.build.isEmpty() : isCompiled) {
      QStringList sources;
      bool isKnown = !wish.isAll;
      for (const WantedTest& each : wish.wanted) {
        if (!workbench::isCompiled(each.id.framework)) continue;
        isKnown &= !each.path.isEmpty();
        if (!sources.contains(each.path)) sources.append(each.path);
      }
      plan.steps.append(isKnown ? workbench::buildStep(setup, sources)
                                : workbench::buildAllStep(setup));
      // What is behind it comes once the list is there.
      plan.steps.append(workbench::listStep(setup));
    }
    return plan;
  });
  run_->start();
  Q_EMIT changed();
}

// Works it out by a thread, and has it run behind what waits.
void TestRunner::plan(const std::function<TestPlan()>& work) {
  run_->hold();
  QThreadPool::globalInstance()->start(
      [self = QPointer<TestRunner>(this), run = QPointer<workbench::TestRun>(run_), work] {
        const TestPlan plan = work();
        // The window may be gone by then.
        QMetaObject::invokeMethod(qApp, [self, run, plan] {
          if (!self || !run) return;
          if (!plan.problems.isEmpty()) self->say(plan.problems.mid(0, 3).join(u'\n'));
          QVector<TestStep> steps = plan.steps;
          if (self->last_.isDebug) {
            for (const TestStep& step : plan.steps)
              if (step.kind == TestStep::Kind::kRun) self->debugged_ = step;
            steps.removeIf([](const TestStep& step) { return step.kind == TestStep::Kind::kRun; });
            if (self->debugged_ &&
                self->debugged_->program.framework == workbench::TestFramework::kCargo)
              steps.append(workbench::findProgramStep(*self->debugged_));
          }
          run->add(steps);
          run->release();
        });
      });
}

int TestRunner::count(TestState state) const {
  return static_cast<int>(std::count(done_.begin(), done_.end(), state));
}

// -- What becomes of it

void TestRunner::take(const QVector<TestOutcome>& outcomes) {
  QVector<TestOutcome> taken = outcomes;
  // vitest and jest call those skipped that were not asked for.
  taken.removeIf([this](const TestOutcome& one) {
    return !last_.isAll && one.state == TestState::kSkipped &&
           std::none_of(last_.wanted.cbegin(), last_.wanted.cend(),
                        [&](const WantedTest& each) { return one.id.isIn(each.id); });
  });
  for (TestOutcome& one : taken) {
    // A program that went wrong as a whole is told at the class or test that it is of.
    const auto owner = book_->ownerOf(one.id);
    const bool isNews = owner && book_->results().state(*owner) != TestState::kFailed;
    if (isNews && one.state == TestState::kFailed && !one.message.isEmpty()) one.id = *owner;
    book_->results().take(one);
  }
  QSet<QString> seen;
  for (const TestOutcome& one : std::as_const(taken)) {
    const QString key = one.id.key();
    if (seen.contains(key)) continue;
    seen.insert(key);
    const TestState state = book_->results().state(one.id);
    if (state == TestState::kRunning || state == TestState::kNotRun) continue;
    // Programs of CTest whose tests are known one by one are not counted beside them.
    QString path;
    const TestItem* item = book_->find(one.id, &path);
    const bool isTest = item ? !item->isGroup : !one.id.names.isEmpty();
    const bool isOwn = one.id.framework != workbench::TestFramework::kCTest ||
                       book_->otherTests().contains(one.id);
    if (isOwn && (isTest || state == TestState::kFailed)) done_.insert(key, state);
    report(one.id);
  }
  book_->resultsMayChange();
  Q_EMIT changed();
}

// A failure is a problem at its line, or at the test's own where it names none.
void TestRunner::report(const TestId& id) {
  const QString key = id.key();
  const TestResult* result = book_->results().of(id);
  const bool isFailed = result && result->state() == TestState::kFailed;
  if (!isFailed) return retract(id);
  QString path;
  int line = 0;
  if (const TestOutcome* place = result->place()) {
    path = place->path;
    line = place->line;
  } else if (const TestItem* item = book_->find(id, &path); item && item->line >= 0) {
    line = item->line + 1;
  }
  if (path.isEmpty() || line <= 0) return;
  const QString name = id.names.isEmpty() ? QFileInfo(path).fileName() : id.names.constLast();
  QString message = result->message();
  if (message.isEmpty()) message = tr("This test has failed.");
  const Diagnostic one = diagnosticAt(line, name + QStringLiteral(": ") + message,
                                      workbench::frameworkName(id.framework));
  const auto known = reported_.constFind(key);
  if (known != reported_.constEnd() && known->path == path && known->told == one.told) return;
  retract(id);
  p_.found->reportAsTold(reporterOf(key), path, {one}, workbench::ColumnUnit::kUtf8);
  reported_.insert(key, {id, path, one.told});
}

void TestRunner::retract(const TestId& group) {
  QVector<QString> gone;
  for (auto each = reported_.cbegin(); each != reported_.cend(); ++each)
    if (each->id.isIn(group)) gone.append(each.key());
  for (const QString& key : std::as_const(gone))
    p_.found->report(reporterOf(key), reported_.take(key).path, {}, workbench::ColumnUnit::kUtf8);
}

void TestRunner::stepEnded(const TestStep& step, const StepEnd& end) {
  const bool isCancelled = run_->wasCancelled();
  switch (step.kind) {
    case TestStep::Kind::kBuild:
      return buildEnded(step, end);
    case TestStep::Kind::kList: {
      if (isCancelled) return;
      const auto entries = workbench::readCTestList(end.output);
      if (!entries)
        return say(entries.error().message() + u' ' + end.how + u' ' + remedyFor(step, end));
      book_->setEntries(*entries);
      const workbench::TestSetup setup = book_->setup();
      if (last_.isAll) {
        run_->add(workbench::planAllTests(setup, {}).steps);
        return;
      }
      QVector<WantedTest> wanted = last_.wanted;
      wanted.removeIf(
          [](const WantedTest& each) { return !workbench::isCompiled(each.id.framework); });
      if (!wanted.isEmpty()) plan([setup, wanted] { return workbench::planTests(setup, wanted); });
      return;
    }
    case TestStep::Kind::kCollect:
      listedByPytest_ += workbench::readPytestList(end.output, step.program.folder);
      book_->setListed(listedByPytest_);
      if (end.isFine() || isCancelled) return;
      break;
    case TestStep::Kind::kFindProgram: {
      const QString program = workbench::readCargoProgram(end.output, step.program.scope);
      if (end.isFine() && !program.isEmpty() && debugged_) {
        debugged_->command.program = program;
        return;
      }
      debugged_.reset();
      if (!end.isFine()) return buildEnded(step, end);
      break;
    }
    case TestStep::Kind::kRun:
      if (end.failed > 0 || end.isFine() || isCancelled) return;
      break;
  }
  // No test of it says why: the user is told, as far as it says so itself.
  QStringList parts{step.title + QStringLiteral(": ") + end.how, lastLineOf(end.output),
                    remedyFor(step, end)};
  parts.removeAll(QString());
  say(parts.join(u' '));
}

void TestRunner::buildEnded(const TestStep& step, const StepEnd& end) {
  if (end.isFine() || run_->wasCancelled()) return;
  p_.notices
      ->show(QLatin1String(kTestNotice), Banner::Kind::kError,
             tr("The tests were not run: building them has failed. %1").arg(end.how))
      .addButton(QStringLiteral("testsProblems"), tr("Show &Problems"), p_.showProblems);
  workbench::Task task;
  task.name = step.title;
  // Paths in what it printed are below it.
  task.folder = step.program.framework == workbench::TestFramework::kCTest ? book_->setup().build
                                                                           : step.folder;
  const QString folder = book_->folder();
  QThreadPool::globalInstance()->start([self = QPointer<TestRunner>(this), task, folder,
                                        output = QString::fromUtf8(end.output),
                                        files = p_.index->files()] {
    const auto problems = taskProblems(output, task, folder, files);
    QMetaObject::invokeMethod(qApp, [self, problems, folder] {
      if (!self || self->book_->folder() != folder) return;
      for (auto file = problems.begin(); file != problems.end(); ++file)
        self->p_.found->reportAsTold(QLatin1String(kBuildReporter), file.key(), file.value(),
                                     workbench::ColumnUnit::kUtf8);
    });
  });
}

void TestRunner::ended() {
  took_ = clock_.elapsed();
  step_.clear();
  book_->results().end();
  book_->resultsMayChange();
  Q_EMIT changed();
  if (debugged_ && !run_->wasCancelled()) return beginDebugging();
  QWidget* window = p_.notices->window();
  if (hasRun_ && !window->isActiveWindow()) QApplication::alert(window);
}

void TestRunner::beginDebugging() {
  const auto launch = debugLaunchOf(*std::exchange(debugged_, std::nullopt));
  if (!launch) return say(launch.error().message());
  p_.debug(*launch);
}

// -- What failed

int TestRunner::failedLine(const TestId& id, QString* path) const {
  const auto known = reported_.constFind(id.key());
  if (known == reported_.constEnd()) return 0;
  *path = known->path;
  const Document* open = p_.tabs->documentAt(known->path);
  for (const Diagnostic& one : p_.found->of(known->path)) {
    if (one.told != known->told) continue;
    return open ? open->editor()->lineAt(one.range.start) + 1
                : static_cast<int>(one.place.line) + 1;
  }
  return 0;
}

bool TestRunner::fix(const TestId& id) {
  QVector<TestId> failed;
  for (const TestId& each : book_->results().failed())
    if (each.isIn(id)) failed.append(each);
  const QString inFolder = book_->folder() + u'/';
  for (const TestId& each : std::as_const(failed)) {
    QString path;
    const int line = failedLine(each, &path);
    if (line == 0 || !path.startsWith(inFolder)) continue;
    const TestResult* result = book_->results().of(each);
    pairing::ErrorPlace error;
    error.path = path.mid(inFolder.size());
    error.line = line;
    error.message = result->message().section(u'\n', 0, 0);
    if (error.message.isEmpty()) error.message = tr("This test has failed.");
    error.isError = true;
    error.excerpt = QStringLiteral("%1:%2: %3\n%4")
                        .arg(error.path)
                        .arg(line)
                        .arg(each.names.join(QStringLiteral("::")), result->message())
                        .left(kMostOfExcerpt);
    p_.fix(error.path, error);
    return true;
  }
  return false;
}

}  // namespace waferpair::gui
