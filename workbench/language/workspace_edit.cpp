// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/workspace_edit.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>

#include "workbench/translate.h"

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
    const QString path = pathOf(uri);
    if (path.isEmpty()) return translate("“%1” is no file of this computer").arg(uri.left(kShown));
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
  QVector<FileEdits> take() { return std::move(files_); }

 private:
  static constexpr qsizetype kShown = 200;

  QVector<FileEdits> files_;
  QHash<QString, qsizetype> known_;  // where each path is in `files_`
  qsizetype count_ = 0;
};

}  // namespace

editor::Result<QVector<FileEdits>> readWorkspaceEdit(const QJsonValue& edit) {
  if (edit.isNull()) return QVector<FileEdits>();
  if (!edit.isObject()) return refused(translate("they are none"));
  WorkspaceEdits edits;
  // A server that knows versions has them in the one, and may tell the same in the other.
  if (const QJsonValue list = edit[u"documentChanges"]; !list.isUndefined()) {
    if (!list.isArray()) return refused(translate("they are no list"));
    const QJsonArray changes = list.toArray();
    for (const QJsonValue change : changes) {
      if (change[u"kind"].isString())
        return refused(translate("they would make, rename or remove files (%1)")
                           .arg(change[u"kind"].toString().left(20)));
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
