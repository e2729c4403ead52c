// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/folder_tree.h"

#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "editor/text/path_bytes.h"
#include "gui/documents/file_operations.h"
#include "gui/kit/input_prompt.h"
#include "gui/project/folder_model.h"
#include "gui/project/folder_names.h"
#include "gui/project/marked_delegate.h"

namespace waferpair::gui {

FolderTree::FolderTree(InputPrompt* prompt, QWidget* parent)
    : QWidget(parent),
      prompt_(prompt),
      model_(new FolderModel(this)),
      view_(new QTreeView(this)),
      nothing_(new QWidget(this)),
      openFolder_(new QPushButton(tr("Open Folder"), nothing_)) {
  setObjectName(QStringLiteral("folderTree"));
  view_->setObjectName(QStringLiteral("folderTreeView"));
  view_->setAccessibleName(tr("Files of the project"));
  view_->setHeaderHidden(true);
  view_->setUniformRowHeights(true);
  view_->setIndentation(14);
  view_->setIconSize(QSize(16, 16));
  view_->setAnimated(false);
  view_->setExpandsOnDoubleClick(false);
  view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view_->setTextElideMode(Qt::ElideMiddle);
  view_->setContextMenuPolicy(Qt::CustomContextMenu);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setItemDelegate(new MarkedDelegate(FolderModel::kMarkRole, view_));
  auto* text = new QLabel(tr("No folder is open."), nothing_);
  text->setProperty("role", "muted");
  text->setWordWrap(true);
  openFolder_->setObjectName(QStringLiteral("treeOpenFolder"));
  openFolder_->setAccessibleName(openFolder_->text());
  connect(openFolder_, &QPushButton::clicked, this, &FolderTree::openFolderWanted);
  auto* column = new QVBoxLayout(nothing_);
  column->setContentsMargins(14, 12, 14, 12);
  column->setSpacing(10);
  column->addWidget(text);
  column->addWidget(openFolder_, 0, Qt::AlignLeft);
  column->addStretch();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 0);
  layout->addWidget(view_);
  layout->addWidget(nothing_);
  setFolders({});

  connect(view_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    if (model_->isFolder(index)) {
      view_->setExpanded(index, !view_->isExpanded(index));
    } else {
      Q_EMIT openRequested(model_->path(index), false);
    }
  });
  connect(view_, &QTreeView::activated, this, [this](const QModelIndex& index) {
    if (!model_->isFolder(index)) {
      Q_EMIT openRequested(model_->path(index), true);
    } else if (QGuiApplication::mouseButtons() == Qt::NoButton) {
      view_->setExpanded(index, !view_->isExpanded(index));  // a click has done so by itself
    }
  });
  connect(view_, &QTreeView::customContextMenuRequested, this,
          [this](const QPoint& at) { Q_EMIT menuRequested(view_->viewport()->mapToGlobal(at)); });
  connect(model_, &QAbstractItemModel::rowsInserted, this, &FolderTree::tryReveal,
          Qt::QueuedConnection);
}

void FolderTree::setFolders(const QStringList& folders) {
  revealing_.clear();
  const bool any = !folders.isEmpty();
  setFocusProxy(any ? static_cast<QWidget*>(view_) : openFolder_);
  view_->setVisible(any);
  nothing_->setVisible(!any);
  const QStringList before = model_->folders();
  model_->setFolders(folders);
  if (!any) {
    view_->setModel(nullptr);
    return;
  }
  if (!view_->model()) view_->setModel(model_);
  view_->setRootIndex(folders.size() == 1 ? model_->index(0, 0) : QModelIndex());
  if (folders.size() == 1) return;
  for (int row = 0; row < folders.size(); ++row)
    if (before.size() < 2 || !before.contains(folders[row])) view_->expand(model_->index(row, 0));
}

void FolderTree::setShown(bool hidden, bool ignored) { model_->setShown(hidden, ignored); }

void FolderTree::setMarker(FileMarker marker) {
  model_->setMarker(std::move(marker));
  view_->viewport()->update();
}

void FolderTree::reveal(const QString& path) {
  isFollowing_ = false;
  revealing_ = path;
  tryReveal();
}

void FolderTree::follow(const QString& path) {
  if (view_->hasFocus()) return;
  isFollowing_ = true;
  revealing_ = path;
  tryReveal();
}

void FolderTree::tryReveal() {
  if (isFollowing_ && view_->hasFocus()) revealing_.clear();
  if (revealing_.isEmpty() || !view_->model()) return;
  const QModelIndex index = model_->indexOf(revealing_);
  if (!index.isValid()) return;  // filtered out, or rowsInserted will come
  revealing_.clear();
  view_->setCurrentIndex(index);
  view_->scrollTo(index);
}

