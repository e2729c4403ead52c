// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/testing/tests_panel.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QDir>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>
#include <chrono>
#include <functional>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/elided.h"
#include "gui/kit/picker.h"
#include "gui/kit/printed_text.h"
#include "gui/kit/small_button.h"
#include "gui/project/workspace.h"
#include "gui/store/settings.h"
#include "gui/testing/test_runner.h"
#include "gui/testing/test_tree.h"

namespace waferpair::gui {

using workbench::TestId;
using workbench::TestResult;
using workbench::TestState;
using workbench::WantedTest;

namespace {

constexpr std::chrono::milliseconds kShowOutputSoon(150);
constexpr qsizetype kMostShownOutput = 256 << 10;  // bytes: the end of it

}  // namespace

TestsPanel::TestsPanel(const TestParts& parts, TestBook* book, TestRunner* runner, QWidget* parent)
    : QWidget(parent),
      p_(parts),
      book_(book),
      runner_(runner),
      model_(new TestTree(book, this)),
      shown_(new QSortFilterProxyModel(this)),
      filter_(new QLineEdit(this)),
      state_(new ElidedLabel(this)),
      runAll_(
          makeSmallButton("testsRunAll", tr("Run &All"), tr("Run all tests of the project"), this)),
      runFailed_(makeSmallButton("testsRunFailed", tr("Run Fai&led"),
                                 tr("Run the tests again that have failed"), this)),
      cancel_(makeSmallButton("testsStop", tr("Cancel"), tr("End what runs"), this)),
      run_(makeSmallButton("testsRun", tr("Run"), tr("Run what is chosen (Space)"), this)),
      fix_(makeSmallButton("testsFix", tr("Fix This"),
                           tr("Have a model change the code at the failure; you decide about it"),
                           this)),
      tree_(new QTreeView(this)),
      output_(new QPlainTextEdit(this)),
      splitter_(new QSplitter(this)) {
  setObjectName(QStringLiteral("testsPanel"));
  setAccessibleName(tr("Tests"));
  shown_->setSourceModel(model_);
  shown_->setFilterRole(TestTree::kTestWordsRole);
  shown_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  shown_->setRecursiveFilteringEnabled(true);
  layOut();
  outputSoon_.setSingleShot(true);
  outputSoon_.setInterval(kShowOutputSoon);
  connect(&outputSoon_, &QTimer::timeout, this, &TestsPanel::showOutput);
  // Behind the book, which forgets what was wanted of the folder before.
  connect(parts.workspace, &Workspace::folderChanged, this, [this] {
    if (isVisible()) showFiles();
  });
  connect(book, &TestBook::filesChanged, this, [this] { show(true); });
  connect(book, &TestBook::resultsChanged, this, [this] { show(false); });
  connect(runner, &TestRunner::changed, this, [this] {
    showButtons();
    if (isVisible() && !outputSoon_.isActive()) outputSoon_.start();
  });
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& words) {
    shown_->setFilterFixedString(words.trimmed());
    if (!words.isEmpty()) tree_->expandAll();
    showButtons();
  });
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
    showButtons();
    showOutput();
  });
  connect(tree_, &QTreeView::doubleClicked, this, &TestsPanel::goTo);
  connect(runAll_, &QPushButton::clicked, runner, &TestRunner::runAll);
  connect(runFailed_, &QPushButton::clicked, runner, &TestRunner::runFailed);
  connect(cancel_, &QPushButton::clicked, runner, &TestRunner::cancel);
  connect(run_, &QPushButton::clicked, this, &TestsPanel::runChosen);
  connect(fix_, &QPushButton::clicked, this, &TestsPanel::fixChosen);
  showButtons();
}

void TestsPanel::layOut() {
  filter_->setObjectName(QStringLiteral("testsFilter"));
  filter_->setPlaceholderText(tr("Filter"));
  filter_->setAccessibleName(tr("Only tests with this in their name, file or state"));
  filter_->setClearButtonEnabled(true);
  filter_->setMinimumWidth(80);
  filter_->installEventFilter(this);
  state_->setObjectName(QStringLiteral("testsState"));
  state_->setProperty("role", QStringLiteral("muted"));
  state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  tree_->setObjectName(QStringLiteral("testsTree"));
  tree_->setAccessibleName(tr("Tests by file"));
  tree_->setModel(shown_);
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(14);
  tree_->setTextElideMode(Qt::ElideMiddle);
  tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree_->setExpandsOnDoubleClick(false);
  tree_->setMinimumHeight(48);
  tree_->installEventFilter(this);
  output_->setObjectName(QStringLiteral("testsOutput"));
  output_->setAccessibleName(tr("What the test printed"));
  output_->setReadOnly(true);
  output_->setFrameShape(QFrame::NoFrame);
  output_->setLineWrapMode(QPlainTextEdit::NoWrap);
  output_->setUndoRedoEnabled(false);
  output_->installEventFilter(this);
  const auto dress = [this] { output_->setFont(p_.settings->editorFont()); };
  connect(p_.settings, &Settings::changed, this, dress);
  dress();

  auto* left = new QWidget(this);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 4, 8, 4);
  row->setSpacing(6);
  row->addWidget(filter_, 2);
  row->addWidget(runAll_);
  row->addWidget(runFailed_);
  row->addWidget(cancel_);
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(tree_, 1);
  auto* right = new QWidget(this);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(8, 4, 8, 4);
  buttons->setSpacing(6);
  buttons->addWidget(state_, 1);
  buttons->addWidget(run_);
  buttons->addWidget(fix_);
  auto* second = new QVBoxLayout(right);
  second->setContentsMargins(0, 0, 0, 0);
  second->setSpacing(0);
  second->addLayout(buttons);
  second->addWidget(output_, 1);
  splitter_->setObjectName(QStringLiteral("testsSplitter"));
  splitter_->setChildrenCollapsible(false);
  splitter_->addWidget(left);
  splitter_->addWidget(right);
  splitter_->setStretchFactor(0, 3);
  splitter_->setStretchFactor(1, 4);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(splitter_);
  setFocusProxy(tree_);
}

void TestsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showFiles();
}

// The project's files are looked at, also where the panel was restored; programs are not run for
// it.
void TestsPanel::showFiles() {
  book_->whenRead([this] { show(true); });
  show(true);
}

void TestsPanel::enter() {
  if (!tree_->currentIndex().isValid()) tree_->setCurrentIndex(shown_->index(0, 0));
  tree_->setFocus(Qt::TabFocusReason);
}

QModelIndex TestsPanel::current() const { return shown_->mapToSource(tree_->currentIndex()); }

// What was current, and open, stays so.
void TestsPanel::show(bool isRebuilt) {
  if (!isVisible()) return;
  if (!isRebuilt) {
    model_->refreshStates();
    showButtons();
    showOutput();
    return;
  }
  const TestTree::Row at = model_->row(current());
  QSet<QString> open;
  const auto keyOf = [this](const QModelIndex& index) {
    const TestTree::Row row = model_->row(shown_->mapToSource(index));
    return row.id ? row.id->key() : row.path;
  };
  const std::function<void(const QModelIndex&, bool)> walk = [&](const QModelIndex& parent,
                                                                 bool isRestoring) {
    for (int i = 0; i < shown_->rowCount(parent); ++i) {
      const QModelIndex index = shown_->index(i, 0, parent);
      if (!shown_->hasChildren(index)) continue;
      if (isRestoring && open.contains(keyOf(index))) tree_->expand(index);
      if (!isRestoring && tree_->isExpanded(index)) open.insert(keyOf(index));
      walk(index, isRestoring);
    }
  };
  walk({}, false);
  const QSignalBlocker quiet(tree_->selectionModel());
  model_->rebuild();
  walk({}, true);
  if (at.id) choose(*at.id);
  if (!tree_->currentIndex().isValid()) tree_->setCurrentIndex(shown_->index(0, 0));
  showButtons();
  showOutput();
}

void TestsPanel::choose(const TestId& id) {
  const std::function<bool(const QModelIndex&)> find = [&](const QModelIndex& parent) {
    for (int i = 0; i < shown_->rowCount(parent); ++i) {
      const QModelIndex index = shown_->index(i, 0, parent);
      if (model_->row(shown_->mapToSource(index)).id == id) {
        tree_->setCurrentIndex(index);
        tree_->scrollTo(index);
        return true;
      }
      if (find(index)) return true;
    }
    return false;
  };
  find({});
}

void TestsPanel::showButtons() {
  const bool isRunning = runner_->isRunning();
  const TestTree::Row at = model_->row(current());
  const bool isRow = current().isValid();
  cancel_->setVisible(isRunning);
  runAll_->setEnabled(!isRunning);
  runFailed_->setEnabled(!isRunning && !book_->results().failed().isEmpty());
  run_->setEnabled(!isRunning && isRow);
  const QVariant state = current().data(TestTree::kTestStateRole);
  fix_->setVisible(isRow && state.toInt() == static_cast<int>(TestState::kFailed));
  QStringList counts;
  for (const TestState each : {TestState::kFailed, TestState::kPassed, TestState::kSkipped,
                               TestState::kRunning, TestState::kNotRun})
    if (const int count = model_->count(each); count > 0)
      counts.append(tr("%1 %2").arg(count).arg(stateWord(each)));
  QString text = counts.join(QStringLiteral(", "));
  if (text.isEmpty())
    text = book_->isRead() ? tr("No tests were found in this project's files.")
                           : tr("The project's files are being read…");
  if (isRunning && !runner_->step().isEmpty()) text += QStringLiteral(" · ") + runner_->step();
  state_->setText(text);
  state_->setToolTip(text);
}

