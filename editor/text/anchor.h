// SPDX-License-Identifier: GPL-3.0-or-later
// A place in a text that moves with the text around it. Values; whoever holds them has them follow
// each edit, in order.
#pragma once

#include <QtGlobal>
#include <algorithm>

#include "editor/text/edit.h"

namespace waferpair::editor {

// The side of text inserted right at an anchor on which the anchor stays.
enum class Bias { kBefore, kAfter };

struct Anchor {
  qint64 offset = 0;
  Bias bias = Bias::kBefore;

  // A replacement is a deletion, which draws the anchors in it to its start, and then an insertion
  // there. So it makes no difference whether a view tells of it as one edit or as two.
  void follow(const TextEdit& edit) {
    const auto added = static_cast<qint64>(edit.text.size());
    if (offset > edit.end) {
      offset += added - (edit.end - edit.start);
    } else if (offset >= edit.start) {
      offset = bias == Bias::kAfter ? edit.start + added : edit.start;
    }
  }

  bool operator==(const Anchor&) const = default;
};

// The text between two anchors. Text inserted at its edges belongs to it or not, as the biases
// have it; a range whose text was deleted is empty, never reversed.
class AnchoredRange {
 public:
  AnchoredRange() = default;
  static AnchoredRange growing(qint64 start, qint64 end) {
    return {{start, Bias::kBefore}, {end, Bias::kAfter}};
  }
  static AnchoredRange fixed(qint64 start, qint64 end) {
    return {{start, Bias::kAfter}, {end, Bias::kBefore}};
  }

  // A place, before which and behind which nothing belongs to it.
  static AnchoredRange at(qint64 offset) {
    return {{offset, Bias::kBefore}, {offset, Bias::kBefore}};
  }

  qint64 start() const { return start_.offset; }
  qint64 end() const { return end_.offset; }
  qint64 size() const { return end() - start(); }
  bool isEmpty() const { return start() == end(); }

  void follow(const TextEdit& edit) {
    start_.follow(edit);
    end_.follow(edit);
    // Where both are at one place and text is inserted there, the range stays behind it.
    end_.offset = std::max(end_.offset, start_.offset);
  }

  bool operator==(const AnchoredRange&) const = default;

 private:
  AnchoredRange(Anchor start, Anchor end) : start_(start), end_(end) {
    Q_ASSERT(start.offset <= end.offset);
  }

  Anchor start_;
  Anchor end_;
};

}  // namespace waferpair::editor
