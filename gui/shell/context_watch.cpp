// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/context_watch.h"

#include <QApplication>

#include "editor/assist/hunks.h"
#include "editor/ghost/ghost_text.h"
#include "editor/ghost/line_hint.h"
#include "editor/widget/list_popup.h"
#include "editor/widget/snippet_mode.h"
#include "gui/client/runtime_service.h"
#include "gui/debug/debug_runner.h"
#include "gui/documents/comparison.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/merge_conflicts.h"
#include "gui/documents/pane_tree.h"
#include "gui/kit/contexts.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/review_panel.h"
#include "gui/project/folder_tree.h"
#include "gui/project/workspace.h"
#include "gui/tasks/task_runner.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "gui/wafer/wafer_dock.h"
#include "gui/workbench/search_panel.h"

namespace waferpair::gui {

using editor::CodeEditor;
using editor::GhostText;
using editor::Hunks;

ContextWatch::ContextWatch(Contexts* contexts, const Parts& parts)
    : contexts_(contexts), p_(parts) {
  connect(p_.tabs, &EditorTabs::currentChanged, this, &ContextWatch::watch);
  connect(p_.tabs, &EditorTabs::moved, this,
          [this] { contexts_->set(Context::kPanesSplit, p_.tabs->tree()->panes().size() > 1); });
  connect(p_.workspace, &Workspace::folderChanged, this, [this](const QString& folder) {
    contexts_->set(Context::kFolderOpen, !folder.isEmpty());
  });
  connect(qApp, &QApplication::focusChanged, this, &ContextWatch::lookAtFocus);
  connect(p_.pair->ask(), &AskPanel::changed, this, &ContextWatch::lookAtAsk);
  lookAtAsk();
  connect(p_.pair->plan(), &PlanPanel::changed, this, &ContextWatch::lookAtPlan);
  lookAtPlan();
  connect(p_.pair->review(), &ReviewPanel::changed, this, &ContextWatch::lookAtReview);
  lookAtReview();
  connect(p_.search, &SearchPanel::changed, this,
          [this] { contexts_->set(Context::kFoundInFiles, p_.search->hasMatches()); });
  connect(p_.terminals, &TerminalPanel::currentChanged, this, [this] {
    contexts_->set(Context::kTerminalOpen, p_.terminals->current() != nullptr);
    lookAtFocus();
  });
  connect(p_.tasks, &TaskRunner::changed, this,
          [this] { contexts_->set(Context::kTaskRunning, p_.tasks->running() > 0); });
  connect(p_.debug, &DebugRunner::stateChanged, this, [this] {
    const DebugRunner& debug = *p_.debug;
    contexts_->set(Context::kDebugging, debug.isBusy());
    contexts_->set(Context::kDebugRunning, debug.isBusy() && !debug.isStopped());
    contexts_->set(Context::kDebugStopped, debug.isStopped());
  });
  if (p_.runtime) {
    connect(p_.runtime, &RuntimeService::stateChanged, this, [this] {
      contexts_->set(Context::kModelReady, p_.runtime->state() == RuntimeService::State::kReady);
    });
    connect(p_.runtime->trace(), &TraceControl::changed, this, [this] {
      contexts_->set(Context::kRecording, !p_.runtime->trace()->file().isEmpty());
    });
  }
  if (p_.wafer) {
    connect(p_.wafer, &WaferDock::replayChanged, this,
            [this] { contexts_->set(Context::kReplaying, p_.wafer->replay() != nullptr); });
  }
}

void ContextWatch::watch(Document* document) {
  if (document_) {
    document_->editor()->ghost()->disconnect(this);
    document_->editor()->nextEditHint()->disconnect(this);
    document_->editor()->list()->disconnect(this);
    document_->editor()->snippets()->disconnect(this);
    document_->editor()->disconnect(this);
    document_->hunks()->disconnect(this);
    document_->disconnect(this);
    if (MergeConflicts* merge = MergeConflicts::of(document_)) merge->disconnect(this);
  }
  document_ = document;
  if (document_) {
    const GhostText* ghost = document_->editor()->ghost();
    connect(ghost, &GhostText::changed, this, &ContextWatch::lookAtGhost);
    connect(ghost, &GhostText::cleared, this, &ContextWatch::lookAtGhost);
    connect(document_->editor()->list(), &editor::ListPopup::changed, this,
            &ContextWatch::lookAtGhost);
    connect(document_->editor()->snippets(), &editor::SnippetMode::activeChanged, this,
            &ContextWatch::lookAtGhost);
    connect(document_->editor()->nextEditHint(), &editor::LineHint::changed, this,
            &ContextWatch::lookAtNextEdit);
    connect(document_->hunks(), &Hunks::changed, this, &ContextWatch::lookAtHunks);
    connect(document_->editor(), &CodeEditor::cursorMoved, this, &ContextWatch::lookAtHunks);
    connect(document_, &Document::besideChanged, this, &ContextWatch::lookAtBeside);
    if (const MergeConflicts* merge = MergeConflicts::of(document_))
      connect(merge, &MergeConflicts::changed, this, &ContextWatch::lookAtBeside);
  }
  contexts_->set(Context::kDocumentOpen, document != nullptr);
  lookAtGhost();
  lookAtHunks();
  lookAtBeside();
  lookAtNextEdit();
  lookAtFocus();
}

void ContextWatch::lookAtGhost() {
  const CodeEditor* editor = document_ ? document_->editor() : nullptr;
  const bool ghost = editor && editor->ghost()->isShown();
  const bool list = editor && editor->list()->isOpen();
  contexts_->set(Context::kGhostShown, ghost);
  contexts_->set(Context::kListShown, list);
  contexts_->set(Context::kInSnippet, editor && editor->snippets()->isActive());
  contexts_->set(Context::kListOnTop, list && (!ghost || editor->list()->isOnTop()));
}

void ContextWatch::lookAtHunks() {
  const Hunks* hunks = document_ ? document_->hunks() : nullptr;
  contexts_->set(Context::kHunksShown, hunks && hunks->offeredCount() > 0);
  contexts_->set(Context::kHunkAtCaret, hunks && hunks->at(document_->editor()->caret()) >= 0);
}

void ContextWatch::lookAtBeside() {
  contexts_->set(Context::kCompared, Comparison::of(document_) != nullptr);
  const MergeConflicts* merge = MergeConflicts::of(document_);
  contexts_->set(Context::kConflicts, merge && !merge->conflicts().isEmpty());
}

void ContextWatch::lookAtAsk() {
  const AskPanel& ask = *p_.pair->ask();
  contexts_->set(Context::kAskRunning, ask.isRunning());
  contexts_->set(Context::kAskQueued, ask.hasQueued());
  contexts_->set(Context::kAskThread, ask.thread() && !ask.thread()->messages.isEmpty());
  contexts_->set(Context::kAskSummary, ask.thread() && ask.thread()->summarized() > 0);
}

void ContextWatch::lookAtPlan() {
  const PlanPanel& plan = *p_.pair->plan();
  contexts_->set(Context::kPlanRunning, plan.isRunning());
  contexts_->set(Context::kPlanQueued, plan.hasQueued());
  contexts_->set(Context::kPlanSteps, plan.plan() && !plan.plan()->steps.isEmpty());
}

void ContextWatch::lookAtReview() {
  contexts_->set(Context::kReviewRunning, p_.pair->review()->isRunning());
  contexts_->set(Context::kReviewRemarks, p_.pair->review()->hasPlaces());
}

void ContextWatch::lookAtNextEdit() {
  contexts_->set(Context::kNextEditOffered,
                 document_ && document_->editor()->nextEditHint()->isOffered());
}

void ContextWatch::lookAtFocus() {
  const QWidget* focus = QApplication::focusWidget();
  const Document* document = p_.tabs->current();
  contexts_->set(Context::kEditorFocused, document && focus == document->editor());
  contexts_->set(Context::kFilesFocused, focus && p_.tree->isAncestorOf(focus));
  contexts_->set(Context::kTerminalFocused, qobject_cast<const TerminalView*>(focus) != nullptr);
  contexts_->set(Context::kAskFocused, focus && p_.pair->ask()->isAncestorOf(focus));
  contexts_->set(Context::kPlanFocused, focus && p_.pair->plan()->isAncestorOf(focus));
}

}  // namespace waferpair::gui
