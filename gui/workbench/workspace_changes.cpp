// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/workspace_changes.h"

#include "editor/widget/announce.h"
#include "gui/documents/editor_tabs.h"
#include "pairing/changes/project_path.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

WorkspaceChanges::WorkspaceChanges(const LanguageGuideParts& parts, QObject* parent)
    : QObject(parent), p_(parts), texts_(parts.tabs) {}

WorkspaceChanges::Versions WorkspaceChanges::versionsOf(
    const workbench::LanguageClient* client) const {
  Versions versions;
  for (Document* document : p_.tabs->documents()) {
    document->editor()->flushEdits();
    if (const auto* text = client->text(document->id()))
      versions.insert(document->id(), text->version());
  }
  return versions;
}

QString WorkspaceChanges::make(const workbench::LanguageClient* client, const QJsonValue& edit,
                               const Versions& versions, const QString& title) {
  const auto files = workbench::readWorkspaceEdit(edit);
  if (!files) return files.error().message();
  const auto changes = changesOf(*files, versions, versionsOf(client), title, client->unit());
  if (!changes) return changes.error().message();
  const pairing::ChangeSet& set = changes->set;
  if (set.files.isEmpty()) return tr("%1: nothing changes by it.").arg(title);
  Document* front = p_.tabs->current();
  const pairing::ChangedFile& first = set.files.constFirst();
  const bool isHere =
      set.files.size() == 1 && front && p_.folder() + u'/' + first.path == front->path();
  if (isHere && !changes->isDoubtful) return makeHere(front, first);
  Q_EMIT reviewWanted(set);
  return {};
}

editor::Result<WorkspaceChanges::Wanted> WorkspaceChanges::changesOf(
    const QVector<workbench::FileEdits>& files, const Versions& before, const Versions& now,
    const QString& title, workbench::ColumnUnit unit) {
  Wanted wanted{pairing::ChangeSet::make(title)};
  for (const workbench::FileEdits& file : files) {
    const auto path = pairing::pathInProject(p_.folder(), file.path);
    if (!path) return tl::unexpected(path.error());
    const bool isKnown = before.contains(file.path);
    const bool isOld = isKnown != now.contains(file.path) ||
                       before.value(file.path) != now.value(file.path) ||
                       (isKnown && file.version.value_or(before[file.path]) != now[file.path]);
    if (isOld)
      return editor::fail(tr("%1 was changed meanwhile: nothing was done.").arg(*path),
                          tr("Do it again."));
    const auto text = texts_.read(file.path);
    if (!text) return tl::unexpected(text.error());
    if (!text->exists) return editor::fail(tr("%1 is not there.").arg(*path));
    const auto after = workbench::withFileEdits(text->text, file, unit);
    if (!after) return tl::unexpected(after.error());
    wanted.isDoubtful = wanted.isDoubtful || after->isDoubtful;
    wanted.set.put(*path, *text, text->holding(after->text),
                   pairing::ChangedFile::Origin::kProposed);
  }
  return wanted;
}

QString WorkspaceChanges::makeHere(Document* document, const pairing::ChangedFile& file) {
  const auto edits = workbench::smallEdits(document->text(), file.after.text);
  if (const auto done = document->textDocument()->applyShown(edits); !done)
    return done.error().message();
  editor::announce(document->editor(), tr("%1 places were changed.").arg(edits.size()));
  return {};
}

}  // namespace waferpair::gui
