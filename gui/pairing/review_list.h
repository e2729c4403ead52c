// SPDX-License-Identifier: GPL-3.0-or-later
// The changes of several files in one list, each with its lines as they were and as they would be:
// accepted and rejected there by keys, one, a file's, or all. UI thread only.
#pragma once

#include <QPointer>
#include <QTreeView>
#include <QWidget>
#include <optional>

#include "pairing/changes/change_review.h"

class QLabel;
class QPushButton;
class QStandardItemModel;

namespace waferpair::gui {

class ReviewTree : public QTreeView {
  Q_OBJECT
 public:
  explicit ReviewTree(QWidget* parent);

 Q_SIGNALS:
  void openWanted();
  void decideWanted(bool accept);     // what is current
  void decideAllWanted(bool accept);  // all of them

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  // The keys mean what is offered in the text otherwise.
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
};

class ReviewList : public QWidget {
  Q_OBJECT
 public:
  explicit ReviewList(QWidget* parent);

  // Null: none.
  void show(const pairing::ChangeReview* review);
  void setCodeFont(const QFont& font);
  QTreeView* tree() const { return tree_; }
  // The hunk or file that is current; no value: there is none.
  std::optional<pairing::HunkPlace> current() const;

 Q_SIGNALS:
  void openWanted(const waferpair::pairing::HunkPlace& place);
  void decideWanted(const waferpair::pairing::HunkPlace& place, bool accept);
  void decideAllWanted(bool accept);

 private:
  void rebuild();
  void showCurrent();
  void select(const pairing::HunkPlace& place);

  QPointer<const pairing::ChangeReview> review_;
  QMetaObject::Connection follows_;
  QStandardItemModel* model_;
  QLabel* count_;
  ReviewTree* tree_;
  QPushButton* accept_;
  QPushButton* reject_;
  QPushButton* acceptAll_;
  QPushButton* rejectAll_;
};

}  // namespace waferpair::gui
