// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/language_rename.h"

#include <QJsonObject>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/input_prompt.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

using workbench::ByteRange;
using workbench::LanguageAnswer;
using workbench::LanguageClient;

namespace {

constexpr char kProvider[] = "renameProvider";
constexpr qsizetype kLongestName = 400;

// The name that the caret stands in or behind; empty: none.
ByteRange nameAt(const editor::CodeEditor* editor, qint64 offset) {
  const auto edge = [editor, offset](unsigned int message) {
    return static_cast<qint64>(editor->sci(message, static_cast<unsigned long>(offset), 1L));
  };
  return {edge(QsciScintillaBase::SCI_WORDSTARTPOSITION),
          edge(QsciScintillaBase::SCI_WORDENDPOSITION)};
}

}  // namespace

LanguageRename::LanguageRename(const LanguageGuideParts& parts, InputPrompt* prompt,
                               WorkspaceChanges* changes, const FileIndex* files, QObject* parent)
    : QObject(parent), p_(parts), prompt_(prompt), changes_(changes), reach_(parts, files) {}

void LanguageRename::begin() {
  client_ = clientThatOffers(p_, QLatin1String(kProvider));
  if (!client_) return;
  Document* document = p_.tabs->current();
  document->editor()->flushEdits();
  const qint64 caret = document->editor()->caret();
  const ByteRange name = nameAt(document->editor(), caret);
  const auto textOf = [](const Document* of, ByteRange range) {
    return QString::fromUtf8(of->text().slice(range.start, range.end));
  };
  if (!client_->abilities()[QLatin1String(kProvider)][u"prepareProvider"].toBool()) {
    if (name.start == name.end) return say(tr("There is no name at the caret."));
    return askForName(document, caret, textOf(document, name));
  }
  client_->askAt(
      QStringLiteral("textDocument/prepareRename"), document->id(), caret, {},
      [this, caret, name, textOf, at = QPointer<Document>(document)](const LanguageAnswer& answer) {
        if (!at || at != p_.tabs->current() || at->editor()->caret() != caret || answer.isLate)
          return;
        if (!answer.problem.isEmpty()) return say(answer.problem);
        const QJsonValue& told = answer.result;
        if (!told.isObject()) return say(tr("What is at the caret cannot be renamed."));
        const bool hasRange = told[u"range"].isObject() || told[u"start"].isObject();
        const QJsonValue range = told[u"range"].isObject() ? told[u"range"] : told;
        const ByteRange there =
            hasRange ? workbench::byteRangeOf(answer.text, range, answer.unit) : name;
        if (there.start == there.end) return say(tr("There is no name at the caret."));
        askForName(at, caret, told[u"placeholder"].toString(textOf(at, there)));
      });
}

void LanguageRename::askForName(Document* document, qint64 offset, const QString& name) {
  const auto check = [name](const QString& text) {
    if (text.trimmed().isEmpty()) return tr("A name is missing.");
    return text.size() > kLongestName ? tr("This name is too long.") : QString();
  };
  prompt_->open(tr("Rename “%1” to").arg(name), name, name.size(), check,
                [this, offset, name, at = QPointer<Document>(document)](const QString& text) {
                  if (at && text.trimmed() != name) send(at, offset, name, text.trimmed());
                });
}

void LanguageRename::send(Document* document, qint64 offset, const QString& name,
                          const QString& newName) {
  if (!client_) return say(tr("The language server is no longer there."));
  const QString title = tr("Rename “%1” to “%2”").arg(name, newName);
  const qint64 asked = client_->askAt(
      QStringLiteral("textDocument/rename"), document->id(), offset,
      {{QStringLiteral("newName"), newName}},
      [this, name, title, offset, id = document->id(),
       versions = changes_->versionsOf(client_)](const LanguageAnswer& answer) {
        if (!answer.problem.isEmpty() || !client_) return say(answer.problem);
        const auto read = workbench::readWorkspaceEdit(answer.result);
        if (!read) return say(read.error().message());
        QStringList changed;
        for (const workbench::FileEdits& file : read->files) changed.append(file.path);
        const auto make = [this, title, versions, edit = answer.result] {
          if (!client_) return say(tr("The language server is no longer there."));
          const QString why = changes_->make(client_, edit, versions, title);
          if (!why.isEmpty()) say(why);
        };
        // Where nothing changes there is nothing to ask about.
        changed.isEmpty() ? make() : reach_.check(client_, {name, id, offset, changed}, make);
      });
  if (asked == 0) say(tr("The language server cannot be asked now."));
}

}  // namespace waferpair::gui
