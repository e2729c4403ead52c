// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/contexts.h"

#include <QStringList>

#include "gui/translate.h"

namespace waferpair::gui {
namespace {

struct Row {
  Context context;
  const char* name;
  const char* is;  // in words, as in "while ..."
  const char* isNot;
};

// The names are in the order of Context.
constexpr Row kContexts[] = {
    {Context::kDocumentOpen, "document-open", QT_TRANSLATE_NOOP("Window", "a file is open"),
     QT_TRANSLATE_NOOP("Window", "no file is open")},
    {Context::kEditorFocused, "editor-focused",
     QT_TRANSLATE_NOOP("Window", "the text has the keyboard"),
     QT_TRANSLATE_NOOP("Window", "the text does not have the keyboard")},
    {Context::kGhostShown, "ghost-shown", QT_TRANSLATE_NOOP("Window", "a suggestion is shown"),
     QT_TRANSLATE_NOOP("Window", "no suggestion is shown")},
    {Context::kHunksShown, "hunks-shown", QT_TRANSLATE_NOOP("Window", "changes are offered"),
     QT_TRANSLATE_NOOP("Window", "no changes are offered")},
    {Context::kHunkAtCaret, "hunk-at-caret",
     QT_TRANSLATE_NOOP("Window", "the caret is at an offered change"),
     QT_TRANSLATE_NOOP("Window", "the caret is not at an offered change")},
    {Context::kNextEditOffered, "next-edit-offered",
     QT_TRANSLATE_NOOP("Window", "a next edit is offered"),
     QT_TRANSLATE_NOOP("Window", "no next edit is offered")},
    {Context::kListShown, "list-shown", QT_TRANSLATE_NOOP("Window", "the list of words is open"),
     QT_TRANSLATE_NOOP("Window", "no list of words is open")},
    {Context::kListOnTop, "list-on-top",
     QT_TRANSLATE_NOOP("Window", "the list is nearer than a suggestion"),
     QT_TRANSLATE_NOOP("Window", "no list is nearer")},
    {Context::kInSnippet, "in-snippet", QT_TRANSLATE_NOOP("Window", "a snippet is being filled in"),
     QT_TRANSLATE_NOOP("Window", "no snippet is being filled in")},
    {Context::kFolderOpen, "folder-open", QT_TRANSLATE_NOOP("Window", "a folder is open"),
     QT_TRANSLATE_NOOP("Window", "no folder is open")},
    {Context::kFilesFocused, "files-focused",
     QT_TRANSLATE_NOOP("Window", "the folder tree has the keyboard"),
     QT_TRANSLATE_NOOP("Window", "the folder tree does not have the keyboard")},
    {Context::kModelReady, "model-ready", QT_TRANSLATE_NOOP("Window", "the model is ready"),
     QT_TRANSLATE_NOOP("Window", "the model is not ready")},
    {Context::kRecording, "recording", QT_TRANSLATE_NOOP("Window", "a trace is being recorded"),
     QT_TRANSLATE_NOOP("Window", "no trace is being recorded")},
    {Context::kReplaying, "replaying", QT_TRANSLATE_NOOP("Window", "a trace is being replayed"),
     QT_TRANSLATE_NOOP("Window", "no trace is being replayed")},
    {Context::kAskFocused, "ask-focused",
     QT_TRANSLATE_NOOP("Window", "the Ask panel has the keyboard"),
     QT_TRANSLATE_NOOP("Window", "the Ask panel does not have the keyboard")},
    {Context::kAskRunning, "ask-running", QT_TRANSLATE_NOOP("Window", "an answer is being written"),
     QT_TRANSLATE_NOOP("Window", "no answer is being written")},
    {Context::kAskQueued, "ask-queued", QT_TRANSLATE_NOOP("Window", "a question waits"),
     QT_TRANSLATE_NOOP("Window", "no question waits")},
    {Context::kAskThread, "ask-thread", QT_TRANSLATE_NOOP("Window", "the thread has messages"),
     QT_TRANSLATE_NOOP("Window", "the thread is empty")},
    {Context::kAskSummary, "ask-summary",
     QT_TRANSLATE_NOOP("Window", "early messages of the thread are summarized"),
     QT_TRANSLATE_NOOP("Window", "no messages of the thread are summarized")},
    {Context::kPlanFocused, "plan-focused",
     QT_TRANSLATE_NOOP("Window", "the plan has the keyboard"),
     QT_TRANSLATE_NOOP("Window", "the plan does not have the keyboard")},
    {Context::kPlanRunning, "plan-running",
     QT_TRANSLATE_NOOP("Window", "something of the plan runs"),
     QT_TRANSLATE_NOOP("Window", "nothing of the plan runs")},
    {Context::kPlanQueued, "plan-queued", QT_TRANSLATE_NOOP("Window", "a change of the plan waits"),
     QT_TRANSLATE_NOOP("Window", "no change of the plan waits")},
    {Context::kPlanSteps, "plan-steps", QT_TRANSLATE_NOOP("Window", "the plan has steps"),
     QT_TRANSLATE_NOOP("Window", "the plan is empty")},
    {Context::kReviewRunning, "review-running",
     QT_TRANSLATE_NOOP("Window", "a review is being written"),
     QT_TRANSLATE_NOOP("Window", "no review is being written")},
    {Context::kReviewRemarks, "review-remarks",
     QT_TRANSLATE_NOOP("Window", "a remark points to a line"),
     QT_TRANSLATE_NOOP("Window", "no remark points to a line")},
    {Context::kFoundInFiles, "found-in-files",
     QT_TRANSLATE_NOOP("Window", "a search in all files has found something"),
     QT_TRANSLATE_NOOP("Window", "no search in all files has found anything")},
    {Context::kPanesSplit, "panes-split", QT_TRANSLATE_NOOP("Window", "there are several panes"),
     QT_TRANSLATE_NOOP("Window", "there is one pane")},
    {Context::kCompared, "compared",
     QT_TRANSLATE_NOOP("Window", "the text is compared with another"),
     QT_TRANSLATE_NOOP("Window", "the text is compared with none")},
    {Context::kConflicts, "conflicts",
     QT_TRANSLATE_NOOP("Window", "the text has conflicts of a merge"),
     QT_TRANSLATE_NOOP("Window", "the text has no conflicts of a merge")},
    {Context::kTerminalOpen, "terminal-open", QT_TRANSLATE_NOOP("Window", "a terminal is open"),
     QT_TRANSLATE_NOOP("Window", "no terminal is open")},
    {Context::kTerminalFocused, "terminal-focused",
     QT_TRANSLATE_NOOP("Window", "the terminal has the keyboard"),
     QT_TRANSLATE_NOOP("Window", "the terminal does not have the keyboard")},
    {Context::kTaskRunning, "task-running", QT_TRANSLATE_NOOP("Window", "a task runs"),
     QT_TRANSLATE_NOOP("Window", "no task runs")},
    {Context::kDebugging, "debugging", QT_TRANSLATE_NOOP("Window", "something is debugged"),
     QT_TRANSLATE_NOOP("Window", "nothing is debugged")},
    {Context::kDebugRunning, "debug-running",
     QT_TRANSLATE_NOOP("Window", "the program that is debugged runs"),
     QT_TRANSLATE_NOOP("Window", "no program that is debugged runs")},
    {Context::kDebugStopped, "debug-stopped",
     QT_TRANSLATE_NOOP("Window", "the program that is debugged stands still"),
     QT_TRANSLATE_NOOP("Window", "no program that is debugged stands still")},
    {Context::kAiEnabled, "ai-enabled", QT_TRANSLATE_NOOP("Window", "AI features are on"),
     QT_TRANSLATE_NOOP("Window", "AI features are off")},
};

constexpr bool isInOrder() {
  int at = 0;
  for (const Row& row : kContexts) {
    if (static_cast<int>(row.context) != at++) return false;
  }
  return at == kContextCount;
}
static_assert(isInOrder());

}  // namespace

QString contextName(Context context) {
  return QLatin1String(kContexts[static_cast<size_t>(context)].name);
}

QString When::words() const {
  QStringList words;
  for (const Row& row : kContexts) {
    const char* text = nullptr;
    if ((all_ & bit(row.context)) != 0) text = row.is;
    if ((none_ & bit(row.context)) != 0) text = row.isNot;
    if (text) words.append(tr(text));
  }
  return words.join(QStringLiteral(", "));
}

void Contexts::set(Context context, bool holds) {
  if (is(context) == holds) return;
  now_ ^= When::bit(context);
  Q_EMIT changed(When::bit(context));
}

}  // namespace waferpair::gui
