// SPDX-License-Identifier: GPL-3.0-or-later
// A file's open changes of a review, drawn over its text in the editor as those of an edit in place
// are, and accepted and rejected there by the same keys. What is decided there the review is told.
// UI thread only.
#pragma once

#include <QObject>
#include <QPointer>

#include "gui/documents/document.h"
#include "pairing/changes/change_review.h"

namespace waferpair::gui {

class EditorTabs;

class ReviewMarks : public QObject {
  Q_OBJECT
 public:
  // `prepare` gives a document what it takes to decide about changes there.
  ReviewMarks(EditorTabs* tabs, std::function<void(Document*)> prepare, QObject* parent);

  // Opens the file, draws its open changes, and goes to this one. False: the file cannot be opened.
  bool show(pairing::ChangeReview* review, const pairing::HunkPlace& place);
  // Takes the drawing away while the review itself writes the file, and then draws what is left.
  void around(pairing::ChangeReview* review, const std::function<void()>& decide);

 private:
  void draw();
  void forget();
  void takeStates();

  EditorTabs* tabs_;
  std::function<void(Document*)> prepare_;
  QPointer<pairing::ChangeReview> review_;
  QPointer<Document> document_;
  qsizetype file_ = 0;        // in the review
  QVector<qsizetype> drawn_;  // the review's hunks, as the document has them
  bool isTaking_ = false;
};

}  // namespace waferpair::gui
