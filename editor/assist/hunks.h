// SPDX-License-Identifier: GPL-3.0-or-later
// The suggestion that is offered for a document: it follows the document's edits, and what is
// accepted of it is applied. No widget; widget/decorations.h draws it. UI thread only.
//
// An edit that touches text which a hunk would replace makes the hunk stale; edits elsewhere, at
// its very edges too, move it. At an insertion's place what is typed may be its beginning: then the
// rest stays offered, behind what was typed. Anything else there makes it stale.
#pragma once

#include <QObject>
#include <functional>

#include "editor/assist/hunk.h"

namespace waferpair::editor {

class Hunks : public QObject {
  Q_OBJECT
 public:
  // Applies edits to the document as one undo step. False: they could not be applied.
  using Apply = std::function<bool(const QVector<TextEdit>& edits)>;
  explicit Hunks(Apply apply, QObject* parent = nullptr);

  // Replaces the suggestion that there is.
  void offer(const Suggestion& suggestion);
  // Takes it away.
  void clear() { offer({}); }
  // Follows edits: it must be told of every one of the document, those of accept() included, in
  // order.
  void follow(const QVector<TextEdit>& edits);

  const Suggestion& suggestion() const { return suggestion_; }
  const QVector<Hunk>& hunks() const { return suggestion_.hunks; }
  qsizetype offeredCount() const;

  // The index of the hunk on offer whose range holds or touches `offset`; -1: none does.
  qsizetype at(qint64 offset) const;
  // The first on offer that begins behind `offset`, or, where none does, the first of all; -1: none
  // is on offer.
  qsizetype next(qint64 offset) const;

  // A hunk that is not on offer cannot be accepted or dismissed: false, and nothing happens.
  bool accept(qsizetype index);
  bool acceptAll();  // as one undo step
  bool dismiss(qsizetype index);
  void dismissAll();

 Q_SIGNALS:
  // Sent when hunks moved, or are others, or in other states.
  void changed();

 private:
  bool isOffered(qsizetype index) const;
  bool apply(const QVector<qsizetype>& indices);

  Apply apply_;
  Suggestion suggestion_;
};

}  // namespace waferpair::editor
