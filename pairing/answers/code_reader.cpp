// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/code_reader.h"

#include <utility>

#include "editor/text/translate.h"

namespace waferpair::pairing {

namespace {

// A fence in an item of a list has what it holds indented as it is.
QByteArray withoutIndent(const QByteArray& text, const QByteArray& indent) {
  if (indent.isEmpty()) return text;
  QByteArray made;
  for (const QByteArray& line : text.split('\n')) {
    const bool isEmpty = line.trimmed().isEmpty();
    if (!isEmpty && !line.startsWith(indent)) return text;
    made += (isEmpty ? QByteArray() : line.sliced(indent.size())) + '\n';
  }
  return made.chopped(1);
}

}  // namespace

std::optional<ProposedChange> CodeReader::underWay() const {
  if (fence_) return change_;
  return {};
}

void CodeReader::takeLine(const QByteArray& line) {
  const auto fence = CodeFence::opening(line);
  if (fence_) {
    if (!inner_.isEmpty() && inner_.last().closedBy(line)) {
      inner_.removeLast();
    } else if (inner_.isEmpty() && fence_->closedBy(line)) {
      change_.newText = withoutIndent(change_.newText, fence_->indent);
      fence_.reset();
      addChange(std::exchange(change_, {}));
      return;
    } else if (fence && !fence->info.isEmpty()) {
      inner_.append(*fence);
    }
    // A title of Markdown looks like a comment.
    const bool mayName = change_.path.isEmpty() && change_.newText.isEmpty();
    if (mayName && !change_.language.startsWith("m")) {
      const QString name = fileNameInComment(line);
      if (name.contains(u'/')) change_.path = name;
    }
    change_.newText += line + '\n';
    return;
  }
  if (fence) {
    beginBlock(*fence);
    return;
  }
  if (!line.trimmed().isEmpty()) lead_ = line;
  for (const QByteArray& each : preamble_.take(line)) say(each);
}

void CodeReader::takeEnd() {
  if (fence_) {
    addProblem(beganAt_,
               translate("The answer ends within the block that begins here: it is left out."));
    fence_.reset();
  }
  for (const QByteArray& each : preamble_.release()) say(each);
}

void CodeReader::beginBlock(const CodeFence& fence) {
  fence_ = fence;
  inner_.clear();
  beganAt_ = lineNumber();
  change_ = {};
  change_.kind = ProposedChange::Kind::kCode;
  change_.language = fence.language();
  change_.lead = std::exchange(lead_, {});
  change_.path = fence.fileName();
  if (change_.path.isEmpty()) {
    change_.path = preamble_.takeFileName();
  } else {
    for (const QByteArray& each : preamble_.release()) say(each);
  }
}

void CodeReader::say(const QByteArray& line) { addProse(line); }

}  // namespace waferpair::pairing
