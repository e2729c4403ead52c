// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/review_marks.h"

#include "editor/assist/hunks.h"
#include "gui/documents/editor_tabs.h"
#include "gui/pairing/hunk_reveal.h"

namespace waferpair::gui {

using editor::HunkState;
using pairing::ChangedFile;
using pairing::HunkPlace;

ReviewMarks::ReviewMarks(EditorTabs* tabs, std::function<void(Document*)> prepare, QObject* parent)
    : QObject(parent), tabs_(tabs), prepare_(std::move(prepare)) {}

bool ReviewMarks::show(pairing::ChangeReview* review, const HunkPlace& place) {
  const ChangedFile& file = review->set().files.at(place.file);
  const pairing::ReviewHunk& hunk = file.hunks.at(std::max<qsizetype>(place.hunk, 0));
  const QString path = review->absolutePath(place.file);
  const auto there = review->read(path);
  if (!there || !there->exists) return false;  // it is yet to be made, or gone
  Document* document = tabs_->openFile(path);
  if (!document) return false;
  if (document_ != document || review_ != review || file_ != place.file) {
    forget();
    review_ = review;
    document_ = document;
    file_ = place.file;
    prepare_(document);
    connect(document->hunks(), &editor::Hunks::changed, this, &ReviewMarks::takeStates);
    draw();
  }
  const qsizetype drawn = drawn_.indexOf(std::max<qsizetype>(place.hunk, 0));
  if (drawn < 0 || drawn >= document->hunks()->hunks().size()) {  // decided about, or changed since
    document->editor()->goToLine(static_cast<int>(hunk.lines.newStart));
  } else {
    const qint64 at = document->hunks()->hunks()[drawn].range.start();
    document->editor()->goToLine(document->editor()->lineAt(at));
    document->editor()->setSelection(at, at);
    HunkReveal::of(document)->show(drawn);
  }
  return true;
}

// A file that comes or goes as a whole is decided about in the list.
void ReviewMarks::draw() {
  const ChangedFile& file = review_->set().files.at(file_);
  drawn_.clear();
  if (file.isNew() || file.isDeleted() || file.origin == ChangedFile::Origin::kMade) return;
  document_->editor()->flushEdits();
  QVector<editor::Hunk> hunks = pairing::openHunks(file, document_->text());
  qsizetype next = 0;
  QVector<editor::Hunk> offered;
  for (qsizetype i = 0; i < file.hunks.size(); ++i) {
    if (!file.hunks[i].isOpen()) continue;
    const editor::Hunk& hunk = hunks.at(next++);
    if (hunk.state != HunkState::kOffered) continue;
    offered.append(hunk);
    drawn_.append(i);
  }
  isTaking_ = true;
  document_->hunks()->offer({document_->id(), offered, {}});
  isTaking_ = false;
}

void ReviewMarks::forget() {
  if (document_) {
    document_->hunks()->disconnect(this);
    // Others may have put theirs in the place.
    if (!drawn_.isEmpty() && document_->hunks()->hunks().size() == drawn_.size())
      document_->hunks()->clear();
  }
  document_ = nullptr;
  review_ = nullptr;
  drawn_.clear();
}

void ReviewMarks::takeStates() {
  if (isTaking_ || !review_ || !document_) return;
  const auto hunks = document_->hunks()->hunks();
  if (hunks.size() != drawn_.size()) {  // they are others by now
    document_->hunks()->disconnect(this);
    document_ = nullptr;
    drawn_.clear();
    return;
  }
  for (qsizetype i = 0; i < hunks.size(); ++i)
    if (hunks[i].state != HunkState::kOffered) review_->note({file_, drawn_[i]}, hunks[i].state);
}

void ReviewMarks::around(pairing::ChangeReview* review, const std::function<void()>& decide) {
  const bool isDrawn = document_ && review_ == review;
  isTaking_ = true;
  if (isDrawn && document_->hunks()->hunks().size() == drawn_.size()) document_->hunks()->clear();
  decide();
  isTaking_ = false;
  if (isDrawn && document_ && review_) draw();
}

}  // namespace waferpair::gui
