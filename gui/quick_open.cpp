// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/quick_open.h"

#include <QDir>
#include <QSet>

#include "gui/file_icons.h"
#include "gui/file_index.h"
#include "gui/picker.h"

namespace waferpair::gui {

QuickOpen::QuickOpen(FileIndex* index, Picker* picker)
    : QObject(picker), index_(index), picker_(picker) {
  connect(index_, &FileIndex::changed, this, [this] {
    if (open_) fill();
  });
  connect(picker_, &Overlay::closed, this, [this] { open_ = false; });
}

void QuickOpen::open(const QStringList& recent) {
  recent_ = recent;
  index_->refresh();  // the old list serves until the new one is there
  picker_->open(tr("Open a file of the project"), tr("Type a part of a file name"), {},
                [this](const QVariant& path) { Q_EMIT chosen(path.toString()); });
  open_ = true;
  fill();
}

void QuickOpen::fill() {
  const QDir root(index_->folder());
  QList<PickerItem> items;
  QSet<QString> listed;
  const auto add = [&](const QString& relative, const QString& hint) {
    if (listed.contains(relative)) return;
    listed.insert(relative);
    items.append({relative, static_cast<int>(relative.lastIndexOf(u'/') + 1), hint,
                  fileIcon(relative), root.filePath(relative)});
  };
  for (const QString& path : std::as_const(recent_)) {
    const QString relative = root.relativeFilePath(path);
    if (!relative.startsWith(QLatin1String(".."))) add(relative, tr("recent"));
  }
  for (const QString& relative : index_->files()) add(relative, {});
  picker_->setItems(items);

  QString note;
  if (index_->folder().isEmpty()) {
    note = tr("No folder is open.");
  } else if (index_->isReading() && index_->files().isEmpty()) {
    note = tr("Reading the folder…");
  } else if (index_->atLimit()) {
    note = tr("Only the first %L1 files are listed.").arg(FileIndex::kMostFiles);
  }
  picker_->setNote(note);
}

}  // namespace waferpair::gui
