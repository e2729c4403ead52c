// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/testing/test_margin.h"

#include <QPointer>
#include <chrono>
#include <utility>

#include "editor/layers/run_marks.h"
#include "gui/documents/editor_tabs.h"
#include "gui/testing/test_runner.h"
#include "workbench/testing/find_tests.h"

namespace waferpair::gui {

using editor::RunMark;
using editor::RunMarks;
using workbench::TestFile;
using workbench::TestItem;
using workbench::TestState;

namespace {

constexpr std::chrono::milliseconds kFindSoon(300);

RunMark::Kind kindOf(TestState state) {
  switch (state) {
    case TestState::kNotRun:
      return RunMark::Kind::kReady;
    case TestState::kRunning:
      return RunMark::Kind::kRunning;
    case TestState::kPassed:
      return RunMark::Kind::kPassed;
    case TestState::kSkipped:
      return RunMark::Kind::kSkipped;
    case TestState::kFailed:
      return RunMark::Kind::kFailed;
  }
  Q_UNREACHABLE();
}

}  // namespace

TestMargin::TestMargin(const TestParts& parts, TestBook* book, TestRunner* runner, QObject* parent)
    : QObject(parent), p_(parts), book_(book), runner_(runner) {
  thread_.setMaxThreadCount(1);
  connect(parts.tabs, &EditorTabs::opened, this, &TestMargin::watch);
  connect(parts.tabs, &EditorTabs::closed, this,
          [this](const Document* document) { delete watched_.take(document).soon; });
  connect(book, &TestBook::resultsChanged, this, [this] {
    for (Document* document : p_.tabs->documents()) draw(document);
  });
  for (Document* document : parts.tabs->documents()) watch(document);
}

TestMargin::~TestMargin() {
  thread_.clear();
  thread_.waitForDone();
}

void TestMargin::watch(Document* document) {
  Watched& watched = watched_[document];
  watched.soon = new QTimer(this);
  watched.soon->setSingleShot(true);
  watched.soon->setInterval(kFindSoon);
  connect(watched.soon, &QTimer::timeout, document, [this, document] { find(document); });
  const auto soon = [this, document] {
    const auto at = watched_.find(document);
    if (at == watched_.end()) return;
    at->again = at->isRunning;
    if (!at->isRunning && !at->soon->isActive()) at->soon->start();
  };
  connect(document->editor(), &editor::CodeEditor::textChanged, this, soon);
  // Its path may be another.
  connect(document, &Document::titleChanged, this, soon);
  connect(RunMarks::of(document->editor()), &RunMarks::clicked, this,
          [this, document](int line) { runAt(document, line); });
  soon();
}

void TestMargin::whenFound(Document* document, Then then) {
  const auto watched = watched_.find(document);
  if (watched == watched_.end()) return;
  watched->then.append(std::move(then));
  if (!watched->isRunning) return find(document);
  watched->again = true;
}

void TestMargin::find(Document* document) {
  const auto watched = watched_.find(document);
  if (watched == watched_.end() || watched->isRunning) return;
  watched->soon->stop();
  watched->again = false;
  const QString path = document->path();
  const QString folder = book_->folder();
  document->textDocument()->buffer()->settle();
  const qint64 version = document->textDocument()->buffer()->version();
  const bool mayHave = workbench::mayHoldTests(path) && !folder.isEmpty() &&
                       path.startsWith(folder + u'/') &&
                       document->editor()->length() <= workbench::kMostOfTestFile;
  if (!mayHave) return take(document, version, {});
  watched->isRunning = true;
  // The thread ends before this object does.
  thread_.start([this, path, folder, version, text = document->textDocument()->snapshot(),
                 document = QPointer(document)] {
    const QVector<TestItem> items = workbench::findTests(path, text.toByteArray(), folder);
    QMetaObject::invokeMethod(
        this,
        [this, document, version, items] {
          if (document) take(document, version, items);
        },
        Qt::QueuedConnection);
  });
}

void TestMargin::take(Document* document, qint64 version, const QVector<TestItem>& items) {
  const auto watched = watched_.find(document);
  if (watched == watched_.end()) return;
  watched->isRunning = false;
  document->textDocument()->buffer()->settle();
  if (document->textDocument()->buffer()->version() != version || watched->again) {
    // Marks of an earlier text would be beside other lines.
    if (watched->then.isEmpty()) return watched->soon->start();
    return find(document);
  }
  watched->version = version;
  watched->items = items;
  const TestFile file{document->path(), items};
  book_->setOpenFile(file);
  draw(document);
  for (const Then& then : std::exchange(watched->then, {})) then(file);
}

void TestMargin::draw(Document* document) {
  const auto watched = watched_.constFind(document);
  if (watched == watched_.cend()) return;
  auto* marks = RunMarks::of(document->editor());
  if (watched->items.isEmpty() && !marks->isShown()) return;
  // Typed on since: they are set anew in a moment.
  if (document->textDocument()->buffer()->version() != watched->version) return;
  QVector<RunMark> wanted;
  for (const TestItem& item : watched->items) {
    if (item.line < 0) continue;
    TestState state = book_->results().state(item.id);
    if (item.isGroup)
      for (const TestItem& inner : watched->items)
        if (inner.id.isIn(item.id))
          state = workbench::worse(state, book_->results().state(inner.id));
    wanted.append({item.line, kindOf(state)});
  }
  marks->set(wanted);
}

void TestMargin::runAt(const Document* document, int line) {
  const auto watched = watched_.constFind(document);
  if (watched == watched_.cend()) return;
  for (const TestItem& item : watched->items)
    if (item.line == line) return runner_->run({{item.id, document->path(), item.isGroup}});
}

}  // namespace waferpair::gui
