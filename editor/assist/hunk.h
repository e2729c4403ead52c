// SPDX-License-Identifier: GPL-3.0-or-later
// A suggestion, whoever makes it (a model, a code action, a rename), is a list of changes at places
// of a text, each of which can be taken alone, and perhaps a place to go to next. Values.
#pragma once

#include <QByteArray>
#include <QVector>
#include <optional>

#include "editor/assist/document_sync.h"
#include "editor/text/anchor.h"
#include "editor/text/edit.h"

namespace waferpair::editor {

enum class HunkState {
  kOffered,
  kAccepted,
  kDismissed,  // by the user
  kStale,      // what it was made for is no longer there
};

// The text in `range` would be `text`. A deletion has no text; an insertion has an empty range, and
// what is appended at the caret is one of those.
struct Hunk {
  AnchoredRange range;
  QByteArray text;
  HunkState state = HunkState::kOffered;

  bool isInsertion() const { return range.isEmpty(); }
  // Returns whether the two would change the same text, or text side by side.
  bool meets(const Hunk& other) const {
    return range.start() <= other.range.end() && other.range.start() <= range.end();
  }
  // Follows an edit of the text that it is for. One of text that it would replace makes it stale;
  // elsewhere, at its very edges too, one moves it. At an insertion's place what is typed may be
  // its beginning: then the rest stays offered, behind what was typed. Anything else there makes it
  // stale.
  void follow(const TextEdit& edit);

  bool operator==(const Hunk&) const = default;
};

struct JumpPlace {
  DocumentId document;  // the hunks' own, or another
  Anchor place;
};

struct Suggestion {
  DocumentId document;
  QVector<Hunk> hunks;  // in the text's order; none overlap or touch
  std::optional<JumpPlace> jump;
};

// The suggestion made of edits that are to be applied in order, each behind the one before it;
// edits that touch become one hunk.
Suggestion suggestionOf(const DocumentId& document, const QVector<TextEdit>& edits,
                        std::optional<JumpPlace> jump = {});

}  // namespace waferpair::editor
