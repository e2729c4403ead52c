// SPDX-License-Identifier: GPL-3.0-or-later
// The user's guide in a window beside the one it is about: pages at the left, searched as one
// types, and the page at the right, whose links lead to pages, run commands and show settings. UI
// thread only.
#pragma once

#include <QDialog>
#include <QList>
#include <functional>

#include "gui/help/guide.h"

class QLineEdit;
class QListWidget;
class QToolButton;
class QUrl;

namespace waferpair::gui {

class GuideView;

class GuideWindow : public QDialog {
  Q_OBJECT
 public:
  using KeyOf = std::function<QString(const QString& id)>;

  // Reads the pages below `folder`. `keyOf` returns a command's key as it is now.
  GuideWindow(const QString& folder, KeyOf keyOf, QWidget* parent);

  // Shows the page, at a heading of it unless that is empty.
  void showPage(const QString& file, const QString& heading = {});
  // The file of the page that is shown.
  QString page() const;
  // The keys may be others than they were.
  void refresh();

 Q_SIGNALS:
  void commandWanted(const QString& id);
  void settingWanted(const QString& id);
  void addressWanted(const QUrl& address);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Place {
    int page;
    int scroll;
  };

  void search();
  void showRow(int row);
  void present(int page, const QString& marked);
  void follow(const QUrl& link);
  // Remembers where one was, before going elsewhere.
  void leave();
  void step(int direction);
  void showButtons();

  Guide guide_;
  KeyOf keyOf_;
  QLineEdit* search_;
  QListWidget* list_;
  GuideView* view_;
  QToolButton* back_;
  QToolButton* forward_;
  QList<GuideHit> hits_;  // as the list shows them; empty: it shows the pages
  int page_ = -1;
  QList<Place> places_;  // where one has been
  qsizetype at_ = 0;     // how many of them lie before the page that is shown
};

}  // namespace waferpair::gui
