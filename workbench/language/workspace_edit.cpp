// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/workspace_edit.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>

#include "editor/text/translate.h"

namespace waferpair::workbench {
namespace {

tl::unexpected<editor::Error> refused(const QString& what) {
  return tl::unexpected(
      editor::Error{translate("The language server's changes are refused: %1.").arg(what),
                    translate("Nothing was changed.")});
}

class WorkspaceEdits {
 public:
  // Returns why it is refused; empty: it is not. A file may come again where changes have an order.
  QString add(const QString& uri, const QJsonValue& told, const QJsonValue& edits, bool inOrder) {
    const QString named = pathOf(uri);
    if (named.isEmpty()) return isNoFile(uri);
    const QString path = originOf(named);
    if (path.isEmpty()) return translate("%1 has another name by then").arg(named);
    if (!edits.isArray()) return translate("what is to change in %1 is no list").arg(path);
    count_ += edits.toArray().size();
    if (count_ > kMostTextEdits || files_.size() == kMostEditedFiles)
      return translate("there are too many");
    const auto version = told.isDouble() ? std::optional(told.toInteger()) : std::nullopt;
    const auto known = known_.constFind(path);
    if (known == known_.cend()) {
      known_.insert(path, files_.size());
      files_.append({path, version, {edits}});
      return {};
    }
    FileEdits& file = files_[*known];
    if (!inOrder || file.version != version) return translate("%1 is there twice").arg(path);
    file.lists.append(edits);
    return {};
  }
  // A file that is made, or renamed. Returns why it is refused, likewise.
  QString addOperation(const QJsonValue& change) {
    const QString kind = change[u"kind"].toString();
    const QJsonValue options = change[u"options"];
    const bool mayExist = options[u"ignoreIfExists"].toBool();
    if (options[u"overwrite"].toBool() && !mayExist)
      return translate("they may overwrite files (%1)").arg(kind.left(kShownKind));
    if (files_.size() + moves_.size() >= kMostEditedFiles) return translate("there are too many");
    if (kind == QLatin1String("create")) {
      const QString uri = change[u"uri"].toString();
      const QString path = originOf(pathOf(uri));
      if (path.isEmpty()) return isNoFile(uri);
      if (known_.contains(path)) return translate("%1 is there twice").arg(path);
      known_.insert(path, files_.size());
      files_.append({path, std::nullopt, {}, true, mayExist});
      return {};
    }
    if (kind == QLatin1String("rename")) {
      const QString from = pathOf(change[u"oldUri"].toString());
      const QString to = pathOf(change[u"newUri"].toString());
      if (from.isEmpty() || to.isEmpty())
        return isNoFile(change[from.isEmpty() ? u"oldUri" : u"newUri"].toString());
      // What is made by the same answer has its name already, and chains are nobody's need.
      const QString origin = originOf(from);
      const bool isMade = known_.contains(origin) && files_[known_[origin]].isNew;
      if (origin != from || isMade || from == to || known_.contains(to) || isBelow(to, from))
        return translate("%1 cannot become %2").arg(from, to);
      moves_.append({from, to, mayExist});
      return {};
    }
    return translate("they would remove files (%1)").arg(kind.left(kShownKind));
  }
  WorkspaceEdit take() { return {std::move(files_), std::move(moves_)}; }

 private:
  static constexpr qsizetype kShown = 200, kShownKind = 20;

  static QString isNoFile(const QString& uri) {
    return translate("“%1” is no file of this computer").arg(uri.left(kShown));
  }
  static bool isBelow(const QString& path, const QString& folder) {
    return path == folder || path.startsWith(folder + u'/');
  }
  // What the path was called before the renames so far; empty: another name has taken its place.
  QString originOf(const QString& path) const {
    for (const FileMove& move : moves_) {
      if (isBelow(path, move.to)) return move.from + path.mid(move.to.size());
      if (isBelow(path, move.from)) return {};
    }
    return path;
  }

  QVector<FileEdits> files_;
  QVector<FileMove> moves_;
  QHash<QString, qsizetype> known_;  // where each path is in `files_`
  qsizetype count_ = 0;
};

}  // namespace

editor::Result<WorkspaceEdit> readWorkspaceEdit(const QJsonValue& edit) {
  if (edit.isNull()) return WorkspaceEdit();
  if (!edit.isObject()) return refused(translate("they are none"));
  WorkspaceEdits edits;
  // A server that knows versions has them in the one, and may tell the same in the other.
  if (const QJsonValue list = edit[u"documentChanges"]; !list.isUndefined()) {
    if (!list.isArray()) return refused(translate("they are no list"));
    const QJsonArray changes = list.toArray();
    for (const QJsonValue change : changes) {
      if (change[u"kind"].isString()) {
        const QString why = edits.addOperation(change);
        if (!why.isEmpty()) return refused(why);
        continue;
      }
      const QJsonValue document = change[u"textDocument"];
      const QString why =
          edits.add(document[u"uri"].toString(), document[u"version"], change[u"edits"], true);
      if (!why.isEmpty()) return refused(why);
    }
    return edits.take();
  }
  const QJsonObject changes = edit[u"changes"].toObject();
  for (auto change = changes.begin(); change != changes.end(); ++change) {
    const QString why = edits.add(change.key(), {}, change.value(), false);
    if (!why.isEmpty()) return refused(why);
  }
  return edits.take();
}

editor::Result<EditedText> withFileEdits(const editor::Snapshot& text, const FileEdits& edits,
                                         ColumnUnit unit) {
  EditedText edited{text};
  QJsonArray all;
  for (const QJsonValue& list : edits.lists) {
    const auto after = withEdits(edited.text, list, unit);
    if (!after) return tl::unexpected(after.error());
    edited.text = *after;
    for (const QJsonValue one : list.toArray()) all.append(one);
  }
  if (edits.lists.size() > 1) {
    const auto atOnce = withEdits(text, all, unit);
    edited.isDoubtful = atOnce && !(*atOnce == edited.text);
  }
  return edited;
}

}  // namespace waferpair::workbench