QString FolderTree::selectedPath() const {
  const QModelIndex index = view_->currentIndex();
  return index.isValid() ? model_->path(index) : model_->folders().value(0);
}

QString FolderTree::selectedFolder() const {
  QModelIndex index = view_->currentIndex();
  while (index.isValid() && !model_->isTop(index)) index = index.parent();
  return index.isValid() ? model_->path(index) : model_->folders().value(0);
}

QString FolderTree::targetFolder() const {
  const QModelIndex index = view_->currentIndex();
  if (!index.isValid()) return model_->folders().value(0);
  return model_->isFolder(index) ? model_->path(index)
                                 : QFileInfo(model_->path(index)).absolutePath();
}

void FolderTree::create(const QString& title, bool folder) {
  if (model_->folders().isEmpty()) return;
  const QString parent = targetFolder();
  const QString shown =
      editor::shownPath(model_->folders().contains(parent) ? QFileInfo(parent).fileName()
                                                           : placeIn(model_->folders(), parent));
  prompt_->open(
      title.arg(shown), {}, 0, [parent](const QString& name) { return checkNewName(parent, name); },
      [this, parent, folder](const QString& name) {
        const QString path = QDir(parent).filePath(name);
        if (const QString wrong = folder ? createFolder(path) : createFile(path);
            !wrong.isEmpty()) {
          Q_EMIT problem(wrong);
          return;
        }
        reveal(path);
        if (!folder) Q_EMIT openRequested(path, true);
        Q_EMIT created(path);
      });
}

void FolderTree::newFile() { create(tr("New file in %1"), false); }

void FolderTree::newFolder() { create(tr("New folder in %1"), true); }

bool FolderTree::refusesTop(const QModelIndex& index) {
  if (!model_->isTop(index)) return false;
  Q_EMIT problem(tr("%1 is one of this window's folders, which are neither renamed nor deleted "
                    "here. Remove Folder from Window takes it out; its files stay.")
                     .arg(editor::shownPath(model_->path(index))));
  return true;
}

void FolderTree::rename() {
  const QModelIndex index = view_->currentIndex();
  if (!index.isValid() || refusesTop(index)) return;
  const QString from = model_->path(index);
  const QFileInfo info(from);
  const QString name = info.fileName();
  const QString folder = info.absolutePath();
  // The part before the suffix is what one usually changes.
  const qsizetype dot = model_->isFolder(index) ? -1 : name.lastIndexOf(u'.');
  prompt_->open(
      tr("Rename %1").arg(editor::shownPath(name)), name, dot > 0 ? dot : name.size(),
      [folder, name](const QString& text) {
        return text == name ? QString() : checkNewName(folder, text);
      },
      [this, from, folder, name](const QString& text) {
        if (text == name) return;
        const QString to = QDir(folder).filePath(text);
        if (const QString wrong = renamePath(from, to); !wrong.isEmpty()) {
          Q_EMIT problem(wrong);
          return;
        }
        Q_EMIT renamed(from, to);
        reveal(to);
      });
}

void FolderTree::remove() {
  const QModelIndex index = view_->currentIndex();
  if (!index.isValid() || refusesTop(index)) return;
  const QString path = model_->path(index);
  const QString name = editor::shownPath(QFileInfo(path).fileName());
  auto* box = new QMessageBox(window());
  box->setObjectName(QStringLiteral("trashDialog"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setWindowTitle(tr("Move to Trash"));
  box->setText(model_->isFolder(index)
                   ? tr("Move the folder %1 and all that is in it to the trash?").arg(name)
                   : tr("Move %1 to the trash?").arg(name));
  QPushButton* yes = box->addButton(tr("Move to Trash"), QMessageBox::AcceptRole);
  QPushButton* no = box->addButton(tr("Cancel"), QMessageBox::RejectRole);
  yes->setObjectName(QStringLiteral("trashConfirm"));
  no->setObjectName(QStringLiteral("trashCancel"));
  box->setDefaultButton(no);
  box->setEscapeButton(no);
  connect(box, &QMessageBox::finished, this, [this, box, yes, path] {
    if (box->clickedButton() != yes) return;
    if (const QString wrong = moveToTrash(path); !wrong.isEmpty()) Q_EMIT problem(wrong);
  });
  box->open();
}

// Of several folders each keeps its row, and what is in it.
void FolderTree::collapseAll() {
  view_->collapseAll();
  if (model_->folders().size() == 1) return;
  for (int row = 0; row < model_->folders().size(); ++row) view_->expand(model_->index(row, 0));
}

}  // namespace waferpair::gui
