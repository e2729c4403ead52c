// SPDX-License-Identifier: GPL-3.0-or-later
// A snippet while it is filled in: where its places are by now, which field is being filled in, and
// what its mirrors have to say. No widget: it is told of edits, and tells which to make.
#pragma once

#include <QVector>
#include <functional>
#include <memory>

#include "editor/text/edit.h"
#include "editor/text/snippet.h"

namespace waferpair::editor {

class SnippetSession {
 public:
  struct Range {
    qint64 start = 0;
    qint64 end = 0;
    bool operator==(const Range&) const = default;
  };

  // `snippet` stands at `offset` of the text. The first field is the current one.
  SnippetSession(const SnippetText& snippet, qint64 offset);

  // Follows an edit. What is put in at the edge of a place of the current field belongs to it.
  void follow(const TextEdit& edit);

  // Goes to the next field (1) or the one before (-1). False, and nothing changes: there is none.
  bool step(int by);
  bool isAtLast() const { return current_ + 1 == fields_.size(); }

  // The places of the current field where it is typed: those without a transform, or its first one.
  QVector<Range> typedPlaces() const;
  // Those of all fields.
  QVector<Range> allPlaces() const;
  const QByteArrayList& choices() const { return fields_[current_].choices; }
  // Returns whether the offset is in, or at the edge of, a place of the current field.
  bool holds(qint64 offset) const;
  // Makes the field current that has its place there; false: none has, and nothing changes.
  bool enter(qint64 offset);
  // All of it was deleted.
  bool isGone() const { return whole_.start == whole_.end && !wasEmpty_; }

  // An edit by which a place comes to say what its field does.
  struct MirrorEdit {
    TextEdit edit;
    int place = 0;
  };
  // Those that the current field's places need, from the last to the first, in offsets of the text
  // as it is, which `textAt` reads. Each is to be told of between setWritten() and setWritten(-1).
  QVector<MirrorEdit> mirrorEdits(const std::function<QByteArray(const Range&)>& textAt) const;
  // What follow() is told of belongs to this place, until it is -1.
  void setWritten(int place) { written_ = place; }

 private:
  struct Place {
    Range range;
    int field = 0;
    int parent = -1;
    std::shared_ptr<const SnippetTransform> transform;
    bool isGone = false;
  };

  bool isAround(int outer, int inner) const;
  int currentPlaceAt(qint64 start, qint64 end) const;

  QVector<Place> places_;
  QVector<SnippetField> fields_;
  Range whole_;
  bool wasEmpty_ = false;
  int current_ = 0;
  int written_ = -1;
};

}  // namespace waferpair::editor
