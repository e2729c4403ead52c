// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/name_highlights.h"

#include <QJsonObject>
#include <algorithm>
#include <chrono>

#include "editor/layers/scroll_marks.h"
#include "editor/layers/use_marks.h"
#include "gui/documents/editor_tabs.h"
#include "workbench/language/language_service.h"
#include "workbench/language/name_uses.h"

namespace waferpair::gui {

using editor::CodeEditor;
using editor::TextView;
using editor::UseMark;
using editor::UseMarks;
using workbench::LanguageAnswer;
using workbench::LanguageClient;

namespace {

constexpr std::chrono::milliseconds kCaretRest(250);

void setMarks(const Document* document, const QVector<UseMark>& marks) {
  CodeEditor* editor = document->editor();
  auto* drawn = editor->findChild<UseMarks*>();
  if (!drawn && marks.isEmpty()) return;
  if (!drawn) drawn = new UseMarks(editor);
  if (drawn->marks() == marks) return;
  drawn->set(marks);
  document->scrollMarks()->refresh();
}

bool isOnMark(const Document* document) {
  const auto* drawn = document->editor()->findChild<UseMarks*>();
  if (!drawn || document->editor()->hasSelection()) return false;
  const qint64 caret = document->editor()->caret();
  return std::any_of(drawn->marks().cbegin(), drawn->marks().cend(),
                     [&](const UseMark& one) { return one.start <= caret && caret <= one.end; });
}

}  // namespace

NameHighlights::NameHighlights(const LanguageGuideParts& parts, QObject* parent)
    : QObject(parent), p_(parts) {
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, &NameHighlights::ask);
  connect(p_.tabs, &EditorTabs::opened, this, &NameHighlights::follow);
  // Queued: it is told while texts are opened and closed.
  connect(p_.service, &workbench::LanguageService::stateChanged, this,
          &NameHighlights::followServers, Qt::QueuedConnection);
}

// Whom nobody answered may be answered by now.
void NameHighlights::followServers() {
  Document* document = p_.tabs->current();
  if (!document || wanted_ || isOnMark(document)) return;
  wanted_ = document;
  soon_.start(kCaretRest);
}

void NameHighlights::follow(Document* document) {
  CodeEditor* editor = document->editor();
  document->scrollMarks()->addSource([](const TextView& view) {
    editor::ScrollMarks lines{{}, view.colors().lineNumber, editor::MarkLane::kMiddle};
    if (const auto* drawn = view.findChild<UseMarks*>())
      for (const UseMark& one : drawn->marks()) lines.lines += view.lineAt(one.start);
    return lines;
  });
  connect(editor, &CodeEditor::cursorMoved, this, [this, document] {
    if (!isOnMark(document)) moved(document);
  });
  connect(editor, &CodeEditor::textChanged, this, [this, document] { moved(document); });
}

// What is shown is of another place or text.
void NameHighlights::moved(Document* document) {
  drop();
  setMarks(document, {});
  wanted_ = document;
  soon_.start(kCaretRest);
}

void NameHighlights::drop() {
  if (asked_ && question_ != 0) asked_->withdraw(question_);
  question_ = 0;
}

void NameHighlights::ask() {
  drop();
  const QPointer<Document> document = std::exchange(wanted_, nullptr);
  if (!document || document != p_.tabs->current()) return;
  CodeEditor* editor = document->editor();
  LanguageClient* client = p_.service->clientOf(document->id());
  if (!client || !client->offers(QStringLiteral("documentHighlightProvider")) ||
      !editor->hasOneCaret() || editor->hasSelection())
    return;
  editor->flushEdits();
  const qint64 caret = editor->caret();
  asked_ = client;
  question_ =
      client->askAt(QStringLiteral("textDocument/documentHighlight"), document->id(), caret, {},
                    [this, document, caret](const LanguageAnswer& answer) {
                      question_ = 0;
                      if (!document || answer.isLate || document->editor()->caret() != caret)
                        return;
                      QVector<UseMark> marks;
                      for (const workbench::NameUse& one :
                           workbench::readNameUses(answer.result, answer.text, answer.unit))
                        marks.append({one.range.start, one.range.end, one.isWrite});
                      setMarks(document, marks);
                    });
}

}  // namespace waferpair::gui
