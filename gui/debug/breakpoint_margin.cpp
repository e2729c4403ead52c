// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/breakpoint_margin.h"

#include "editor/layers/stop_marks.h"
#include "editor/view/announce.h"
#include "gui/debug/debug_runner.h"
#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {

using editor::StopMark;
using editor::StopMarks;
using workbench::Breakpoint;
using workbench::Breakpoints;
using workbench::DebugSession;

namespace {

StopMark::Kind kindOf(const Breakpoint& one, const DebugSession* session) {
  if (!one.isOn) return StopMark::Kind::kOff;
  if (session && !session->isOver()) {
    const auto bound = session->bound(one.id);
    if (bound && !bound->isVerified) return StopMark::Kind::kUnbound;
  }
  if (!one.log.isEmpty()) return StopMark::Kind::kLog;
  return one.isPlain() ? StopMark::Kind::kPlain : StopMark::Kind::kConditional;
}

}  // namespace

BreakpointMargin::BreakpointMargin(EditorTabs* tabs, DebugRunner* runner, QObject* parent)
    : QObject(parent), tabs_(tabs), runner_(runner) {
  connect(tabs, &EditorTabs::opened, this, &BreakpointMargin::watch);
  for (const auto changed : {&Breakpoints::fileChanged, &Breakpoints::moved})
    connect(runner->breakpoints(), changed, this, &BreakpointMargin::showFile);
  connect(runner, &DebugRunner::sessionChanged, this, [this] {
    connect(runner_->session(), &DebugSession::boundChanged, this, &BreakpointMargin::showFile);
  });
  connect(runner, &DebugRunner::stateChanged, this, [this] {
    for (Document* document : tabs_->documents()) show(document);
  });
  for (Document* document : tabs->documents()) watch(document);
}

void BreakpointMargin::watch(Document* document) {
  StopMarks* marks = StopMarks::of(document->editor());
  connect(marks, &StopMarks::clicked, this,
          [this, document](int line) { toggleAt(document, line); });
  const auto look = [this, document] { show(document); };
  connect(document->editor(), &editor::CodeEditor::languageChanged, this, look);
  connect(document->editor(), &editor::CodeEditor::documentReset, this, look);
  // Its path may be another.
  connect(document, &Document::titleChanged, this, look);
  show(document);
}

void BreakpointMargin::showFile(const QString& path) {
  if (Document* document = tabs_->documentAt(path)) show(document);
}

void BreakpointMargin::show(Document* document) {
  StopMarks* marks = StopMarks::of(document->editor());
  QVector<StopMark> wanted;
  for (const Breakpoint& one : runner_->breakpoints()->inFile(document->path()))
    wanted.append({kindOf(one, runner_->session()), one.line});
  // There is room for them where they could be of use.
  const bool canStop = !runner_->adapters().forLanguage(document->editor()->language()).isEmpty();
  marks->setShown(!document->path().isEmpty() && (canStop || !wanted.isEmpty()));
  marks->set(wanted);
}

void BreakpointMargin::toggleAt(Document* document, int line) {
  if (document->path().isEmpty()) return;
  document->editor()->flushEdits();
  const bool isThere = runner_->breakpoints()->toggle(document->path(), line);
  const QString shown = QString::number(line + 1);
  editor::announce(document->editor(), isThere ? tr("Line %1 has a breakpoint.").arg(shown)
                                               : tr("Line %1 has no breakpoint.").arg(shown));
}

void BreakpointMargin::toggle() {
  Document* document = tabs_->current();
  if (!document) return;
  if (document->path().isEmpty())
    return runner_->say(tr("This text has no file yet, so nothing can stop in it."), false);
  toggleAt(document, document->editor()->caretLine());
}

Breakpoint BreakpointMargin::atCaret() const {
  const Document* document = tabs_->current();
  if (!document || document->path().isEmpty()) return {};
  document->editor()->flushEdits();
  const int line = document->editor()->caretLine();
  if (const Breakpoint* there = runner_->breakpoints()->at(document->path(), line)) return *there;
  Breakpoint fresh;
  fresh.path = document->path();
  fresh.line = line;
  return fresh;
}

void BreakpointMargin::toggleOn() {
  Breakpoint one = atCaret();
  if (one.path.isEmpty()) return;
  one.isOn = one.id == 0 || !one.isOn;
  runner_->breakpoints()->put(one);
  editor::announce(tabs_->current()->editor(),
                   one.isOn ? tr("The breakpoint is on.") : tr("The breakpoint is off."));
}

void BreakpointMargin::goTo(const Breakpoint& breakpoint) {
  tabs_->open(breakpoint.path, {.then = [line = breakpoint.line](Document* document) {
                if (document) document->editor()->goToLine(line);
              }});
}

}  // namespace waferpair::gui
