// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/growing_edit.h"

#include <algorithm>
#include <utility>

#include "editor/text/indentation.h"
#include "pairing/answers/code_fence.h"
#include "pairing/placing/code_hints.h"

namespace waferpair::pairing {
namespace {

using Kind = ProposedChange::Kind;

// A larger text is not searched for lines outside the target.
constexpr qint64 kMostSearched = 1 << 20;  // bytes
constexpr qsizetype kNear = 8;             // lines of the text that one line may pass by itself
constexpr qsizetype kFar = 200;            // that two lines in a row may
constexpr qsizetype kLinesOfHead = 8;  // lines of a place that code without old text begins with
constexpr qint64 kMostLead = 40;       // lines before code that is drawn
constexpr double kLike = 0.5;          // words that a line keeps which was changed
constexpr double kSame = 1;
constexpr int kFewestTelling = 4;  // letters and digits

// Braces and "return" stand everywhere.
bool isTelling(const QByteArray& line) {
  return std::count_if(line.cbegin(), line.cend(), [](char c) {
           return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c & 0x80);
         }) >= kFewestTelling;
}

bool standsAt(const TextLines& old, const TextLines& text, qsizetype at) {
  for (qsizetype i = 0; i < old.count(); ++i)
    if (old.squeezed(i) != text.squeezed(at + i)) return false;
  return true;
}

// The places of the old lines in the text, two at most.
QVector<qsizetype> placesOf(const TextLines& old, const TextLines& text) {
  QVector<qsizetype> places;
  for (qsizetype at = 0; at + old.count() <= text.count() && places.size() < 2; ++at)
    if (standsAt(old, text, at)) places.append(at);
  return places;
}

qsizetype firstTelling(const TextLines& lines) {
  for (qsizetype i = 0; i < lines.count(); ++i)
    if (isTelling(lines.squeezed(i))) return i;
  return -1;
}

}  // namespace

void GrowingEdit::clear() {
  change_ = {};
  lineCount_ = 0;
  place_.reset();
  isNowhere_ = false;
  placeLine_ = 0;
  at_ = 0;
  indent_.clear();
  pieces_.clear();
  isOpen_ = false;
  pending_.clear();
}

void GrowingEdit::take(const ProposedChange& change) {
  const bool goesOn = change.kind == change_.kind && change.path == change_.path &&
                      change.oldText == change_.oldText &&
                      change.newText.startsWith(change_.newText);
  if (!goesOn) clear();
  const qsizetype known = change_.newText.size();
  change_ = change;
  for (qsizetype from = known; from < change.newText.size();) {
    qsizetype end = change.newText.indexOf('\n', from);
    if (end < 0) end = change.newText.size();
    takeLine(change.newText.sliced(from, end - from));
    from = end + 1;
  }
}

void GrowingEdit::takeLine(const QByteArray& line) {
  ++lineCount_;
  if (isNowhere_) return;
  if (place_ || findPlace(line)) lay(line);
}

bool GrowingEdit::findPlace(const QByteArray& line) {
  switch (change_.kind) {
    case Kind::kCode:
      return findCode(line);
    case Kind::kReplace:
      isNowhere_ = change_.oldText.isEmpty() || !findOld();
      break;
    case Kind::kCreate:
      isNowhere_ = !task_.text.isEmpty();
      if (!isNowhere_) useLines({0, 0});
      break;
    case Kind::kDelete:
    case Kind::kRename:
      isNowhere_ = true;
      break;
  }
  return !isNowhere_;
}

void GrowingEdit::useLines(LineRange lines) {
  const qint64 start = task_.text.lineStart(lines.first);
  const qint64 end = lines.count == 0 ? start : task_.text.lineStart(lines.end());
  place_.emplace(task_.text.slice(start, end));
  placeLine_ = lines.first;
}

// The answer may have lost the indentation that its lines have in the text.
void GrowingEdit::putIndentOf(const QByteArray& line, qsizetype at) {
  const QByteArray there = place_->indent(at);
  const QByteArray here = editor::leadingBlanks(line);
  if (there.endsWith(here)) indent_ = there.chopped(here.size());
}

// Where the old text stands once in the target, or else once in the file, or where the answer's
// line number says.
bool GrowingEdit::findOld() {
  const TextLines old(change_.oldText);
  if (old.count() == 0) return false;
  const auto lay = [&](qint64 line) {
    useLines({line, old.count()});
    putIndentOf(old.line(0).toByteArray(), 0);
    return true;
  };
  useLines(task_.target);
  const QVector<qsizetype> inTarget = placesOf(old, *place_);
  place_.reset();
  if (inTarget.size() == 1) return lay(task_.target.first + inTarget.first());
  if (task_.text.size() > kMostSearched) return false;
  const TextLines all(task_.text.toByteArray());
  const QVector<qsizetype> inFile = placesOf(old, all);
  if (inFile.size() == 1) return lay(inFile.first());
  const qint64 hint = change_.hintLine;
  if (inFile.isEmpty() || hint < 0 || hint + old.count() > all.count()) return false;
  return standsAt(old, all, hint) && lay(hint);
}

