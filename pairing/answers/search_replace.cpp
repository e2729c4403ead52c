// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/search_replace.h"

#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kFewestSigns = 5;
constexpr qsizetype kMostSigns = 9;
constexpr qsizetype kFewestBareSigns = 7;  // of a first line without a word

enum class Mark { kNone, kHead, kDivider, kTail, kBareTail };

struct MarkerLine {
  Mark mark = Mark::kNone;
  qsizetype length = 0;
  QByteArray indent;
  QString path;             // kHead: that stands behind the word
  bool isConflict = false;  // "<<<<<<< HEAD"
};

MarkerLine markerIn(const QByteArray& given) {
  MarkerLine marker;
  QByteArray line = given;
  if (line.trimmed().startsWith("<![CDATA[")) line = line.trimmed().sliced(9);
  if (line.endsWith("]]>")) line.chop(3);
  qsizetype at = 0;
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  if (at == line.size()) return marker;
  const char sign = line[at];
  while (at + marker.length < line.size() && line[at + marker.length] == sign) ++marker.length;
  if (marker.length < kFewestSigns || marker.length > kMostSigns) return marker;
  marker.indent = line.left(at);
  const QByteArray rest = line.sliced(at + marker.length).trimmed();
  qsizetype end = 0;
  while (end < rest.size() && ((rest[end] | 0x20) >= 'a') && ((rest[end] | 0x20) <= 'z')) ++end;
  const QByteArray word = rest.left(end).toUpper();
  QByteArray behind = rest.sliced(end).trimmed();
  const auto isOneOf = [&word](auto... words) { return ((word == words) || ...); };
  if (behind.toUpper() == "BLOCK") behind.clear();
  // The sign again, or a colon.
  while (!behind.isEmpty() && (behind[0] == sign || behind[0] == ':')) behind = behind.sliced(1);
  behind = behind.trimmed();
  if (behind.startsWith('(') && behind.endsWith(')')) behind = behind.sliced(1).chopped(1);
  const QString path = fileNameIn(behind);
  const bool isPlain = behind.isEmpty() || !path.isEmpty();
  const bool isHead = isOneOf("SEARCH", "ORIGINAL") || (sign == '<' && isOneOf("OLD", "BEFORE"));
  if ((sign == '<' || sign == '-') && isHead && isPlain) {
    marker.mark = Mark::kHead;
    marker.path = path;
  }
  if (sign == '<' && rest.isEmpty() && marker.length >= kFewestBareSigns) marker.mark = Mark::kHead;
  if (sign == '<' && word == "HEAD" && behind.isEmpty()) {
    marker.mark = Mark::kHead;
    marker.isConflict = true;
  }
  const bool isTail = isOneOf("REPLACE", "UPDATED", "REPLACED");
  if (sign == '=' && (rest.isEmpty() || (isOneOf("REPLACE", "NEW") && behind.isEmpty())))
    marker.mark = Mark::kDivider;
  if ((sign == '>' || sign == '+') && isTail && isPlain) marker.mark = Mark::kTail;
  if (sign == '>' && isOneOf("NEW", "AFTER", "END") && isPlain) marker.mark = Mark::kTail;
  if (sign == '>' && marker.mark == Mark::kNone) marker.mark = Mark::kBareTail;
  return marker;
}

// In such files a line of signs is the underline of a title.
bool hasUnderlines(const QString& path) {
  for (const char* suffix : {".md", ".markdown", ".rst", ".txt", ".adoc"})
    if (path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive)) return true;
  return false;
}

}  // namespace

bool SearchReplaceReader::beginsBlock(const QByteArray& line) {
  return markerIn(line).mark == Mark::kHead;
}

bool SearchReplaceReader::endsBlock(const QByteArray& line) {
  const MarkerLine marker = markerIn(line);
  return marker.mark == Mark::kTail || marker.mark == Mark::kBareTail;
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
    if (inBlock_ && !endAtFence())
      addProblem(beganAt_, translate("The block has no line \">>>>>>> REPLACE\"."));
    beginBlock(line);
    return;
  }
  if (inBlock_ && takeBlockLine(line)) return;
  if (fence_ && fence_->closedBy(line)) {
    fence_.reset();
    return;
  }
  // Without this block the others are not the answer.
  if (marker.mark == Mark::kTail && saysMore_)
    addProblem(lineNumber(), translate("A block that ends here has no first line."));
  saysMore_ = saysMore_ || !line.trimmed().isEmpty();
  for (const QByteArray& each : preamble_.take(line)) addProse(each);
}

// Lines that say where the block stands.
bool SearchReplaceReader::takeBlockHead(const QByteArray& line) {
  if (!text_.isEmpty()) return false;
  static const QRegularExpression place(QStringLiteral(R"(^\s*:(start|end)_line:\s*(\d+)\s*$)"));
  static const QRegularExpression dashes(QStringLiteral(R"(^\s*-{5,}\s*$)"));
  const QString text = QString::fromUtf8(line);
  if (const auto match = place.match(text); match.hasMatch()) {
    if (match.captured(1) == u"start")
      hintLine_ = std::max<qint64>(0, match.captured(2).toLongLong() - 1);
    hasPlace_ = true;
    return true;
  }
  return hasPlace_ && std::exchange(hasPlace_, false) && dashes.match(text).hasMatch();
}