void TestsPanel::showOutput() {
  if (!isVisible()) return;
  const TestTree::Row at = model_->row(current());
  const TestResult* result = at.id ? book_->results().of(*at.id) : nullptr;
  QString text;
  if (result) {
    text = result->message();
    const QString output = result->output();
    if (!output.isEmpty() && output.trimmed() != text.trimmed())
      text += (text.isEmpty() ? QString() : QStringLiteral("\n\n")) + output;
  }
  // Of what has no words of its own: all that the run has printed.
  if (text.isEmpty() && !(result && result->state() == TestState::kPassed))
    text = QString::fromUtf8(runner_->output().right(kMostShownOutput));
  text = printedText(text);
  if (text == output_->toPlainText()) return;
  QScrollBar* bar = output_->verticalScrollBar();
  const bool wasAtEnd = bar->value() == bar->maximum();
  output_->setPlainText(text);
  if (!result && wasAtEnd) bar->setValue(bar->maximum());
}

// -- What is done with the chosen row

void TestsPanel::runChosen() {
  const TestTree::Row at = model_->row(current());
  if (!current().isValid()) return;
  if (at.id) return runner_->run({{*at.id, at.path, at.isGroup}});
  if (at.path.isEmpty()) {
    // All of CTest's that no file is known for.
    QVector<WantedTest> wanted;
    for (const TestId& id : book_->otherTests()) wanted.append({id, {}, false});
    return runner_->run(wanted);
  }
  for (const workbench::TestFile& file : book_->files())
    if (file.path == at.path) return runner_->run(workbench::wantedOf(file));
}

void TestsPanel::debugChosen() {
  const TestTree::Row at = model_->row(current());
  if (at.id) runner_->debug({*at.id, at.path, at.isGroup});
}

void TestsPanel::goTo() {
  const TestTree::Row at = model_->row(current());
  QString path = at.path;
  int line = -1;
  if (const workbench::TestItem* item = at.id ? book_->find(*at.id, nullptr) : nullptr)
    line = item->line;
  // To the failure, where its place is known.
  if (at.id) {
    QString failedPath;
    if (const int failed = runner_->failedLine(*at.id, &failedPath); failed > 0) {
      path = failedPath;
      line = failed - 1;
    }
  }
  if (path.isEmpty()) return;
  p_.tabs->open(path, {.then = [line](Document* document) {
                  if (document && line >= 0) document->editor()->goToLine(line);
                }});
}

void TestsPanel::fixChosen() {
  const TestTree::Row at = model_->row(current());
  if (at.id) {
    runner_->fix(*at.id);
    return;
  }
  for (const workbench::TestFile& file : book_->files()) {
    if (file.path != at.path) continue;
    for (const WantedTest& each : workbench::wantedOf(file))
      if (runner_->fix(each.id)) return;
  }
}

void TestsPanel::chooseBuild() {
  book_->whenRead([this] {
    const QStringList builds = book_->builds();
    QList<PickerItem> items;
    for (const QString& build : builds)
      items.append({.text = QDir(book_->folder()).relativeFilePath(build), .data = build});
    p_.picker->open(tr("Build folders"), tr("Where tests are built and run"), items,
                    [this](const QVariant& build) { book_->useBuild(build.toString()); });
    if (items.isEmpty())
      p_.picker->setNote(tr("CMake has configured no build folder in this project."));
  });
}

QMenu* TestsPanel::makeMenu() {
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("testsPanelMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](const char* name, const QString& text, bool isEnabled,
                       void (TestsPanel::*run)()) {
    QAction* action = menu->addAction(text);
    action->setObjectName(QLatin1String(name));
    action->setEnabled(isEnabled);
    connect(action, &QAction::triggered, this, run);
  };
  add("testsMenuRun", tr("&Run"), !runner_->isRunning(), &TestsPanel::runChosen);
  add("testsMenuDebug", tr("&Debug"),
      !runner_->isRunning() && model_->row(current()).id.has_value(), &TestsPanel::debugChosen);
  add("testsMenuGo", tr("&Go to Its Code"), !model_->row(current()).path.isEmpty(),
      &TestsPanel::goTo);
  add("testsMenuFix", tr("&Fix This"), fix_->isVisibleTo(this), &TestsPanel::fixChosen);
  return menu;
}

bool TestsPanel::eventFilter(QObject* watched, QEvent* event) {
  const bool isKey = event->type() == QEvent::KeyPress;
  const int key = isKey ? static_cast<QKeyEvent*>(event)->key() : 0;
  const bool isReturn = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (watched == tree_ && isReturn) {
    goTo();
    return true;
  }
  if (watched == tree_ && key == Qt::Key_Space) {
    runChosen();
    return true;
  }
  if (watched == filter_ && (isReturn || key == Qt::Key_Down)) {
    enter();
    return true;
  }
  if (watched == output_ && key == Qt::Key_Escape) {
    enter();
    return true;
  }
  if (watched == tree_ && event->type() == QEvent::ContextMenu) {
    if (!current().isValid()) return true;
    const auto* menu = static_cast<QContextMenuEvent*>(event);
    const QPoint at =
        menu->reason() == QContextMenuEvent::Mouse
            ? menu->globalPos()
            : tree_->viewport()->mapToGlobal(tree_->visualRect(tree_->currentIndex()).center());
    makeMenu()->popup(at);
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::gui