// Code that begins as the target does, or as the file does. What comes before (imports, a remark)
// is not drawn.
bool GrowingEdit::findCode(const QByteArray& line) {
  isNowhere_ = lineCount_ > kMostLead;
  const QByteArray key = line.simplified();
  if (isNowhere_ || !isTelling(key) || (lineCount_ == 1 && !fileNameIn(line).isEmpty()))
    return false;
  const auto beginsIn = [&](LineRange lines, double like) {
    useLines(lines);
    const qsizetype first = firstTelling(*place_);
    if (first < 0) return lines.count == task_.target.count;  // it is to be filled
    const qsizetype end = std::min(place_->count(), first + kLinesOfHead);
    for (qsizetype at = first; at < end; ++at) {
      if (place_->squeezed(at) != key && likeness(place_->squeezed(at), key) < like) continue;
      at_ = at;
      putIndentOf(line, at);
      return true;
    }
    place_.reset();
    return false;
  };
  if (beginsIn(task_.target, kLike)) return true;
  const LineRange file{0, task_.text.lineCount()};
  return lineCount_ == 1 && file != task_.target && task_.text.size() <= kMostSearched &&
         beginsIn(file, kSame);
}

GrowingEdit::Piece& GrowingEdit::openPiece() {
  if (!std::exchange(isOpen_, true)) pieces_.append({at_, 0, {}});
  return pieces_.last();
}

// The text's lines before `at` go, and that one stays.
void GrowingEdit::passTo(qsizetype at) {
  if (at > at_) openPiece().count += at - at_;
  at_ = at + 1;
  isOpen_ = false;
  pending_.clear();
}

// The line stands a few lines further in the text, and nowhere else near.
std::optional<qsizetype> GrowingEdit::sameNear(const QByteArray& line) const {
  const QByteArray key = line.simplified();
  if (!isTelling(key)) return {};
  std::optional<qsizetype> found;
  const qsizetype end = std::min(place_->count(), at_ + kFar);
  for (qsizetype at = at_; at < end; ++at) {
    if (place_->squeezed(at) != key) continue;
    if (found || at - at_ > kNear || place_->line(at) != line) return {};
    found = at;
  }
  return found;
}

// The last line, which was put in, and this one stand further in the text one behind the other.
std::optional<qsizetype> GrowingEdit::pairBehind(const QByteArray& line) const {
  if (pending_.isEmpty() || !isTelling(pending_ + line)) return {};
  const qsizetype end = std::min(place_->count(), at_ + kFar);
  for (qsizetype at = at_ + 1; at < end; ++at)
    if (place_->line(at - 1) == pending_ && place_->line(at) == line) return at;
  return {};
}

void GrowingEdit::lay(const QByteArray& given) {
  const QByteArray key = given.simplified();
  const QByteArray line = key.isEmpty() ? given : indent_ + given;
  const bool hasNext = at_ < place_->count();
  if (hasNext && place_->line(at_) == line) {
    passTo(at_);
    return;
  }
  if (const auto same = sameNear(line)) {
    passTo(*same);
    return;
  }
  if (const auto second = pairBehind(line)) {
    Piece& piece = openPiece();
    piece.text.chop(pending_.size() + 1);
    piece.count += *second - 1 - at_;
    at_ = *second - 1;
    passTo(*second - 1);
    passTo(*second);
    return;
  }
  Piece& piece = openPiece();
  piece.text += line + '\n';
  pending_ = line;
  const bool isNext =
      hasNext && !key.isEmpty() &&
      (place_->squeezed(at_) == key || likeness(place_->squeezed(at_), key) >= kLike);
  if (!isNext) return;
  ++piece.count;
  ++at_;
  pending_.clear();
}

QVector<editor::Hunk> GrowingEdit::hunks() const {
  QVector<editor::Hunk> hunks;
  for (const Piece& piece : pieces_) {
    if (piece.count == 0 && piece.text.isEmpty()) continue;
    const qint64 start = task_.text.lineStart(placeLine_ + piece.first);
    const qint64 end = task_.text.lineStart(placeLine_ + piece.first + piece.count);
    const auto range =
        start == end ? editor::AnchoredRange::at(start) : editor::AnchoredRange::fixed(start, end);
    hunks.append({range, piece.text});
  }
  return hunks;
}

}  // namespace waferpair::pairing
