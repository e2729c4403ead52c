// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/changes/change_store.h"

#include <QFile>
#include <numeric>

#include "editor/text/quoted.h"
#include "editor/text/save_file.h"
#include "editor/text/translate.h"
#include "pairing/changes/change_set_json.h"
#include "pairing/kept/kept_folder.h"

namespace waferpair::pairing {

void ChangeStore::setProject(const QString& folder) { folder_ = keptFolder(directory_, folder); }

QString ChangeStore::pathOf(const QString& id) const {
  Q_ASSERT(!folder_.isEmpty());  // setProject() comes first
  return folder_ + u'/' + id + QStringLiteral(".json");
}

editor::Result<void> ChangeStore::save(const ChangeSet& set) const {
  const qint64 bytes = std::accumulate(
      set.files.begin(), set.files.end(), qint64{0}, [](qint64 sum, const ChangedFile& file) {
        return sum + file.before.text.size() + file.after.text.size();
      });
  if (bytes > kMostBytes)
    return editor::fail(translate("The changes are too large to be kept: over 64 MiB of text."),
                        translate("Ask for fewer files at a time."));
  const QString path = pathOf(set.id);
  if (!makeKeptFolder(folder_))
    return editor::fail(
        translate("The folder %1 for changes can't be made.").arg(editor::quotedPath(folder_)));
  const auto saved = editor::saveFile(path, changeSetToJson(set), 0600);
  if (saved) return {};
  return editor::fail(
      translate("The texts before the change can't be kept: %1.").arg(saved.error().why),
      translate("See that %1 has room and can be written to.").arg(editor::quotedPath(folder_)));
}

editor::Result<ChangeSet> ChangeStore::load(const QString& id) const {
  QFile file(pathOf(id));
  if (!file.open(QIODevice::ReadOnly))
    return editor::fail(translate("The changes in %1 can't be read: %2.")
                            .arg(editor::quotedPath(file.fileName()), file.errorString()));
  auto set = changeSetFromJson(file.readAll());
  if (set && set->id == id) return set;
  return editor::fail(
      translate("The changes in %1 can't be read.").arg(editor::quotedPath(file.fileName())),
      set ? QString() : set.error().what);
}

void ChangeStore::remove(const QString& id) const { QFile::remove(pathOf(id)); }

}  // namespace waferpair::pairing
