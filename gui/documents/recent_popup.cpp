// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/recent_popup.h"

#include <QFileInfo>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "editor/text/path_bytes.h"
#include "editor/text/quoted.h"
#include "gui/documents/document.h"

namespace waferpair::gui {
namespace {

constexpr int kPopupWidth = 420;  // pixels
constexpr int kMostRecentRows = 12;

}  // namespace

RecentPopup::RecentPopup(QWidget* over) : QFrame(over), list_(new QListWidget(this)) {
  setObjectName(QStringLiteral("recentPopup"));
  setProperty("role", QStringLiteral("overlay"));
  setAccessibleName(tr("Files used last"));
  list_->setObjectName(QStringLiteral("recentList"));
  list_->setAccessibleName(accessibleName());
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setTextElideMode(Qt::ElideMiddle);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 6);
  column->addWidget(list_);
  connect(list_, &QListWidget::itemClicked, this,
          [this](QListWidgetItem* item) { Q_EMIT chosen(list_->row(item)); });
  hide();
}

void RecentPopup::showAt(const QList<Document*>& documents, int row) {
  list_->clear();
  for (const Document* document : documents) {
    const QString name =
        document->isModified() ? tr("%1 ●").arg(document->title()) : document->title();
    auto* item = new QListWidgetItem(name, list_);
    if (document->path().isEmpty()) continue;
    const QString folder = editor::shownPath(QFileInfo(document->path()).path());
    item->setText(name + QStringLiteral("  ·  ") + folder);
    item->setToolTip(editor::describedPath(document->path()));
  }
  list_->setCurrentRow(row);
  const QSize room = parentWidget()->size();
  const int rows = std::min(kMostRecentRows, list_->count());
  const QSize wanted(kPopupWidth, rows * list_->sizeHintForRow(0) + 2 * list_->frameWidth() + 14);
  resize(wanted.boundedTo(room - QSize(16, 16)));
  move((room.width() - width()) / 2, (room.height() - height()) / 3);
  raise();
  show();
  list_->scrollToItem(list_->currentItem());
}

}  // namespace waferpair::gui
