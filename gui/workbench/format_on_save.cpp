// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/format_on_save.h"

#include <QJsonArray>
#include <QTimer>
#include <chrono>
#include <memory>

#include "gui/documents/editor_tabs.h"
#include "gui/documents/save_flow.h"
#include "gui/workbench/language_format.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

using workbench::LanguageAnswer;
using workbench::LanguageClient;

namespace {

constexpr std::chrono::milliseconds kSaveWaits(1000);
constexpr char kOnTypeProvider[] = "documentOnTypeFormattingProvider";

}  // namespace

FormatOnSave::FormatOnSave(const LanguageGuideParts& parts, Settings* settings, SaveFlow* saves,
                           QObject* parent)
    : QObject(parent), p_(parts), settings_(settings) {
  saves->setPrepare(
      [this](Document* document, const std::function<void()>& save) { prepare(document, save); });
}

void FormatOnSave::prepare(Document* document, const std::function<void()>& save) {
  LanguageClient* client = p_.service->clientOf(document->id());
  editor::CodeEditor* editor = document->editor();
  const bool isWanted = settings_->get().formatOnSave && client &&
                        client->offers(QStringLiteral("documentFormattingProvider")) &&
                        !editor->sci(QsciScintillaBase::SCI_GETREADONLY);
  if (!isWanted) return save();
  editor->flushEdits();
  // Whichever comes first, the answer or the end of patience, saves.
  const auto isSaved = std::make_shared<bool>(false);
  const QJsonObject params{{QStringLiteral("options"), formattingOptions(editor->indentation())}};
  const qint64 question = client->ask(
      QStringLiteral("textDocument/formatting"), document->id(), params,
      [this, isSaved, save, at = QPointer<Document>(document)](const LanguageAnswer& answer) {
        if (std::exchange(*isSaved, true)) return;
        QString why;
        if (at) {
          if (const auto places = applyFormatted(at, answer); !places)
            why = places.error().message();
        }
        save();
        if (!why.isEmpty()) sayOfLanguage(p_, tr("Saved without being formatted: %1").arg(why));
      });
  if (question == 0) return save();
  QTimer::singleShot(kSaveWaits, this,
                     [this, isSaved, save, question, asked = QPointer<LanguageClient>(client)] {
                       if (std::exchange(*isSaved, true)) return;
                       if (asked) asked->withdraw(question);
                       save();
                       sayOfLanguage(p_, tr("Saved without being formatted: the language server "
                                            "has not answered in time."));
                     });
}

FormatOnType::FormatOnType(const LanguageGuideParts& parts, Settings* settings, QObject* parent)
    : QObject(parent), p_(parts), settings_(settings) {
  connect(p_.tabs, &EditorTabs::opened, this, [this](Document* document) {
    connect(document->editor(), &editor::CodeEditor::edited, this,
            [this](const QVector<editor::TextEdit>& edits) {
              inserted_.clear();
              for (const editor::TextEdit& edit : edits) inserted_ += edit.text;
            });
    connect(document->editor(), &editor::CodeEditor::typed, this,
            [this, document] { typed(document); });
  });
}

void FormatOnType::typed(Document* document) {
  if (asked_ && question_ != 0) asked_->withdraw(question_);
  question_ = 0;
  LanguageClient* client = p_.service->clientOf(document->id());
  editor::CodeEditor* editor = document->editor();
  const qint64 caret = editor->caret();
  if (!settings_->get().formatOnType || inserted_.isEmpty() || caret == 0 ||
      !editor->hasOneCaret() || !client || !client->offers(QLatin1String(kOnTypeProvider)))
    return;
  const QJsonValue provider = client->abilities()[QLatin1String(kOnTypeProvider)];
  // A line break comes with the blanks that the new line is indented with.
  const QString typed = inserted_.contains('\n')
                            ? QStringLiteral("\n")
                            : QString::fromLatin1(editor->textRange(caret - 1, caret));
  if (provider[u"firstTriggerCharacter"] != typed &&
      !provider[u"moreTriggerCharacter"].toArray().contains(typed))
    return;
  asked_ = client;
  question_ =
      client->askAt(QStringLiteral("textDocument/onTypeFormatting"), document->id(), caret,
                    {{QStringLiteral("ch"), typed},
                     {QStringLiteral("options"), formattingOptions(editor->indentation())}},
                    [this, caret, at = QPointer<Document>(document)](const LanguageAnswer& answer) {
                      question_ = 0;
                      // What is typed next goes before: nobody asked for this by a key of its own.
                      if (at && !answer.isLate && at->editor()->caret() == caret)
                        applyFormatted(at, answer);
                    });
}

}  // namespace waferpair::gui
