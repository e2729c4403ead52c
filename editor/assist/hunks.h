// SPDX-License-Identifier: GPL-3.0-or-later
// The suggestion that is offered for a document: it follows the document's edits, and what is
// accepted of it is applied. No widget; widget/decorations.h draws it. UI thread only.
// Hunk::follow() says how a hunk follows an edit.
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
  // Offers more, for the same document. One beside another on offer becomes part of it; one that
  // is there already changes nothing. False, and none is added: one would replace text that another
  // on offer would, too.
  bool add(const QVector<Hunk>& hunks);
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
  // is on offer. And the last that ends before it, or else the last of all.
  qsizetype next(qint64 offset) const;
  qsizetype previous(qint64 offset) const;

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
  bool overlaps(const Hunk& hunk) const;
  void addOne(const Hunk& hunk);
  bool apply(const QVector<qsizetype>& indices);

  Apply apply_;
  Suggestion suggestion_;
};

}  // namespace waferpair::editor
