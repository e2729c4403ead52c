// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/thoughts.h"

#include <QRegularExpression>
#include <utility>

#include "pairing/answers/patch_reader.h"
#include "pairing/answers/search_replace.h"
#include "pairing/answers/tool_edits.h"

namespace waferpair::pairing {
namespace {

#define THOUGHT_NAMES "think|thinking|reasoning|thought|thoughts|reflection|analysis|scratchpad"

constexpr auto kTagCase = QRegularExpression::CaseInsensitiveOption;

const QRegularExpression& opening() {
  static const QRegularExpression tag(
      QStringLiteral(
          R"(^\s*(?:<(?:seed:)?(?:)" THOUGHT_NAMES
          R"()(?:\s[^>]*)?>|\[THINK\]|◁think▷|<\|(?:begin_of_thought|START_THINKING)\|>|)"
          R"((?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)<\|message\|>))"),
      kTagCase);
  return tag;
}

const QRegularExpression& closing() {
  static const QRegularExpression tag(
      QStringLiteral(R"((?:</(?:seed:)?(?:)" THOUGHT_NAMES
                     R"()>|\[/THINK\]|◁/think▷|<\|(?:end_of_thought|END_THINKING|end)\|>)\s*)"),
      kTagCase);
  return tag;
}

// What stands around the answer itself, and around a call.
const QRegularExpression& lastChannel() {
  static const QRegularExpression tag(
      QStringLiteral(R"(^\s*(?:<\|start\|>assistant)?<\|channel\|>)"
                     R"((?:final|(?:analysis|commentary)\s+to=\S+).*?<\|message\|>)"));
  return tag;
}
const QRegularExpression& end() {
  static const QRegularExpression tag(
      QStringLiteral(R"(<\|(?:return|call|end|begin_of_solution|end_of_solution)\|>\s*$)"));
  return tag;
}

}  // namespace

std::optional<QByteArray> Thoughts::take(const QByteArray& line) {
  const auto said = !inside_ && isInChange() ? std::optional(line) : takeOutside(line);
  if (said) follow(*said);
  return said;
}

std::optional<QByteArray> Thoughts::takeOutside(const QByteArray& line) {
  QString text = QString::fromUtf8(line);
  bool changed = false;
  for (;;) {
    if (!inside_) {
      const auto match = opening().match(text);
      if (!match.hasMatch()) break;
      inside_ = changed = true;
      text.remove(0, match.capturedEnd());
    }
    const auto match = closing().match(text);
    if (!match.hasMatch()) return std::nullopt;
    inside_ = false;
    changed = true;
    text.remove(0, match.capturedEnd());
  }
  if (!changed) {
    // At a line's end it ends a thought that began before the answer, unless it is spoken of.
    const auto match = closing().match(text);
    const QString before = text.left(match.capturedStart()).trimmed();
    const bool isSpokenOf = before.endsWith(u'`') || before.endsWith(u'"') || before.endsWith(u'<');
    if (match.hasMatch() && match.capturedEnd() == text.size() && !isSpokenOf &&
        !match.captured(0).startsWith(QLatin1String("<|end|>"))) {
      restarts_ = true;
      return std::nullopt;
    }
  }
  for (const auto* part : {&lastChannel(), &end()}) {
    const auto match = part->match(text);
    if (!match.hasMatch()) continue;
    text.remove(match.capturedStart(), match.capturedLength());
    changed = true;
  }
  if (!changed) return line;
  if (text.trimmed().isEmpty()) return std::nullopt;
  return text.toUtf8();
}

void Thoughts::follow(const QByteArray& line) {
  if (inCall_) return;
  if (inPatch_) {
    inPatch_ = !PatchReader::endsPatch(line);
    return;
  }
  if (SearchReplaceReader::beginsBlock(line)) {
    inBlock_ = true;
  } else if (inBlock_) {
    inBlock_ = !SearchReplaceReader::endsBlock(line) && !(fence_ && fence_->closedBy(line));
    if (!inBlock_ && fence_ && fence_->closedBy(line)) fence_.reset();
  } else if (fence_) {
    if (fence_->closedBy(line)) fence_.reset();
  } else if (const auto fence = CodeFence::opening(line)) {
    fence_ = fence;
  } else if (PatchReader::beginsPatch(line)) {
    inPatch_ = true;
  } else {
    inCall_ = ToolEditsReader::beginsEdit(line);
  }
}

bool Thoughts::takeRestart() {
  if (!restarts_) return false;
  *this = Thoughts();
  return true;
}

QByteArray withoutThoughts(QByteArrayView answer) {
  QByteArray plain;
  Thoughts thoughts;
  for (qsizetype begin = 0; begin < answer.size();) {
    qsizetype end = answer.indexOf('\n', begin);
    const bool whole = end >= 0;
    if (!whole) end = answer.size();
    QByteArray line = answer.sliced(begin, end - begin).toByteArray();
    begin = end + 1;
    if (line.endsWith('\r')) line.chop(1);
    const auto said = thoughts.take(line);
    if (thoughts.takeRestart()) plain.clear();
    if (!said) continue;
    plain += *said;
    if (whole) plain += '\n';
  }
  return plain;
}

}  // namespace waferpair::pairing
