// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/highlighter.h"

#include <Qsci/qsciscintillabase.h>

#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/FoldingRegion>
#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Theme>
#include <algorithm>
#include <chrono>
#include <cstring>

#include "editor/text/decoded_line.h"
#include "editor/text/text_codec.h"
#include "editor/view/layout_pieces.h"
#include "editor/view/word.h"

namespace waferpair::editor {

using KSyntaxHighlighting::Definition;
using KSyntaxHighlighting::Format;
using KSyntaxHighlighting::State;
using KSyntaxHighlighting::Theme;
using Sci = QsciScintillaBase;
using namespace std::chrono_literals;

namespace {

constexpr auto kForegroundBudget = 8ms;
constexpr auto kSlice = 3ms;
constexpr auto kPause = 5ms;
constexpr qsizetype kFlushBytes = 1 << 20;
// States that hold captures (here-documents) can differ on every line: only the first, common ones
// and the most recent are searched, so interning stays cheap; a duplicate costs no more than a line
// lexed twice.
constexpr size_t kSearchedStates = 32;
constexpr size_t kMostStates = 1 << 20;

}  // namespace

Highlighter::Highlighter(QsciScintillaBase* view)
    : view_(view), styles_(view), folds_(view), background_(view) {
  background_.setInterval(kPause);
  background_.setTimerType(Qt::PreciseTimer);
  QObject::connect(&background_, &QTimer::timeout, &background_, [this] { slice(); });
  states_.emplace_back();
}

void Highlighter::setLanguage(const Definition& definition) {
  active_ = definition.isValid();
  setDefinition(definition);
  isMarkup_ = active_ && definition.section() == u"Markup";
  styles_.reset(theme(), isMarkup_);
  if (!active_) view_->SendScintilla(Sci::SCI_CLEARDOCUMENTSTYLE);
  restartFolds();
  startOver();
}

void Highlighter::setLook(const Theme& theme) {
  setTheme(theme);
  styles_.reset(theme, isMarkup_);
  startOver();
}

void Highlighter::restart(bool folds) {
  hasFolds_ = folds;
  restartFolds();
  startOver();
}

void Highlighter::restartFolds() {
  if (!hasFolds_) return folds_.restart(FoldLevels::Source::kNone);
  const Definition& language = definition();
  const bool regions =
      active_ && language.foldingEnabled() && !language.indentationBasedFoldingEnabled();
  if (regions) return folds_.restart(FoldLevels::Source::kRegions);
  folds_.restart(FoldLevels::Source::kIndentation,
                 active_ ? language.foldingIgnoreList() : QStringList());
}

void Highlighter::setFoldRanges(const std::vector<FoldRange>* ranges) {
  if (!hasFolds_) return;
  if (ranges) {
    folds_.setGiven(*ranges);
    if (!isFinished()) background_.start();
  } else if (folds_.source() == FoldLevels::Source::kGiven) {
    restartFolds();
    startOver();
  }
}

void Highlighter::startOver() {
  states_.assign(1, State());
  ends_.assign(active_ ? static_cast<size_t>(lineCount()) : 0, kUnknown);
  lexed_ = 0;
  dirtyHigh_ = -1;
  claimed_ = 0;
  view_->SendScintilla(Sci::SCI_STARTSTYLING, 0UL, 0L);
  if (isFinished()) {
    background_.stop();
  } else {
    background_.start();
  }
  view_->viewport()->update();
  if (follower_) follower_->restarted();
}

int Highlighter::lineCount() const {
  return static_cast<int>(view_->SendScintilla(Sci::SCI_GETLINECOUNT));
}

// Tells the kinds of the pieces, in UTF-16 offsets, of the line up to `position`; `andBehind`: as
// if a letter were typed there. False, with nothing told, where that would take too long.
bool Highlighter::probe(long position, bool andBehind,
                        const std::function<void(int, int, TextKind)>& tell) {
  if (!active_) return false;
  const int line = static_cast<int>(
      view_->SendScintilla(Sci::SCI_LINEFROMPOSITION, static_cast<unsigned long>(position)));
  const long start =
      view_->SendScintilla(Sci::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
  if (position - start > kLongestUncutLine) return false;
  if (line > 0 && !advance(line - 1, QDeadlineTimer(kForegroundBudget))) return false;
  const auto* bytes = reinterpret_cast<const char*>(view_->SendScintilla(
      Sci::SCI_GETRANGEPOINTER, static_cast<unsigned long>(start), position - start));
  QString text = exactUtf8(QByteArrayView(bytes, position - start));
  if (andBehind) text += u'x';
  probe_ = tell;
  highlightLine(text, line == 0 ? State() : states_[ends_[static_cast<size_t>(line) - 1]]);
  probe_ = nullptr;
  return true;
}

TextKind Highlighter::kindAt(long position) {
  TextKind kind = TextKind::kCode;
  probe(position, true, [&kind](int, int length, TextKind piece) {
    if (length > 0) kind = piece;  // the last one is what is typed
  });
  return kind;
}

Highlighter::CodeEnd Highlighter::codeEnd(long position) {
  const long line = view_->SendScintilla(Sci::SCI_LINEFROMPOSITION, word(position));
  const long start = view_->SendScintilla(Sci::SCI_POSITIONFROMLINE, word(line));
  DecodedLine text(QByteArray(reinterpret_cast<const char*>(view_->SendScintilla(
                                  Sci::SCI_GETRANGEPOINTER, word(start), position - start)),
                              position - start));
  CodeEnd end{position, TextKind::kCode};
  int last = -1;  // the last letter
  const auto take = [&](int offset, int length, TextKind kind) {
    if (kind == TextKind::kComment) return;
    for (int at = offset + length - 1; at >= offset; --at) {
      if (text.text()[at].isSpace()) continue;
      if (at > last) {
        last = at;
        end.kind = kind;
      }
      return;
    }
  };
  if (!probe(position, false, take)) take(0, static_cast<int>(text.text().size()), TextKind::kCode);
  end.at = start + text.byteAt(last + 1);
  return end;
}

bool Highlighter::isFinished() const {
  const bool colored = !active_ || (dirtyHigh_ < 0 && lexed_ == static_cast<int>(ends_.size()));
  return colored && (!hasFolds_ || folds_.settledLines() >= lineCount());
}

int Highlighter::rightLines() const {
  if (!active_) return lineCount();
  return dirtyHigh_ >= 0 ? dirtyLow_ : lexed_;
}

void Highlighter::edited(int line, int linesAdded) {
  if (follower_) follower_->linesEdited(line, linesAdded);
  folds_.edited(line, linesAdded);
  if (hasFolds_) background_.start();
  if (!active_) return;
  claimed_ = 0;
  const auto at = ends_.begin() + line;
  if (linesAdded > 0) {
    // A state belongs to its line's end: what stood behind the new lines keeps the old state, so
    // the unknown ones go before it.
    ends_.insert(at, static_cast<size_t>(linesAdded), kUnknown);
  } else if (linesAdded < 0) {
    // And of joined lines the last one's end is still an end.
    ends_.erase(at, at - linesAdded);
  }
  background_.start();
  if (line >= lexed_) return;

  const auto moved = [&](int other) {
    if (linesAdded >= 0) return other > line ? other + linesAdded : other;
    return other > line ? std::max(line, other + linesAdded) : other;
  };
  lexed_ = linesAdded >= 0 ? lexed_ + linesAdded : std::max(line, lexed_ + linesAdded);
  const int last = line + std::max(0, linesAdded);
  if (dirtyHigh_ >= 0) {
    dirtyLow_ = std::min(moved(dirtyLow_), line);
    dirtyHigh_ = std::max(moved(dirtyHigh_), last);
  } else {
    dirtyLow_ = line;
    dirtyHigh_ = last;
  }
  dirtyHigh_ = std::min(dirtyHigh_, lexed_ - 1);
  if (dirtyLow_ >= lexed_) dirtyHigh_ = -1;
}

void Highlighter::styleNeeded(long position) {
  const int line = static_cast<int>(
      view_->SendScintilla(Sci::SCI_LINEFROMPOSITION, static_cast<unsigned long>(position)));
  if (!active_) {
    view_->SendScintilla(Sci::SCI_STARTSTYLING,
                         static_cast<unsigned long>(view_->SendScintilla(Sci::SCI_GETLENGTH)), 0L);
    if (!painting_) folds_.settle(line, QDeadlineTimer(kForegroundBudget));
    return;
  }
  if (painting_ || !advance(line, QDeadlineTimer(kForegroundBudget))) {
    claimed_ = std::max(claimed_, view_->SendScintilla(
                                      Sci::SCI_POSITIONFROMLINE,
                                      static_cast<unsigned long>(std::min(line + 1, lineCount()))));
  }
  tellStyledEnd();
  if (!painting_) folds_.settle(line, QDeadlineTimer(kForegroundBudget));
}

void Highlighter::setPainting(bool painting) {
  painting_ = painting;
  styles_.setPainting(painting);
}

void Highlighter::finish() {
  const QDeadlineTimer untilDone(QDeadlineTimer::Forever);
  if (active_) {
    advance(lineCount() - 1, untilDone);
    tellStyledEnd();
  }
  folds_.settle(lineCount() - 1, untilDone);
  background_.stop();
  if (whenFoldsKnown_) whenFoldsKnown_();
}

void Highlighter::slice() {
  if (isFinished()) {
    background_.stop();
    if (whenFoldsKnown_) whenFoldsKnown_();  // a paint may have done the rest
    return;
  }
  const QDeadlineTimer deadline(kSlice);
  if (active_) {
    advance(lineCount() - 1, deadline);
    tellStyledEnd();
  }
  folds_.settle(lineCount() - 1, deadline);
  if (isFinished()) background_.stop();
  if (whenFoldsKnown_) whenFoldsKnown_();
}

// Makes styles right up to the end of `lastLine`; false when the deadline came first.
bool Highlighter::advance(int lastLine, QDeadlineTimer deadline) {
  if (states_.size() > kMostStates) startOver();
  if (dirtyHigh_ >= 0 && !relexDirty(lastLine, deadline)) return false;
  if (lexed_ > lastLine) return true;
  beginAt(lexed_);
  bool inTime = true;
  while (lexed_ <= lastLine && inTime) {
    lexLine(lexed_++);
    inTime = !deadline.hasExpired();
  }
  flush();
  return lexed_ > lastLine;
}

bool Highlighter::relexDirty(int lastLine, QDeadlineTimer deadline) {
  if (dirtyLow_ > lastLine) return true;
  beginAt(dirtyLow_);
  bool inTime = true;
  for (int line = dirtyLow_; line < lexed_; ++line) {
    // Lines beyond the wanted one wait; so does the rest when time is up.
    if (line > lastLine || !inTime) {
      flush();
      dirtyLow_ = line;
      dirtyHigh_ = std::max(dirtyHigh_, line);
      return line > lastLine;
    }
    const StateId before = ends_[static_cast<size_t>(line)];
    lexLine(line);
    // Past the last edited line an unchanged state means unchanged lines below.
    if (line >= dirtyHigh_ && before != kUnknown &&
        sameState(before, ends_[static_cast<size_t>(line)]))
      break;
    inTime = !deadline.hasExpired();
  }
  flush();
  dirtyHigh_ = -1;
  return true;
}

void Highlighter::tellStyledEnd() {
  const int right = rightLines();
  // Style bytes move with their text: the unchanged rest need not be written again.
  const long end = right >= lineCount() ? view_->SendScintilla(Sci::SCI_GETLENGTH)
                                        : view_->SendScintilla(Sci::SCI_POSITIONFROMLINE,
                                                               static_cast<unsigned long>(right));
  view_->SendScintilla(Sci::SCI_STARTSTYLING, static_cast<unsigned long>(std::max(end, claimed_)),
                       0L);
}

void Highlighter::beginAt(int line) {
  styleBytes_.clear();
  flushLine_ = line;
  linesToFlush_ = 0;
  flushFrom_ = view_->SendScintilla(Sci::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
  state_ = line == 0 ? State() : states_[ends_[static_cast<size_t>(line) - 1]];
}

void Highlighter::lexLine(int line) {
  const auto number = static_cast<unsigned long>(line);
  const long begin = view_->SendScintilla(Sci::SCI_POSITIONFROMLINE, number);
  const long end = view_->SendScintilla(Sci::SCI_GETLINEENDPOSITION, number);
  const long next =
      line + 1 < lineCount() ? view_->SendScintilla(Sci::SCI_POSITIONFROMLINE, number + 1) : end;
  lineBase_ = styleBytes_.size();
  const long length = end - begin;
  regions_.clear();
  if (length > kLongestUncutLine) {
    rememberPieces(view_, length);
    appendPieces(reinterpret_cast<const char*>(view_->SendScintilla(
                     Sci::SCI_GETRANGEPOINTER, static_cast<unsigned long>(begin), length)),
                 length, &styleBytes_);
    styleBytes_.append(next - end, '\0');
  } else {
    styleBytes_.append(next - begin, '\0');
    // Valid only until the next message that changes the document.
    const auto* bytes = reinterpret_cast<const char*>(
        view_->SendScintilla(Sci::SCI_GETRANGEPOINTER, static_cast<unsigned long>(begin), length));
    ascii_ = std::none_of(bytes, bytes + length, [](char c) { return (c & 0x80) != 0; });
    const QString text =
        ascii_ ? QString::fromLatin1(bytes, length) : exactUtf8(QByteArrayView(bytes, length));
    if (!ascii_) {
      byteOfUnit_.resize(static_cast<size_t>(text.size()) + 1);
      int byte = 0;
      for (qsizetype i = 0; i < text.size(); ++i) {
        byteOfUnit_[static_cast<size_t>(i)] = byte;
        const char16_t unit = text[i].unicode();
        // A surrogate pair is four bytes, two for each half.
        byte += unit < 0x80 ? 1 : unit < 0x800 || text[i].isSurrogate() ? 2 : 3;
      }
      // Bytes that are no valid UTF-8 show as U+FFFD and are counted as three: stay in the line.
      byteOfUnit_.back() = byte;
      for (int& offset : byteOfUnit_) offset = std::min(offset, static_cast<int>(length));
    }
    state_ = highlightLine(text, state_);
  }
  ends_[static_cast<size_t>(line)] = intern(state_);
  folds_.setRegions(line, regions_);
  ++linesLexed_;
  ++linesToFlush_;
  if (styleBytes_.size() > kFlushBytes) flush();
}

void Highlighter::applyFormat(int offset, int length, const Format& format) {
  if (length <= 0) return;
  if (probe_) return probe_(offset, length, kindOf(format));
  const auto at = [&](int unit) { return ascii_ ? unit : byteOfUnit_[static_cast<size_t>(unit)]; };
  const int from = at(offset);
  memset(styleBytes_.data() + lineBase_ + from, styles_.styleFor(format),
         static_cast<size_t>(at(offset + length) - from));
}

void Highlighter::applyFolding(int, int, KSyntaxHighlighting::FoldingRegion region) {
  if (probe_) return;
  const bool begins = region.type() == KSyntaxHighlighting::FoldingRegion::Begin;
  regions_.push_back(begins ? region.id() : -region.id());
}

void Highlighter::flush() {
  const int first = flushLine_;
  flushLine_ += linesToFlush_;
  if (follower_ && linesToFlush_ > 0) follower_->linesStyled(first, flushLine_ - 1);
  linesToFlush_ = 0;
  if (styleBytes_.isEmpty()) return;
  view_->SendScintilla(Sci::SCI_STARTSTYLING, static_cast<unsigned long>(flushFrom_), 0L);
  view_->SendScintilla(Sci::SCI_SETSTYLINGEX, static_cast<uintptr_t>(styleBytes_.size()),
                       styleBytes_.constData());
  flushFrom_ += static_cast<long>(styleBytes_.size());
  styleBytes_.clear();
}

Highlighter::StateId Highlighter::intern(const State& state) {
  const size_t size = states_.size();
  for (size_t i = 0; i < std::min(size, kSearchedStates); ++i)
    if (states_[i] == state) return static_cast<StateId>(i);
  for (size_t i = size; i > std::max(kSearchedStates, size - std::min(size, kSearchedStates)); --i)
    if (states_[i - 1] == state) return static_cast<StateId>(i - 1);
  states_.push_back(state);
  return static_cast<StateId>(size);
}

bool Highlighter::sameState(StateId a, StateId b) const {
  return a == b || states_[a] == states_[b];
}

}  // namespace waferpair::editor
