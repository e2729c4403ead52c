// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/pair_dock.h"

#include <QDir>
#include <QMultiMap>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "editor/text/line_ends.h"
#include "editor/text/path_on_disk.h"
#include "editor/widget/code_editor.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/dock_strip.h"
#include "gui/kit/start_gate.h"
#include "gui/pairing/apply_code.h"
#include "gui/pairing/review_panel.h"
#include "gui/project/file_index.h"
#include "gui/project/folder_names.h"
#include "gui/project/workspace.h"
#include "gui/store/settings.h"
#include "pairing/context/gather_in_background.h"
#include "pairing/context/mentions.h"
#include "pairing/edits/target_lines.h"

namespace waferpair::gui {
namespace {

pairing::ToolUse toolUse(AskTools wanted) {
  switch (wanted) {
    case AskTools::kOff:
      return pairing::ToolUse::kOff;
    case AskTools::kBySize:
      return pairing::ToolUse::kBySize;
    case AskTools::kAlways:
      return pairing::ToolUse::kAlways;
  }
  Q_UNREACHABLE();
}

}  // namespace

PairDock::PairDock(const Parts& parts, const QString& stateDirectory, QWidget* parent)
    : QDockWidget(tr("Ask"), parent),
      parts_(parts),
      texts_(parts.tabs),
      reviews_(&texts_, stateDirectory + QStringLiteral("/changes")),
      store_(stateDirectory + QStringLiteral("/threads")),
      search_([this] { return openTexts(); }),
      session_({&store_, &search_, parts.roster, [this] { return surroundings(); }, &agents_,
                [settings = parts.settings] { return settings->get().summarizeThreads; },
                [gate = parts.gate](const QString& folder) { return gate->isTrusted(folder); },
                [] { return true; },
                [settings = parts.settings] { return toolUse(settings->get().askTools); },
                [settings = parts.settings] { return settings->get().askActions; },
                [this](const QString& id, const QString& title) {
                  return id.isEmpty() ? reviews_.begin(title) : reviews_.review(id);
                }}),
      planTexts_(parts.tabs),
      changes_(stateDirectory + QStringLiteral("/changes")),
      planStore_(stateDirectory + QStringLiteral("/plans")),
      planSession_({&planStore_, &changes_, &planTexts_, &search_, parts.roster,
                    [this] { return surroundings(); }}),
      reviewSession_({&changes_, &planTexts_, parts.roster, [this] { return openTexts(); }}),
      marks_(parts.tabs, parts.prepare, nullptr),
      hints_(parts.tabs),
      tabBar_(new QTabBar(this)),
      stack_(new QStackedWidget(this)) {
  setObjectName(QStringLiteral("pairDock"));  // restoreState() finds it by this
  useProject(parts.workspace->folder());
  ask_ = makeAsk();
  plan_ = makePlan();
  review_ = makeReview();
  layOut();
  followParts();
}

AskPanel* PairDock::makeAsk() {
  const AskPanel::Window window{
      parts_.picker,
      parts_.prompt,
      [this](const QString& path, int line) { open(path, line); },
      [this](const QString& code) { return insert(code); },
      [this](const AnswerBlock& block) { return apply(block); },
      [this](const QString& title, const QString& markdown) { showMarkdown(title, markdown); },
      [this](const QString& id) { return reviews_.review(id); },
      [this] { return unsaved(); },
      [this](const QStringList& paths) { return texts_.save(paths); },
      [this] {
        QStringList names;
        for (const pairing::OtherFolder& other : otherFolders())
          for (const QString& file : other.files) names.append(other.label + u'/' + file);
        return names;
      }};
  return new AskPanel(&session_, &search_, window, this);
}

PlanPanel* PairDock::makePlan() {
  const PlanPanel::Window window{parts_.picker,
                                 parts_.prompt,
                                 parts_.gate,
                                 &marks_,
                                 [this] { return unsaved().size(); },
                                 [this] { texts_.save(unsaved()); },
                                 [this](const QString& code) { return insert(code); },
                                 [this](const AnswerBlock& block) { return apply(block); }};
  return new PlanPanel(&planSession_, window, this);
}

ReviewPanel* PairDock::makeReview() {
  return new ReviewPanel(
      &reviewSession_,
      {&marks_, &hints_, [this](const QString& path, int line) { open(path, line); },
       [this] { return unsaved().size(); }},
      this);
}

void PairDock::layOut() {
  tabBar_->setObjectName(QStringLiteral("pairTabs"));
  tabBar_->setAccessibleName(tr("Ask, plan or review"));
  tabBar_->setDrawBase(false);
  tabBar_->setExpanding(false);
  tabBar_->addTab(tr("Ask"));
  tabBar_->addTab(tr("Plan"));
  tabBar_->addTab(tr("Review"));
  stack_->addWidget(ask_);
  stack_->addWidget(plan_);
  stack_->addWidget(review_);
  auto* content = new QWidget(this);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(tabBar_);
  column->addWidget(stack_, 1);
  setWidget(content);
  connect(tabBar_, &QTabBar::currentChanged, this, [this](int index) {
    stack_->setCurrentIndex(index);
    setWindowTitle(tabBar_->tabText(index));
    Q_EMIT pageChanged();
  });
}

QVector<RunningStart> PairDock::running() {
  using programs::GivenStart;
  QVector<RunningStart> running;
  for (const QString& agent : agents_.running())
    running.append({{session_.folder(), GivenStart::Kind::kAgent, agent, {}, {}},
                    [this] { agents_.giveUp(tr("Trust in this folder was taken back.")); }});
  for (const auto& [threadId, command] : session_.runningCommands())
    running.append({{session_.folder(), GivenStart::Kind::kCommand, command, {}, {}},
                    [this, id = threadId] { session_.stop(id); }});
  for (const pairing::Plan& plan : planSession_.plans())
    if (const auto command = planSession_.runningCommand(plan.id()))
      running.append({{planSession_.folder(), GivenStart::Kind::kCommand, command->command, {}, {}},
                      [this, id = plan.id()] { planSession_.stop(id); }});
  return running;
}

void PairDock::followParts() {
  parts_.gate->addRunning(this, [this] { return running(); });
  connect(&session_, &pairing::AskSession::problem, this, &PairDock::problem);
  connect(&planSession_, &pairing::PlanSession::problem, this, &PairDock::problem);
  connect(&session_, &pairing::AskSession::agentRestricted, this, [this](const QString& agent) {
    parts_.gate->start({session_.folder(), programs::GivenStart::Kind::kAgent, agent, {}, {}},
                       [] {});
  });
  connect(parts_.workspace, &Workspace::folderChanged, this, &PairDock::useProject);
  connect(ask_, &AskPanel::planWanted, this,
          [this](const QString& title, const pairing::Message& answer) {
            const QString id = planSession_.adopt(title, answer);
            showPage(Page::kPlan);
            plan_->openPlan(id);
          });
  connect(&session_, &pairing::AskSession::answerGrew, this,
          [this](const QString& threadId, const QString& messageId) {
            const pairing::Thread* thread = session_.find(threadId);
            const pairing::Message* answer = thread ? thread->find(messageId) : nullptr;
            if (answer) planSession_.follow(*answer);
          });
  connect(&session_, &pairing::AskSession::threadChanged, this, [this](const QString& threadId) {
    const pairing::Thread* thread = session_.find(threadId);
    if (!thread) return;
    for (const pairing::Message& message : thread->messages) planSession_.follow(message);
  });
  connect(&session_, &pairing::AskSession::filesTouched, this, &PairDock::takeChanges);
  connect(parts_.files, &FileIndex::changed, this, &PairDock::readProject);
  // The project's files are not read before somebody looks at one of the panels.
  const auto begin = [this] {
    if (!std::exchange(isSearched_, true)) readProject();
  };
  connect(ask_, &AskPanel::firstShown, this, begin);
  connect(plan_, &PlanPanel::firstShown, this, begin);
  connect(parts_.tabs, &EditorTabs::opened, this, [this](Document* document) {
    connect(document, &Document::written, this, [this, document] {
      if (!texts_.isWriting()) agents_.noteSaved(document->path());
    });
    // A text that is saved is no business of a command's any more.
    connect(document, &Document::titleChanged, plan_, &PlanPanel::showUnsaved);
  });
  const auto applyFont = [this] {
    ask_->setCodeFont(parts_.settings->editorFont());
    plan_->setCodeFont(parts_.settings->editorFont());
    review_->setCodeFont(parts_.settings->editorFont());
  };
  connect(parts_.settings, &Settings::changed, this, applyFont);
  applyFont();
}

// The tabs are in the order of Page.
PairDock::Page PairDock::page() const { return static_cast<Page>(tabBar_->currentIndex()); }

void PairDock::showPage(Page page) { tabBar_->setCurrentIndex(static_cast<int>(page)); }

void showPairPage(PairDock* dock, DockStrip* strip, PairDock::Page page) {
  if (dock->isHidden() || strip->isStrip()) strip->open();
  dock->raise();
  dock->showPage(page);
}

QStringList PairDock::failedOutputs() const {
  QMultiMap<QDateTime, QString> byTime;
  for (const pairing::Plan& plan : planSession_.plans())
    for (const pairing::PlanStep& step : plan.steps)
      if (!step.runs.isEmpty() && step.runs.constLast().exitCode.value_or(0) != 0)
        byTime.insert(step.ranAt, step.runs.constLast().output);
  QStringList latestFirst = byTime.values();
  std::reverse(latestFirst.begin(), latestFirst.end());
  return latestFirst;
}

// Their files can be mentioned; all else of questions is about the first folder.
QVector<pairing::OtherFolder> PairDock::otherFolders() const {
  QVector<pairing::OtherFolder> others;
  const QStringList folders = parts_.files->folders();
  const QStringList labels = folderLabels(folders);
  for (qsizetype i = 1; i < folders.size(); ++i)
    others.append({labels[i], folders[i], parts_.files->filesOf(folders[i])});
  return others;
}

void PairDock::readProject() {
  if (isSearched_) search_.setProject(parts_.files->folder(), parts_.files->files());
}

QStringList PairDock::unsaved() const { return texts_.unsaved(parts_.workspace->folder()); }

// The panels speak to their sessions as they go.
PairDock::~PairDock() {
  ask_->keepDraft();
  delete ask_;
  delete plan_;
  delete review_;
}

void PairDock::useProject(const QString& folder) {
  session_.setProject(folder);
  planSession_.setProject(folder);
  reviewSession_.setProject(folder);
  reviews_.setProject(folder);
  agents_.setProject({folder, &texts_, [](const QString& root) {
                        const std::atomic<bool> canceled = false;
                        return listProjectFiles(root, pairing::ProjectState::kMostFiles, canceled);
                      }});
}

// The open texts first: from then on what is kept or taken back goes through them.
void PairDock::takeChanges(const QString& threadId, const QString& messageId,
                           const QVector<pairing::DiskChange>& changes) {
  const QString root = parts_.workspace->folder();
  for (const pairing::DiskChange& change : changes)
    if (change.unknown.isEmpty())
      texts_.takeOutside(root + u'/' + change.path, change.before, change.after);
  const pairing::Thread* thread = session_.find(threadId);
  QString wrong;
  const QString id = reviews_.keep(thread->title, changes, &wrong);
  if (!wrong.isEmpty()) Q_EMIT problem(wrong);
  session_.setChangeSet(threadId, messageId, id);
}

void PairDock::keepEverything() {
  ask_->keepDraft();
  store_.flush();
  planStore_.flush();
}

// Of the passages as they are by now: nobody waits for a project to be read.
void PairDock::gatherForEdit(const pairing::UnaskedWish& wish, QObject* receiver,
                             std::function<void(const QVector<pairing::ContextItem>& items)> then) {
  if (!std::exchange(isSearched_, true)) readProject();
  pairing::ContextRequest request;
  request.root = parts_.workspace->frontFolder();
  request.open = openTexts();
  request.problems = parts_.problems();
  request.passages = search_.passages();
  request.budget = wish.budget;
  request.unasked = wish;
  request.unasked.ownRules = parts_.ownRules;
  pairing::gatherInBackground(
      request, {}, receiver,
      [then = std::move(then)](const pairing::GatheredContext& gathered) { then(gathered.items); });
}

void PairDock::enterAsk() {
  showPage(Page::kAsk);
  const Document* document = parts_.tabs->current();
  const bool selected = document && document->editor()->hasSelection();
  ask_->enter(selected ? pairing::mentionOf(QLatin1String(pairing::kSelectionMention)) : QString());
}

QVector<pairing::OpenText> PairDock::openTexts() const {
  QVector<pairing::OpenText> open;
  for (const Document* document : parts_.tabs->documents()) {
    if (document->isPristine()) continue;
    open.append({document->path(), document->title(), document->text()});
  }
  return open;
}

pairing::AskSession::Surroundings PairDock::surroundings() const {
  pairing::AskSession::Surroundings at{openTexts(), {}, parts_.problems(), {}};
  at.unsaved = texts_.unsaved(parts_.workspace->folder());
  at.terminal = parts_.terminal();
  at.others = otherFolders();
  at.ownRules = parts_.ownRules;
  const Document* front = parts_.tabs->current();
  if (front && !front->isPristine()) {
    const editor::Snapshot text = front->text();
    const qint64 caret = std::min<qint64>(front->editor()->caret(), text.size());
    const pairing::LineRange block = pairing::targetAt(text, caret, caret).lines;
    at.front = {front->path(), front->title(), front->editor()->language(), text, caret,
                block.first,   block.end()};
  }
  if (!front || !front->editor()->hasSelection()) return at;
  const editor::CodeEditor& editor = *front->editor();
  const auto start = static_cast<qint64>(editor.sci(editor::CodeEditor::SCI_GETSELECTIONSTART));
  const auto end = static_cast<qint64>(editor.sci(editor::CodeEditor::SCI_GETSELECTIONEND));
  int last = editor.lineAt(end);
  // Up to the beginning of a line none of it is selected.
  if (last > editor.lineAt(start) && end == editor.lineStart(last)) --last;
  at.selection = {front->path(), front->title(), editor.lineAt(start) + 1, last + 1,
                  QString::fromUtf8(editor.textRange(start, end))};
  return at;
}

void PairDock::open(const QString& path, int line) {
  parts_.tabs->open(path, {.then = [line](Document* document) {
                      if (document) document->editor()->goToLine(line - 1);
                    }});
}

bool PairDock::insert(const QString& code) {
  Document* document = parts_.tabs->current();
  if (!document || document->editor()->sci(editor::CodeEditor::SCI_GETREADONLY)) return false;
  editor::CodeEditor& editor = *document->editor();
  const QByteArray text = editor::withLineEnds(code.toUtf8(), editor.lineEnds());
  const auto start = static_cast<qint64>(editor.sci(editor::CodeEditor::SCI_GETSELECTIONSTART));
  const auto end = static_cast<qint64>(editor.sci(editor::CodeEditor::SCI_GETSELECTIONEND));
  editor.replaceRange(start, end, text);
  editor.setSelection(start, start + text.size());
  editor.setFocus();
  return true;
}

QStringList PairDock::apply(const AnswerBlock& block) {
  return offerChanges(
      block, {parts_.tabs, parts_.workspace->folder(), parts_.files->files(), parts_.prepare,
              [this](const QString& title, const auto& changes) { return propose(title, changes); },
              [this](const QString& path) { return inOtherFolder(path); }});
}

// As a mention names it, unless the first folder has something of this name.
QString PairDock::inOtherFolder(const QString& path) const {
  if (editor::isThere(parts_.workspace->folder() + u'/' + path)) return {};
  for (const pairing::OtherFolder& other : otherFolders()) {
    if (!path.startsWith(other.label + u'/')) continue;
    const QString meant = QDir::cleanPath(other.root + path.mid(other.label.size()));
    return isBelowFolder(meant, other.root) ? meant : QString();
  }
  return {};
}

QString PairDock::propose(const QString& title, const QVector<pairing::ProposedChange>& changes) {
  const auto offered = reviewSession_.offer(title, changes);
  if (!offered) return offered.error().message();
  showPage(Page::kReview);
  return {};
}

void PairDock::showMarkdown(const QString& title, const QString& markdown) {
  Document* document = parts_.tabs->newDocument(title);
  document->editor()->setLanguage(QStringLiteral("Markdown"));
  document->textDocument()->replaceText(editor::Snapshot(markdown.toUtf8()));
  document->editor()->goToLine(0);
}

}  // namespace waferpair::gui
