// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/diagnostic_marks.h"

#include <algorithm>

#include "editor/layers/squiggles.h"
#include "editor/view/announce.h"
#include "gui/documents/editor_tabs.h"
#include "gui/workbench/severity_words.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

using editor::Squiggle;
using editor::Squiggles;
using workbench::Diagnostic;
using workbench::Severity;

namespace {

Squiggle::Kind kindOf(Severity severity) {
  if (severity == Severity::kError) return Squiggle::Kind::kError;
  if (severity == Severity::kWarning) return Squiggle::Kind::kWarning;
  return Squiggle::Kind::kNote;
}

// A place in the order in which the keys visit them.
struct Stop {
  QString path;
  Diagnostic diagnostic;
};

}  // namespace

DiagnosticMarks::DiagnosticMarks(workbench::LanguageService* service, EditorTabs* tabs,
                                 QObject* parent)
    : QObject(parent), service_(service), tabs_(tabs) {
  connect(service, &workbench::LanguageService::diagnosticsChanged, this,
          [this](const QString& path) {
            for (Document* document : tabs_->documents())
              if (document->id() == path) draw(document);
          });
  connect(tabs, &EditorTabs::opened, this, &DiagnosticMarks::draw);
  for (Document* document : tabs->documents()) draw(document);
}

void DiagnosticMarks::draw(Document* document) {
  QVector<Squiggle> squiggles;
  for (const Diagnostic& one : service_->diagnostics(document->id()))
    squiggles.append({one.range.start, one.range.end, kindOf(one.severity)});
  auto* drawn = document->editor()->findChild<Squiggles*>();
  if (!drawn && squiggles.isEmpty()) return;
  if (!drawn) drawn = new Squiggles(document->editor());
  drawn->set(squiggles);
}

QVector<Diagnostic> DiagnosticMarks::allAt(const Document* document, qint64 offset) const {
  QVector<Diagnostic> here;
  for (const Diagnostic& one : service_->diagnostics(document->id()))
    if (one.range.start <= offset && offset <= one.range.end) here.append(one);
  std::stable_sort(here.begin(), here.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return a.severity < b.severity;
  });
  return here;
}

std::optional<Diagnostic> DiagnosticMarks::at(const Document* document, qint64 offset) const {
  const QVector<Diagnostic> here = allAt(document, offset);
  return here.isEmpty() ? std::nullopt : std::optional(here.constFirst());
}

std::optional<Diagnostic> DiagnosticMarks::atLine(const Document* document, qint64 offset) const {
  std::optional<Diagnostic> found = at(document, offset);
  if (found) return found;
  const editor::CodeEditor* editor = document->editor();
  const int line = editor->lineAt(offset);
  for (const Diagnostic& one : service_->diagnostics(document->id())) {
    const bool isWorse = !found || one.severity < found->severity;
    if (isWorse && editor->lineAt(one.range.start) == line) found = one;
  }
  return found;
}

void DiagnosticMarks::goTo(const QString& path, const Diagnostic& diagnostic) {
  Document* document = nullptr;
  for (Document* open : tabs_->documents())
    if (open->id() == path) document = open;
  if (document) {
    tabs_->setCurrent(document);
    document->setFocus();
    document->editor()->setSelection(diagnostic.range.start, diagnostic.range.start);
    editor::announce(document->editor(), diagnostic.text());
    return;
  }
  tabs_->open(path, {.then = [diagnostic](Document* opened) {
                if (!opened) return;  // the tabs have told why
                opened->editor()->goToLine(static_cast<int>(diagnostic.place.line),
                                           static_cast<int>(diagnostic.place.column));
                editor::announce(opened->editor(), diagnostic.text());
              }});
}

QVector<pairing::ReportedProblem> DiagnosticMarks::reported() const {
  QStringList paths = service_->diagnosedFiles();
  const Document* front = tabs_->current();
  const QString first = front ? front->id() : QString();
  std::stable_partition(paths.begin(), paths.end(), [&](const QString& p) { return p == first; });
  QVector<pairing::ReportedProblem> reported;
  for (const QString& path : paths) {
    const Document* open = tabs_->documentAt(path);
    for (const Diagnostic& one : service_->diagnostics(path)) {
      const qint64 line = open ? open->editor()->lineAt(one.range.start) : one.place.line;
      reported.append({path, static_cast<int>(line) + 1,
                       severityWord(one.severity).toLower() + QStringLiteral(": ") + one.text()});
    }
  }
  return reported;
}

void DiagnosticMarks::step(int direction) {
  const Document* current = tabs_->current();
  const QString here = current ? current->id() : QString();
  const qint64 caret = current ? current->editor()->caret() : 0;
  // From the caret on: the rest of this file, the other files, and this file's beginning.
  QVector<Stop> before, after, others;
  for (const QString& path : service_->diagnosedFiles()) {
    for (const Diagnostic& one : service_->diagnostics(path)) {
      const bool isBehind = path == here && one.range.start > caret;
      const bool isAhead = path == here && one.range.start < caret;
      if (path == here && !isBehind && !isAhead) continue;
      (isBehind ? after : isAhead ? before : others).append({path, one});
    }
  }
  // Files behind this one come before those ahead of it.
  std::stable_sort(others.begin(), others.end(),
                   [&](const Stop& a, const Stop& b) { return (a.path < here) < (b.path < here); });
  const QVector<Stop> round = after + others + before;
  if (round.isEmpty()) return;
  const Stop& stop = direction > 0 ? round.constFirst() : round.constLast();
  goTo(stop.path, stop.diagnostic);
}

}  // namespace waferpair::gui
