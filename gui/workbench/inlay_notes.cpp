// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/inlay_notes.h"

#include <QJsonObject>
#include <chrono>
#include <utility>

#include "editor/layers/line_notes.h"
#include "gui/documents/editor_tabs.h"
#include "workbench/language/inlay_hints.h"

namespace waferpair::gui {

using editor::DocumentId;
using editor::LineNote;
using workbench::LanguageAnswer;
using workbench::LanguageClient;

namespace {

constexpr std::chrono::milliseconds kHintsPause(500);

qint64 askForHints(LanguageClient* client, const DocumentId& id,
                   const LanguageClient::Answered& answered) {
  const workbench::MirroredText* text = client->text(id);
  if (!text) return 0;
  const QJsonObject whole =
      workbench::protocolRange(text->text(), 0, text->text().size(), client->unit());
  const QString method = client->abilities()[u"inlayHintProvider"][u"method"].toString(
      QStringLiteral("textDocument/inlayHint"));
  return client->ask(method, id, {{QStringLiteral("range"), whole}}, answered);
}

}  // namespace

InlayNotes::InlayNotes(editor::DocumentSync* sync, const LanguageGuideParts& parts,
                       Settings* settings, QObject* parent)
    : QObject(parent),
      p_(parts),
      settings_(settings),
      question_(sync, parts.service, QStringLiteral("inlayHintProvider"), kHintsPause, askForHints),
      on_(settings->get().inlayHints) {
  connect(&question_, &workbench::RepeatedQuestion::answered, this, &InlayNotes::show);
  connect(&question_, &workbench::RepeatedQuestion::lost, this, &InlayNotes::clear);
  connect(p_.service, &workbench::LanguageService::refreshWanted, this,
          [this](const QString& what) {
            if (what == QLatin1String("inlayHint")) question_.askAllAgain();
          });
  connect(p_.tabs, &EditorTabs::currentChanged, this, [this](Document* document) {
    if (on_ && document) question_.follow(document->id());
  });
  connect(settings_, &Settings::changed, this, &InlayNotes::applySettings);
}

void InlayNotes::applySettings() {
  if (std::exchange(on_, settings_->get().inlayHints) == on_) return;
  if (on_) {
    if (const Document* document = p_.tabs->current()) question_.follow(document->id());
    return;
  }
  question_.unfollowAll();
  for (Document* document : p_.tabs->documents()) document->editor()->lineNotes()->set({});
}

void InlayNotes::show(const QString& id, const LanguageAnswer& answer) {
  const QVector<workbench::InlayNote> found = workbench::inlayNotes(
      workbench::readInlayHints(answer.result, answer.text, answer.unit), answer.text);
  QVector<LineNote> notes;
  notes.reserve(found.size());
  for (const workbench::InlayNote& one : found)
    notes.append({question_.now(id, {one.at, one.at}, answer).start, one.text});
  // What is just being typed they follow like any later edit.
  for (Document* document : p_.tabs->documents())
    if (document->id() == id) document->editor()->lineNotes()->set(notes);
}

void InlayNotes::clear(const QString& id) {
  for (Document* document : p_.tabs->documents())
    if (document->id() == id) document->editor()->lineNotes()->set({});
}

}  // namespace waferpair::gui
