// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/file_drop.h"

#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

namespace waferpair::gui {
namespace {

QStringList localFiles(const QMimeData* data) {
  QStringList paths;
  for (const QUrl& url : data->urls())
    if (url.isLocalFile()) paths.append(url.toLocalFile());
  return paths;
}

}  // namespace

FileDrop::FileDrop(QWidget* window) : QObject(window) {
  window->setAcceptDrops(true);
  watch(window);
}

void FileDrop::watch(QWidget* widget) { widget->installEventFilter(this); }

bool FileDrop::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop)
    return QObject::eventFilter(watched, event);
  auto* drop = static_cast<QDropEvent*>(event);
  const QStringList paths = localFiles(drop->mimeData());
  if (paths.isEmpty()) return false;
  // The files stay where they are, whatever the other side proposes.
  drop->setDropAction(Qt::CopyAction);
  drop->accept();
  if (type == QEvent::Drop) Q_EMIT dropped(paths);
  return true;
}

}  // namespace waferpair::gui
