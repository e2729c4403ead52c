// SPDX-License-Identifier: GPL-3.0-or-later
// The text typed at a place since a moment: the one rule by which a suggestion made for `origin`
// stays good while the document changes.
#pragma once

#include <QByteArray>
#include <utility>

#include "editor/text/edit.h"

namespace waferpair::editor {

class TypedSince {
 public:
  TypedSince() = default;
  // `lineStart`: where the line of `origin` begins.
  TypedSince(qint64 origin, qint64 lineStart, QByteArray text = {})
      : origin_(origin), lineStart_(lineStart), text_(std::move(text)) {}

  qint64 origin() const { return origin_; }
  qint64 end() const { return origin_ + text_.size(); }
  // The document's own bytes: suggestions are given the document's line ends before they meet it.
  const QByteArray& text() const { return text_; }

  // Follows an edit. False when it neither continues the typed text, nor takes back some of its
  // end, nor takes text right behind it away, nor lies wholly in lines above.
  bool follow(const TextEdit& edit);

  // True when one of both begins with the other: nothing contradicts the suggestion so far.
  bool agreesWith(const QByteArray& suggestion) const;

 private:
  qint64 origin_ = 0;
  qint64 lineStart_ = 0;
  QByteArray text_;
};

}  // namespace waferpair::editor
