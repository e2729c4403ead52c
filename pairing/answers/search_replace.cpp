// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/search_replace.h"

#include <algorithm>

#include "pairing/translate.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kFewestSigns = 5;
constexpr qsizetype kMostSigns = 9;

enum class Mark { kNone, kHead, kDivider, kTail };

struct MarkerLine {
  Mark mark = Mark::kNone;
  qsizetype length = 0;
  QByteArray indent;
};

MarkerLine markerIn(const QByteArray& line) {
  MarkerLine marker;
  qsizetype at = 0;
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  if (at == line.size()) return marker;
  const char sign = line[at];
  while (at + marker.length < line.size() && line[at + marker.length] == sign) ++marker.length;
  if (marker.length < kFewestSigns || marker.length > kMostSigns) return marker;
  marker.indent = line.left(at);
  const QByteArray word = line.sliced(at + marker.length).trimmed();
  const auto isOneOf = [&word](auto... words) { return ((word == words) || ...); };
  if ((sign == '<' || sign == '-') && isOneOf("SEARCH", "SEARCH>", "ORIGINAL"))
    marker.mark = Mark::kHead;
  if (sign == '=' && word.isEmpty()) marker.mark = Mark::kDivider;
  if ((sign == '>' || sign == '+') && isOneOf("REPLACE", "UPDATED")) marker.mark = Mark::kTail;
  return marker;
}

}  // namespace

bool SearchReplaceReader::beginsBlock(const QByteArray& line) {
  return markerIn(line).mark == Mark::kHead;
}

std::optional<ProposedChange> SearchReplaceReader::underWay() const {
  if (!inBlock_) return {};
  for (const Divider& divider : dividers_) {
    if (divider.length == length_) return changeAt(divider);
  }
  return changeAt({text_.size(), text_.size(), length_});
}

void SearchReplaceReader::takeLine(const QByteArray& line) {
  const MarkerLine marker = markerIn(line);
  if (marker.mark == Mark::kHead) {
    if (inBlock_) {
      addProblem(beganAt_, translate("The block has no line \">>>>>>> REPLACE\"."));
    }
    beginBlock(marker.indent, marker.length);
    return;
  }
  if (inBlock_) {
    if (marker.mark == Mark::kTail) {
      endBlock();
      return;
    }
    const qsizetype begin = text_.size();
    text_ += line + '\n';
    // A divider that stands further in or out is a line of the texts.
    if (marker.mark == Mark::kDivider && marker.indent == indent_)
      dividers_.append({begin, text_.size(), marker.length});
    return;
  }
  if (fence_ && fence_->closedBy(line)) {
    fence_.reset();
    return;
  }
  for (const QByteArray& each : preamble_.take(line)) addProse(each);
}

void SearchReplaceReader::takeEnd() {
  if (inBlock_) {
    addProblem(beganAt_,
               translate("The answer ends within the block that begins here: it is left out."));
    inBlock_ = false;
  }
  for (const QByteArray& each : preamble_.release()) addProse(each);
}

void SearchReplaceReader::beginBlock(const QByteArray& indent, qsizetype length) {
  if (auto fence = preamble_.fence()) fence_ = std::move(fence);
  if (const QString path = preamble_.takeFileName(); !path.isEmpty()) path_ = path;
  inBlock_ = true;
  beganAt_ = lineNumber();
  length_ = length;
  indent_ = indent;
  text_.clear();
  dividers_.clear();
}

void SearchReplaceReader::endBlock() {
  inBlock_ = false;
  QVector<Divider> fitting;
  std::copy_if(dividers_.cbegin(), dividers_.cend(), std::back_inserter(fitting),
               [this](const Divider& divider) { return divider.length == length_; });
  if (fitting.isEmpty()) fitting = dividers_;
  if (fitting.isEmpty()) {
    addProblem(beganAt_, translate("The block has no line \"=======\" between its two texts."));
    return;
  }
  if (fitting.size() > 1) {
    addProblem(beganAt_, translate("%1 lines of the block could be the one between its two texts.")
                             .arg(fitting.size()));
    return;
  }
  const ProposedChange change = changeAt(fitting.first());
  if (change.oldText == change.newText) {
    addProblem(beganAt_, translate("The block changes nothing."));
    return;
  }
  addChange(change);
}

ProposedChange SearchReplaceReader::changeAt(const Divider& divider) const {
  ProposedChange change;
  change.path = path_;
  change.oldText = text_.left(divider.at);
  change.newText = text_.mid(divider.after);
  if (divider.at == 0 && !dividers_.isEmpty()) change.kind = ProposedChange::Kind::kCreate;
  return change;
}

}  // namespace waferpair::pairing
