// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/agents/project_state.h"

#include <QFileInfo>
#include <algorithm>

#include "editor/text/path_bytes.h"
#include "editor/text/translate.h"
#include "pairing/changes/disk_texts.h"

namespace waferpair::pairing {

ProjectState::File ProjectState::readFile(const QString& path, qint64 room, const File* earlier) {
  File file;
  file.stamp = exclusions::FileStamp::of(editor::nativePath(path));
  if (!file.stamp.exists) return file;
  if (earlier && earlier->stamp == file.stamp) return *earlier;
  // A link's target is another file of the project, or lies outside of it.
  if (QFileInfo(path).isSymLink()) {
    file.unknown = translate("it is a link");
  } else if (file.stamp.bytes > kMostOfFile || file.stamp.bytes > room) {
    file.unknown = translate("it is too large to be kept");
  } else if (auto text = DiskTexts().read(path)) {
    file.text = std::move(*text);
  } else {
    file.unknown = translate("it is no text");
  }
  return file;
}

ProjectState ProjectState::read(const QString& root, const QStringList& files,
                                const ProjectState& earlier) {
  ProjectState state;
  for (const QString& name : files) {
    if (state.files_.size() >= kMostFiles) break;
    const auto known = earlier.files_.constFind(name);
    File file = readFile(root + u'/' + name, kMostBytes - state.bytes_,
                         known == earlier.files_.cend() ? nullptr : &*known);
    if (!file.stamp.exists) continue;
    state.bytes_ += file.text.text.size();
    state.files_.insert(name, std::move(file));
  }
  return state;
}

void ProjectState::take(const QString& root, const QString& name) {
  bytes_ -= files_.value(name).text.text.size();
  File file = readFile(root + u'/' + name, kMostBytes - bytes_, nullptr);
  bytes_ += file.text.text.size();
  if (file.stamp.exists) {
    files_.insert(name, std::move(file));
  } else {
    files_.remove(name);
  }
}

FileText ProjectState::textOf(const QString& name) const { return files_.value(name).text; }

QVector<DiskChange> ProjectState::changesTo(const ProjectState& now) const {
  QVector<DiskChange> changes;
  for (auto it = files_.cbegin(); it != files_.cend(); ++it) {
    const File later = now.files_.value(it.key());
    if (later.stamp == it->stamp) continue;
    const QString unknown = it->unknown.isEmpty() ? later.unknown : it->unknown;
    if (unknown.isEmpty() && it->text.says(later.text)) continue;
    changes.append({it.key(), it->text, later.text, unknown});
  }
  for (auto it = now.files_.cbegin(); it != now.files_.cend(); ++it)
    if (!files_.contains(it.key())) changes.append({it.key(), {}, it->text, it->unknown});
  std::sort(changes.begin(), changes.end(),
            [](const DiskChange& a, const DiskChange& b) { return a.path < b.path; });
  return changes;
}

}  // namespace waferpair::pairing
