// SPDX-License-Identifier: GPL-3.0-or-later
// The open files, the one used last first, while Ctrl+Tab goes through them. It never has the
// keyboard; a click chooses. UI thread only.
#pragma once

#include <QFrame>

class QListWidget;

namespace waferpair::gui {

class Document;

class RecentPopup : public QFrame {
  Q_OBJECT
 public:
  // Lies over the middle of `over`.
  explicit RecentPopup(QWidget* over);

  void showAt(const QList<Document*>& documents, int row);

 Q_SIGNALS:
  void chosen(int row);

 private:
  QListWidget* list_;
};

}  // namespace waferpair::gui
