// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/quick_open.h"

#include <QDir>

#include "editor/text/path_bytes.h"
#include "gui/kit/picker.h"
#include "gui/project/file_icons.h"
#include "gui/project/file_index.h"

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
  const QDir root(index_->folder());
  FuzzyNames names;
  for (const QString& path : std::as_const(recent_)) {
    const QString name = index_->folder().isEmpty() ? path : root.relativeFilePath(path);
    if (!name.startsWith(QLatin1String(".."))) names.first.append(name);
  }
  names.rest = index_->files();
  picker_->setNames(names, [names, root](qsizetype index) {
    const QString& relative = names[index];
    const QString shown = editor::shownPath(relative);
    return PickerItem{shown, static_cast<int>(shown.lastIndexOf(u'/') + 1),
                      index < names.first.size() ? tr("recent") : QString(), fileIcon(relative),
                      root.filePath(relative)};
  });

  if (index_->folder().isEmpty()) {
    picker_->setNote(tr("No folder is open."), tr("Open Folder"),
                     [this] { Q_EMIT openFolderWanted(); });
  } else if (index_->isReading() && index_->files().isEmpty()) {
    picker_->setNote(tr("Reading the folder…"));
  } else if (index_->atLimit()) {
    picker_->setNote(tr("Only the first %L1 files are listed.").arg(FileIndex::kMostFiles));
  } else {
    picker_->setNote({});
  }
}

}  // namespace waferpair::gui
