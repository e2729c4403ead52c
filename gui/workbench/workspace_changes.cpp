// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/workspace_changes.h"

#include <QDir>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/view/announce.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/file_operations.h"
#include "gui/kit/banner.h"
#include "pairing/changes/project_path.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {
namespace {

// What a path is called once these are made.
QString placeAfter(const QVector<workbench::FileMove>& moves, const QString& path) {
  for (const workbench::FileMove& move : moves)
    if (path == move.from || path.startsWith(move.from + u'/'))
      return move.to + path.mid(move.from.size());
  return path;
}

// Those that give the old names back.
QVector<workbench::FileMove> reversed(const QVector<workbench::FileMove>& moves) {
  QVector<workbench::FileMove> back;
  for (auto each = moves.crbegin(); each != moves.crend(); ++each)
    back.append({each->to, each->from, false});
  return back;
}

}  // namespace

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
  folder_ = p_.folderOf(client->root());
  const auto read = workbench::readWorkspaceEdit(edit);
  if (!read) return read.error().message();
  auto changes = changesOf(*read, versions, versionsOf(client), title, client->unit());
  if (!changes) return changes.error().message();
  const auto moves = movesOf(*read);
  if (!moves) return moves.error().message();
  pairing::ChangeSet& set = changes->set;
  if (set.files.isEmpty() && moves->isEmpty()) return tr("%1: nothing changes by it.").arg(title);
  if (const QString why = move(*moves); !why.isEmpty()) return why;
  for (pairing::ChangedFile& file : set.files)
    file.path = QDir(folder_).relativeFilePath(placeAfter(*moves, folder_ + u'/' + file.path));
  if (set.files.isEmpty()) {
    offerBack(*moves);
    return {};
  }
  Document* front = p_.tabs->current();
  const pairing::ChangedFile& first = set.files.constFirst();
  const bool isHere =
      set.files.size() == 1 && front && folder_ + u'/' + first.path == front->path();
  if (isHere && !changes->isDoubtful) {
    if (const QString why = makeHere(front, first); !why.isEmpty()) {
      move(reversed(*moves));
      return why;
    }
  } else {
    Q_EMIT reviewWanted(folder_, set);
  }
  offerBack(*moves);
  return {};
}

editor::Result<WorkspaceChanges::Wanted> WorkspaceChanges::changesOf(
    const workbench::WorkspaceEdit& edit, const Versions& before, const Versions& now,
    const QString& title, workbench::ColumnUnit unit) {
  Wanted wanted{pairing::ChangeSet::make(title)};
  for (const workbench::FileEdits& file : edit.files) {
    const auto path = pairing::pathInProject(folder_, file.path);
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
    if (!text->exists && !file.isNew) return editor::fail(tr("%1 is not there.").arg(*path));
    if (text->exists && file.isNew && !file.mayExist)
      return editor::fail(tr("%1 is there already: nothing was done.").arg(*path));
    const auto after = workbench::withFileEdits(text->text, file, unit);
    if (!after) return tl::unexpected(after.error());
    wanted.isDoubtful = wanted.isDoubtful || after->isDoubtful;
    wanted.set.put(*path, *text, text->holding(after->text),
                   pairing::ChangedFile::Origin::kProposed);
  }
  return wanted;
}

editor::Result<QVector<workbench::FileMove>> WorkspaceChanges::movesOf(
    const workbench::WorkspaceEdit& edit) const {
  QVector<workbench::FileMove> moves;
  for (const workbench::FileMove& move : edit.moves) {
    for (const QString& path : {move.from, move.to})
      if (const auto inside = pairing::pathInProject(folder_, path); !inside)
        return tl::unexpected(inside.error());
    if (editor::isThere(move.to)) {
      if (move.mayExist) continue;
      return editor::fail(
          tr("%1 is there already: nothing was done.").arg(editor::shownPath(move.to)));
    }
    if (!editor::isThere(move.from))
      return editor::fail(tr("%1 is not there.").arg(editor::shownPath(move.from)));
    moves.append(move);
  }
  return moves;
}

QString WorkspaceChanges::move(const QVector<workbench::FileMove>& moves) {
  for (qsizetype i = 0; i < moves.size(); ++i) {
    const QString why = renamePath(moves[i].from, moves[i].to);
    if (why.isEmpty()) continue;
    for (qsizetype done = i - 1; done >= 0; --done) renamePath(moves[done].to, moves[done].from);
    return why;
  }
  for (const workbench::FileMove& move : moves) {
    p_.tabs->pathRenamed(move.from, move.to);
    Q_EMIT renamed(move.from, move.to);
  }
  return {};
}

void WorkspaceChanges::offerBack(const QVector<workbench::FileMove>& moves) {
  if (moves.isEmpty()) return;
  const auto shown = [this](const QString& path) {
    return editor::shownPath(QDir(folder_).relativeFilePath(path));
  };
  const QString text =
      moves.size() == 1
          ? tr("%1 is called %2 now.").arg(shown(moves[0].from), shown(moves[0].to))
          : tr("%n file(s) have other names now.", nullptr, static_cast<int>(moves.size()));
  p_.notices->show(QStringLiteral("filesRenamed"), Banner::Kind::kInfo, text)
      .addButton(QStringLiteral("filesRenamedBack"), tr("&Rename Back"), [this, moves] {
        if (const QString why = move(reversed(moves)); !why.isEmpty()) sayOfLanguage(p_, why);
      });
}

QString WorkspaceChanges::makeHere(Document* document, const pairing::ChangedFile& file) {
  const auto edits = workbench::smallEdits(document->text(), file.after.text);
  if (const auto done = document->textDocument()->applyShown(edits); !done)
    return done.error().message();
  editor::announce(document->editor(), tr("%1 places were changed.").arg(edits.size()));
  return {};
}

}  // namespace waferpair::gui
