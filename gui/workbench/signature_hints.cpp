// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/signature_hints.h"

#include <QJsonArray>
#include <chrono>

#include "gui/documents/editor_tabs.h"
#include "gui/workbench/signature_box.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

using workbench::LanguageAnswer;
using workbench::LanguageClient;

namespace {

constexpr char kSignatureProvider[] = "signatureHelpProvider";
// Carets that follow one another are asked about once.
constexpr std::chrono::milliseconds kCaretPause(60);

// As the protocol numbers them.
enum class SignatureTrigger { kByKey = 1, kCharacter = 2, kChange = 3 };

QJsonObject signatureContext(SignatureTrigger trigger, bool again, const QString& character) {
  QJsonObject context{{QStringLiteral("triggerKind"), static_cast<int>(trigger)},
                      {QStringLiteral("isRetrigger"), again}};
  if (trigger == SignatureTrigger::kCharacter)
    context.insert(QStringLiteral("triggerCharacter"), character);
  return context;
}

SignatureBox* openBox(const Document* document) {
  auto* box = document->editor()->findChild<SignatureBox*>();
  return box && box->isOpen() ? box : nullptr;
}

}  // namespace

SignatureHints::SignatureHints(const LanguageGuideParts& parts, QObject* parent)
    : QObject(parent), p_(parts) {
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, [this] {
    if (again_ && openBox(again_))
      ask(again_, signatureContext(SignatureTrigger::kChange, true, {}), false);
  });
  connect(p_.tabs, &EditorTabs::opened, this, &SignatureHints::follow);
}

void SignatureHints::follow(Document* document) {
  const editor::CodeEditor* editor = document->editor();
  connect(editor, &editor::CodeEditor::typed, this, [this, document] { typed(document); });
  connect(editor, &editor::CodeEditor::cursorMoved, this, [this, document] {
    if (!openBox(document)) return;
    again_ = document;
    soon_.start(kCaretPause);
  });
}

void SignatureHints::typed(Document* document) {
  const LanguageClient* client = p_.service->clientOf(document->id());
  if (!client || !client->offers(QLatin1String(kSignatureProvider))) return;
  const editor::CodeEditor* editor = document->editor();
  const qint64 caret = editor->caret();
  const QString before =
      caret == 0 ? QString() : QString::fromLatin1(editor->textRange(caret - 1, caret));
  const QJsonValue provider = client->abilities()[QLatin1String(kSignatureProvider)];
  // What was asked about the text before this key is asked again.
  const bool isOpen = openBox(document) != nullptr || question_ != 0;
  const bool isTrigger = !before.isEmpty() &&
                         (provider[u"triggerCharacters"].toArray().contains(before) ||
                          (isOpen && provider[u"retriggerCharacters"].toArray().contains(before)));
  if (!isTrigger && !isOpen) return;
  soon_.stop();
  ask(document,
      signatureContext(isTrigger ? SignatureTrigger::kCharacter : SignatureTrigger::kChange, isOpen,
                       before),
      false);
}

void SignatureHints::show() {
  LanguageClient* client = clientThatOffers(p_, QLatin1String(kSignatureProvider));
  Document* document = p_.tabs->current();
  if (client && document)
    ask(document, signatureContext(SignatureTrigger::kByKey, false, {}), true);
}

void SignatureHints::drop() {
  if (asked_ && question_ != 0) asked_->withdraw(question_);
  question_ = 0;
}

void SignatureHints::ask(Document* document, const QJsonObject& context, bool byKey) {
  drop();
  LanguageClient* client = p_.service->clientOf(document->id());
  if (!client) return;
  editor::CodeEditor* editor = document->editor();
  editor->flushEdits();
  const qint64 caret = editor->caret();
  asked_ = client;
  question_ = client->askAt(
      QStringLiteral("textDocument/signatureHelp"), document->id(), caret,
      {{QStringLiteral("context"), context}},
      [this, byKey, caret, at = QPointer<Document>(document)](const LanguageAnswer& answer) {
        question_ = 0;
        if (!at || at != p_.tabs->current() || answer.isLate || at->editor()->caret() != caret)
          return;
        const workbench::SignatureHelp help = workbench::readSignatureHelp(answer.result);
        auto* box = at->editor()->findChild<SignatureBox*>();
        if (help.signatures.isEmpty()) {
          if (box) box->dismiss();
          if (byKey)
            sayOfLanguage(p_, answer.problem.isEmpty() ? tr("Nothing is called at the caret.")
                                                       : answer.problem);
          return;
        }
        if (!box) box = new SignatureBox(at->editor());
        box->showHelp(help);
      });
}

}  // namespace waferpair::gui
