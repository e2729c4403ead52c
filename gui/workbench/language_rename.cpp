// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/language_rename.h"

#include <QFileInfo>
#include <QJsonObject>

#include "editor/widget/announce.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/input_prompt.h"
#include "pairing/changes/project_path.h"
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
                               QObject* parent)
    : QObject(parent), p_(parts), prompt_(prompt), texts_(parts.tabs) {}

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

LanguageRename::Versions LanguageRename::versionsNow() const {
  Versions versions;
  for (const Document* document : p_.tabs->documents())
    if (const auto* text = client_->text(document->id()))
      versions.insert(document->id(), text->version());
  return versions;
}

void LanguageRename::send(Document* document, qint64 offset, const QString& name,
                          const QString& newName) {
  if (!client_) return say(tr("The language server is no longer there."));
  for (Document* each : p_.tabs->documents()) each->editor()->flushEdits();
  const QString title = tr("Rename “%1” to “%2”").arg(name, newName);
  const qint64 asked =
      client_->askAt(QStringLiteral("textDocument/rename"), document->id(), offset,
                     {{QStringLiteral("newName"), newName}},
                     [this, title, versions = versionsNow()](const LanguageAnswer& answer) {
                       take(answer, versions, title);
                     });
  if (asked == 0) say(tr("The language server cannot be asked now."));
}

void LanguageRename::take(const LanguageAnswer& answer, const Versions& versions,
                          const QString& title) {
  if (!answer.problem.isEmpty()) return say(answer.problem);
  const auto files = workbench::readWorkspaceEdit(answer.result);
  if (!files) return say(files.error().message());
  const auto changes = changesOf(*files, versions, title, answer.unit);
  if (!changes) return say(changes.error().message());
  if (changes->files.isEmpty()) return say(tr("%1: nothing changes by it.").arg(title));
  Document* front = p_.tabs->current();
  const pairing::ChangedFile& first = changes->files.constFirst();
  const bool isHere =
      changes->files.size() == 1 && front && p_.folder() + u'/' + first.path == front->path();
  if (isHere) return applyHere(front, first);
  Q_EMIT reviewWanted(*changes);
}

editor::Result<pairing::ChangeSet> LanguageRename::changesOf(
    const QVector<workbench::FileEdits>& files, const Versions& versions, const QString& title,
    workbench::ColumnUnit unit) {
  pairing::ChangeSet set = pairing::ChangeSet::make(title);
  const Versions now = client_ ? versionsNow() : Versions();
  for (const workbench::FileEdits& file : files) {
    const auto path = pairing::pathInProject(p_.folder(), file.path);
    if (!path) return tl::unexpected(path.error());
    const bool isKnown = versions.contains(file.path);
    const bool isOld = isKnown != now.contains(file.path) ||
                       versions.value(file.path) != now.value(file.path) ||
                       (isKnown && file.version.value_or(versions[file.path]) != now[file.path]);
    if (isOld)
      return editor::fail(tr("%1 was changed meanwhile: nothing was renamed.").arg(*path),
                          tr("Rename again."));
    const auto before = texts_.read(file.path);
    if (!before) return tl::unexpected(before.error());
    if (!before->exists) return editor::fail(tr("%1 is not there.").arg(*path));
    const auto after = workbench::withEdits(before->text, file.edits, unit);
    if (!after) return tl::unexpected(after.error());
    set.put(*path, *before, before->holding(*after), pairing::ChangedFile::Origin::kProposed);
  }
  return set;
}

void LanguageRename::applyHere(Document* document, const pairing::ChangedFile& file) {
  const auto edits = workbench::smallEdits(document->text(), file.after.text);
  if (const auto done = document->textDocument()->apply(edits); !done)
    return say(done.error().message());
  editor::announce(document->editor(), tr("Renamed in %1 lines.").arg(edits.size()));
}

}  // namespace waferpair::gui
