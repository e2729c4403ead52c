// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/language_format.h"

#include <QJsonObject>

#include "editor/view/announce.h"
#include "gui/documents/editor_tabs.h"
#include "gui/translate.h"
#include "workbench/language/language_service.h"
#include "workbench/language/text_edits.h"

namespace waferpair::gui {
namespace {

using workbench::LanguageAnswer;
using workbench::LanguageClient;

void takeFormatted(const LanguageGuideParts& parts, Document* document,
                   const LanguageAnswer& answer) {
  const auto places = applyFormatted(document, answer);
  if (!places) return sayOfLanguage(parts, places.error().message());
  editor::announce(document->editor(), *places == 0
                                           ? tr("The text is formatted already.")
                                           : tr("Formatted: %1 places were changed.").arg(*places));
}

}  // namespace

QJsonObject formattingOptions(editor::Indentation indentation) {
  return {{QStringLiteral("tabSize"), indentation.width},
          {QStringLiteral("insertSpaces"), !indentation.tabs}};
}

editor::Result<qsizetype> applyFormatted(Document* document, const LanguageAnswer& answer) {
  if (!answer.problem.isEmpty()) return editor::fail(answer.problem);
  // What is just being typed nobody was told of.
  if (answer.isLate || document->editor()->hasUntoldEdits())
    return editor::fail(tr("The text was changed meanwhile: it was not formatted."));
  const auto formatted = workbench::withEdits(answer.text, answer.result, answer.unit);
  if (!formatted) return tl::unexpected(formatted.error());
  const auto edits = workbench::smallEdits(answer.text, *formatted);
  if (edits.isEmpty()) return 0;
  if (const auto done = document->textDocument()->applyShown(edits); !done)
    return tl::unexpected(done.error());
  return edits.size();
}

void formatText(const LanguageGuideParts& parts) {
  const QString ofRange = QStringLiteral("documentRangeFormattingProvider");
  const QString ofText = QStringLiteral("documentFormattingProvider");
  Document* document = parts.tabs->current();
  if (!document) return;
  const bool isSelected = document->editor()->hasSelection();
  const LanguageClient* there = parts.service->clientOf(document->id());
  const bool isRange = isSelected && there && there->offers(ofRange);
  LanguageClient* client = clientThatOffers(parts, isRange ? ofRange : ofText);
  if (!client) return;
  editor::CodeEditor* editor = document->editor();
  if (editor->sci(QsciScintillaBase::SCI_GETREADONLY)) return;
  editor->flushEdits();
  QJsonObject params{{QStringLiteral("options"), formattingOptions(editor->indentation())}};
  if (isRange) {
    const workbench::ByteRange selected = selectionOf(editor);
    params.insert(
        QStringLiteral("range"),
        workbench::protocolRange(document->text(), selected.start, selected.end, client->unit()));
  }
  client->ask(isRange ? QStringLiteral("textDocument/rangeFormatting")
                      : QStringLiteral("textDocument/formatting"),
              document->id(), params,
              [parts, at = QPointer<Document>(document)](const LanguageAnswer& answer) {
                if (at) takeFormatted(parts, at, answer);
              });
}

}  // namespace waferpair::gui
