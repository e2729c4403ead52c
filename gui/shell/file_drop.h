// SPDX-License-Identifier: GPL-3.0-or-later
// Files and folders that are dropped on the window, from a file manager say. Text that is dropped
// is the editor's matter. UI thread only.
#pragma once

#include <QObject>
#include <QStringList>

class QWidget;

namespace waferpair::gui {

class FileDrop : public QObject {
  Q_OBJECT
 public:
  // `window` owns this and takes drops from now on.
  explicit FileDrop(QWidget* window);

  // The same on a widget of the window that takes drops of its own.
  void watch(QWidget* widget);

 Q_SIGNALS:
  // Absolute paths, at least one; what they name may be gone by now.
  void dropped(const QStringList& paths);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace waferpair::gui
