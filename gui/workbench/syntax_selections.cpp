// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/syntax_selections.h"

#include <QJsonArray>
#include <QJsonObject>
#include <chrono>
#include <utility>

#include "editor/keys/caret_commands.h"
#include "gui/documents/editor_tabs.h"
#include "workbench/language/language_service.h"
#include "workbench/language/selection_ranges.h"

namespace waferpair::gui {

using workbench::LanguageAnswer;
using workbench::LanguageClient;

namespace {

constexpr std::chrono::milliseconds kSelectionRest(300);

}  // namespace

SyntaxSelections::SyntaxSelections(const LanguageGuideParts& parts, QObject* parent)
    : QObject(parent), p_(parts) {
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, &SyntaxSelections::ask);
  connect(p_.tabs, &EditorTabs::opened, this, [this](Document* document) {
    const editor::CodeEditor* editor = document->editor();
    const auto later = [this, document] {
      wanted_ = document;
      soon_.start(kSelectionRest);
    };
    connect(editor, &editor::CodeEditor::cursorMoved, this, later);
    connect(editor, &editor::CodeEditor::textChanged, this, later);
  });
}

void SyntaxSelections::ask() {
  if (asked_ && question_ != 0) asked_->withdraw(question_);
  question_ = 0;
  const QPointer<Document> document = std::exchange(wanted_, nullptr);
  if (!document || document != p_.tabs->current()) return;
  editor::CodeEditor* editor = document->editor();
  LanguageClient* client = p_.service->clientOf(document->id());
  if (!client || !client->offers(QStringLiteral("selectionRangeProvider")) ||
      !editor->hasOneCaret() || editor->hasSelection())
    return;
  editor->flushEdits();
  const QJsonObject place =
      workbench::protocolPlace(document->text(), editor->caret(), client->unit());
  asked_ = client;
  question_ = client->ask(
      QStringLiteral("textDocument/selectionRange"), document->id(),
      {{QStringLiteral("positions"), QJsonArray{place}}},
      [this, document, version = editor->version()](const LanguageAnswer& answer) {
        question_ = 0;
        if (!document || answer.isLate || document->editor()->version() != version) return;
        document->editor()->selectionSteps()->setKnown(
            workbench::readSelectionRanges(answer.result, answer.text, answer.unit), version);
      });
}

}  // namespace waferpair::gui
