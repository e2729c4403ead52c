// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/whole_file.h"

#include <utility>

#include "pairing/translate.h"

namespace waferpair::pairing {

std::optional<ProposedChange> WholeFileReader::underWay() const {
  if (fence_ && (blocks_ == 1 || !change_.path.isEmpty())) return change_;
  if (waiting_) return waiting_->change;
  return {};
}

void WholeFileReader::takeLine(const QByteArray& line) {
  const auto fence = CodeFence::opening(line);
  if (fence_) {
    if (!inner_.isEmpty() && inner_.last().closedBy(line)) {
      inner_.removeLast();
    } else if (inner_.isEmpty() && fence_->closedBy(line)) {
      endBlock(line);
      return;
    } else if (fence && !fence->info.isEmpty()) {
      inner_.append(*fence);
    }
    change_.newText += line + '\n';
    return;
  }
  if (fence) {
    beginBlock(line, *fence);
    return;
  }
  for (const QByteArray& each : preamble_.take(line)) say(each);
}

void WholeFileReader::takeEnd() {
  if (fence_) {
    addProblem(beganAt_,
               translate("The answer ends within the block that begins here: it is left out."));
    fence_.reset();
  }
  for (const QByteArray& each : preamble_.release()) say(each);
  if (!waiting_) return;
  Waiting only = *std::exchange(waiting_, {});
  addChange(std::move(only.change));
  for (const QByteArray& each : only.proseAfter) addProse(each);
}

void WholeFileReader::beginBlock(const QByteArray& line, const CodeFence& fence) {
  sayWhatWaits();
  ++blocks_;
  fence_ = fence;
  inner_.clear();
  beganAt_ = lineNumber();
  opening_ = line;
  change_ = {};
  change_.kind = ProposedChange::Kind::kWholeFile;
  change_.path = fence.fileName();
  if (change_.path.isEmpty()) {
    change_.path = preamble_.takeFileName();
  } else {
    for (const QByteArray& each : preamble_.release()) say(each);
  }
}

void WholeFileReader::endBlock(const QByteArray& line) {
  fence_.reset();
  if (!change_.path.isEmpty()) {
    addChange(std::exchange(change_, {}));
    return;
  }
  waiting_ = Waiting{std::exchange(change_, {}), opening_, line, {}};
  if (blocks_ > 1) sayWhatWaits();
}

void WholeFileReader::say(const QByteArray& line) {
  if (waiting_) {
    waiting_->proseAfter.append(line);
  } else {
    addProse(line);
  }
}

void WholeFileReader::sayWhatWaits() {
  if (!waiting_) return;
  const Waiting block = *std::exchange(waiting_, {});
  addProse(block.opening);
  QByteArray text = block.change.newText;
  if (text.endsWith('\n')) {
    text.chop(1);
    addProse(text);
  }
  addProse(block.closing);
  for (const QByteArray& each : block.proseAfter) addProse(each);
}

}  // namespace waferpair::pairing