bool SearchReplaceReader::takeBlockLine(const QByteArray& line) {
  const MarkerLine marker = markerIn(line);
  const bool isTail =
      marker.mark == Mark::kTail || (marker.mark == Mark::kBareTail && !dividers_.isEmpty() &&
                                     (anyTail_ || line.trimmed().size() == marker.length));
  if (isTail) {
    endBlock();
    return true;
  }
  if (takeBlockHead(line)) return true;
  const bool closes = (fence_ && fence_->closedBy(line)) || line.trimmed() == "</diff>";
  if (closes && !dividers_.isEmpty() && fenceEnd_ < 0) fenceEnd_ = text_.size();
  if (fenceEnd_ >= 0) sinceFence_.append(line);
  const qsizetype begin = text_.size();
  text_ += line + '\n';
  // A divider that stands further in or out is a line of the texts.
  if (marker.mark == Mark::kDivider && marker.indent == indent_ && fenceEnd_ < 0)
    dividers_.append({begin, text_.size(), marker.length});
  return true;
}

// A block without its last line ends with its fence: what came since is behind it.
bool SearchReplaceReader::endAtFence() {
  if (fenceEnd_ < 0) return false;
  // In a text of prose one of several fences may be the text's own.
  const auto fences = std::count_if(sinceFence_.cbegin(), sinceFence_.cend(), [](const auto& line) {
    const auto fence = CodeFence::opening(line);
    return fence && fence->info.isEmpty();
  });
  if (fences > 1 && hasUnderlines(path_)) return false;
  text_.truncate(fenceEnd_);
  const QVector<QByteArray> since = std::exchange(sinceFence_, {});
  endBlock();
  for (const QByteArray& line : since) takeLine(line);
  return true;
}

void SearchReplaceReader::takeEnd() {
  if (inBlock_ && !endAtFence()) {
    addProblem(beganAt_,
               translate("The answer ends within the block that begins here: it is left out."));
    inBlock_ = false;
  }
  for (const QByteArray& each : preamble_.release()) addProse(each);
}

void SearchReplaceReader::beginBlock(const QByteArray& line) {
  const MarkerLine marker = markerIn(line);
  if (auto fence = preamble_.fence()) fence_ = std::move(fence);
  if (const QString path = preamble_.takeFileName(); !path.isEmpty()) path_ = path;
  if (!marker.path.isEmpty()) path_ = marker.path;
  inBlock_ = true;
  beganAt_ = lineNumber();
  length_ = marker.length;
  indent_ = marker.indent;
  anyTail_ = marker.isConflict;
  text_.clear();
  dividers_.clear();
  hintLine_ = -1;
  hasPlace_ = false;
  fenceEnd_ = -1;
  sinceFence_.clear();
}

void SearchReplaceReader::endBlock() {
  inBlock_ = false;
  saysMore_ = false;
  fenceEnd_ = -1;
  QVector<Divider> fitting;
  for (const Divider& divider : dividers_)
    if (divider.length == length_) fitting.append(divider);
  if (fitting.isEmpty()) fitting = dividers_;
  if (fitting.isEmpty()) {
    addProblem(beganAt_, translate("The block has no line \"=======\" between its two texts."));
    return;
  }
  const auto divider = chosenDivider(fitting);
  if (!divider) {
    addProblem(beganAt_, translate("%1 lines of the block could be the one between its two texts.")
                             .arg(fitting.size()));
    return;
  }
  const ProposedChange change = changeAt(*divider);
  if (change.oldText == change.newText) {
    addProblem(beganAt_, translate("The block changes nothing."), true);
    return;
  }
  addChange(change);
}

// The only one, or one that was written twice: in a row, or again before the block's last line.
std::optional<SearchReplaceReader::Divider> SearchReplaceReader::chosenDivider(
    const QVector<Divider>& fitting) {
  if (fitting.size() == 1) return fitting.first();
  if (fitting.size() > 2 || hasUnderlines(path_)) return {};
  Divider divider = fitting.first();
  if (fitting[1].at == divider.after) {
    divider.after = fitting[1].after;
    return divider;
  }
  if (fitting[1].after != text_.size()) return {};
  text_.truncate(fitting[1].at);
  return divider;
}

ProposedChange SearchReplaceReader::changeAt(const Divider& divider) const {
  ProposedChange change;
  change.path = path_;
  change.hintLine = hintLine_;
  change.oldText = text_.left(divider.at);
  change.newText = text_.mid(divider.after);
  if (divider.at == 0 && !dividers_.isEmpty()) {
    change.kind = ProposedChange::Kind::kCreate;
    change.hintLine = -1;
  }
  return change;
}

}  // namespace waferpair::pairing
