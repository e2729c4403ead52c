// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/quick_open.h"

#include <QDir>
#include <algorithm>

#include "editor/text/path_bytes.h"
#include "gui/kit/picker.h"
#include "gui/project/file_icons.h"
#include "gui/project/file_index.h"
#include "gui/project/folder_names.h"

namespace waferpair::gui {

QuickOpen::QuickOpen(FileIndex* index, Picker* picker)
    : QObject(picker), index_(index), picker_(picker) {
  connect(index_, &FileIndex::changed, this, [this] {
    if (open_) fill();
  });
  connect(picker_, &Overlay::closed, this, [this] { open_ = false; });
  connect(picker_, &Picker::typed, this, [this](const QString& text) {
    if (!open_ || text.size() != 1 || !QStringLiteral(":@#>?").contains(text)) return;
    picker_->dismiss();
    Q_EMIT prefixTyped(text[0]);
  });
}

void QuickOpen::open(const QStringList& recent) {
  recent_ = recent;
  index_->refresh();  // the old list serves until the new one is there
  picker_->open(tr("Open a file of the project"), tr("A part of a file name, or : @ # > ?"), {},
                [this](const QVariant& path) { Q_EMIT chosen(path.toString()); });
  open_ = true;
  fill();
}

void QuickOpen::fill() {
  const QStringList folders = index_->folders();
  const QStringList labels = folderLabels(folders);
  FuzzyNames names;
  QStringList recent;  // the paths of names.first
  for (const QString& path : std::as_const(recent_)) {
    const bool isInside = std::any_of(folders.cbegin(), folders.cend(), [&](const QString& folder) {
      return isBelowFolder(path, folder);
    });
    if (!isInside && !folders.isEmpty()) continue;
    names.first.append(placeIn(folders, path));
    recent.append(path);
  }
  // The files of each folder stand together, behind its label where there are several.
  QList<qsizetype> ends;
  for (qsizetype i = 0; i < folders.size(); ++i) {
    const QStringList files = index_->filesOf(folders[i]);
    if (folders.size() == 1)
      names.rest = files;
    else
      for (const QString& file : files) names.rest.append(labels[i] + u'/' + file);
    ends.append(names.rest.size());
  }
  const auto pathAt = [recent, folders, labels, ends](qsizetype index, const QString& name) {
    if (index < recent.size()) return recent[index];
    const qsizetype at = index - recent.size();
    const qsizetype of = std::upper_bound(ends.cbegin(), ends.cend(), at) - ends.cbegin();
    const QString below = folders.size() == 1 ? name : name.mid(labels[of].size() + 1);
    return QDir(folders[of]).filePath(below);
  };
  picker_->setNames(names, [names, recent, pathAt](qsizetype index) {
    const QString& name = names[index];
    const QString shown = editor::shownPath(name);
    return PickerItem{shown, static_cast<int>(shown.lastIndexOf(u'/') + 1),
                      index < recent.size() ? tr("recent") : QString(), fileIcon(name),
                      pathAt(index, name)};
  });

  if (index_->folder().isEmpty()) {
    picker_->setNote(tr("No folder is open."), tr("Open Folder"),
                     [this] { Q_EMIT openFolderWanted(); });
  } else if (index_->isReading() && names.rest.isEmpty()) {
    picker_->setNote(tr("Reading the folder…"));
  } else if (index_->atLimit()) {
    picker_->setNote(tr("Only the first %L1 files are listed.").arg(FileIndex::kMostFiles));
  } else {
    picker_->setNote({});
  }
}

}  // namespace waferpair::gui
