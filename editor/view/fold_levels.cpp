// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/fold_levels.h"

#include <Qsci/qsciscintillabase.h>

#include <algorithm>

#include "editor/text/word_byte.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

// Deeper blocks are not told apart; Scintilla has room for 3,000 levels.
constexpr qsizetype kDeepest = 1000;
// Lists that a text can do with; beyond, which only a text made for it has, nothing is open.
constexpr size_t kMostLists = 1 << 16;
// What all ranges that are given are numbered: an end closes the innermost one.
constexpr int kGivenRegion = 1;

}  // namespace

int FoldLevels::lineCount() const {
  return static_cast<int>(view_->SendScintilla(Sci::SCI_GETLINECOUNT));
}

void FoldLevels::restart(Source source, const QStringList& ignored) {
  // A document begins with all levels at the base.
  if (source_ != Source::kNone) {
    for (int line = 0; line < std::min(known_, lineCount()); ++line)
      view_->SendScintilla(Sci::SCI_SETFOLDLEVEL, word(line), long{Sci::SC_FOLDLEVELBASE});
  }
  source_ = source;
  ignored_.clear();
  for (const QString& pattern : ignored)
    ignored_.emplace_back(QRegularExpression::anchoredPattern(pattern));
  const bool keeps = source == Source::kRegions;
  lines_.assign(keeps ? static_cast<size_t>(lineCount()) : 0, {});
  known_ = lexed_ = 0;
  dirtyHigh_ = -1;
  forgetLists();
}

void FoldLevels::forgetLists() {
  lists_.assign(1, {});
  numbers_ = {{{}, 0}};
  steps_.clear();
}

quint32 FoldLevels::numberOf(const Regions& list) {
  const auto found = numbers_.find(list);
  if (found != numbers_.end()) return found->second;
  if (lists_.size() >= kMostLists) return 0;
  const auto number = static_cast<quint32>(lists_.size());
  lists_.push_back(list);
  numbers_.emplace(list, number);
  return number;
}

void FoldLevels::edited(int line, int linesAdded) {
  if (source_ == Source::kNone) return;
  if (source_ == Source::kRegions) {
    const auto at = lines_.begin() + line;
    // What is open at a line's end belongs to that end: new lines go before it.
    if (linesAdded > 0) lines_.insert(at, static_cast<size_t>(linesAdded), Line{});
    if (linesAdded < 0) lines_.erase(at, at - linesAdded);
  }
  if (source_ == Source::kGiven) moveGiven(line, linesAdded);
  const auto moved = [&](int other) {
    if (linesAdded >= 0) return other > line ? other + linesAdded : other;
    return other > line ? std::max(line, other + linesAdded) : other;
  };
  lexed_ = moved(lexed_);
  // Whether the line before opens a block depends on the first one that is not known.
  if (line == known_ && source_ == Source::kIndentation) known_ = std::max(0, line - 1);
  if (line >= known_) return;
  known_ = std::min(moved(known_), lineCount());
  const int last = line + std::max(0, linesAdded);
  dirtyLow_ = dirtyHigh_ < 0 ? line : std::min(moved(dirtyLow_), line);
  dirtyHigh_ = dirtyHigh_ < 0 ? last : std::max(moved(dirtyHigh_), last);
  dirtyHigh_ = std::min(dirtyHigh_, known_ - 1);
  if (dirtyLow_ >= known_) dirtyHigh_ = -1;
}

// A line that is broken keeps what begins and ends in it, unless it was broken before its text; of
// joined lines all does that is not both.
void FoldLevels::moveGiven(int line, int linesAdded) {
  const auto at = lines_.begin() + line;
  if (linesAdded > 0)
    lines_.insert(isBlank(line) ? at : at + 1, static_cast<size_t>(linesAdded), Line{});
  if (linesAdded >= 0) return;
  size_t ends = 0;
  size_t begins = 0;
  for (auto joined = at; joined <= at - linesAdded; ++joined) {
    for (const int region : lists_[joined->regions]) {
      if (region > 0) {
        ++begins;
      } else if (begins > 0) {
        --begins;
      } else {
        ++ends;
      }
    }
  }
  Regions left(ends, -kGivenRegion);
  left.insert(left.end(), begins, kGivenRegion);
  lines_.erase(at, at - linesAdded);
  lines_[static_cast<size_t>(line)].regions = numberOf(left);
}

void FoldLevels::setGiven(const std::vector<FoldRange>& ranges) {
  const int count = lineCount();
  if (source_ != Source::kGiven) {
    // Levels stay until they are looked at: what is folded and stays a block is not opened.
    source_ = Source::kGiven;
    ignored_.clear();
    lines_.assign(static_cast<size_t>(count), {});
    forgetLists();
    known_ = lexed_ = count;
    dirtyLow_ = 0;
    dirtyHigh_ = count - 1;
  }
  struct Edges {
    int ends = 0;
    int begins = 0;
  };
  std::vector<Edges> edges(static_cast<size_t>(count));
  for (const FoldRange& range : ranges) {
    if (range.first < 0 || range.last <= range.first || range.last >= count) continue;
    ++edges[static_cast<size_t>(range.first)].begins;
    if (range.last + 1 < count) ++edges[static_cast<size_t>(range.last) + 1].ends;
  }
  for (int line = 0; line < count; ++line) {
    const Edges& edge = edges[static_cast<size_t>(line)];
    quint32 number = 0;
    if (edge.ends + edge.begins > 0) {
      Regions regions(static_cast<size_t>(edge.ends), -kGivenRegion);
      regions.insert(regions.end(), static_cast<size_t>(edge.begins), kGivenRegion);
      number = numberOf(regions);
    }
    Line& known = lines_[static_cast<size_t>(line)];
    if (known.regions == number) continue;
    known.regions = number;
    lookAgain(line);
  }
}

void FoldLevels::lookAgain(int line) {
  if (line >= known_) return;
  dirtyLow_ = dirtyHigh_ < 0 ? line : std::min(dirtyLow_, line);
  dirtyHigh_ = std::max(dirtyHigh_, line);
}

void FoldLevels::setRegions(int line, std::vector<int> regions) {
  if (source_ != Source::kRegions) return;
  // What begins and ends in one line is no block.
  Regions left;
  for (const int region : regions) {
    if (region < 0 && !left.empty() && left.back() == -region) {
      left.pop_back();
    } else {
      left.push_back(region);
    }
  }
  const quint32 number = numberOf(left);
  Line& known = lines_[static_cast<size_t>(line)];
  lexed_ = std::max(lexed_, line + 1);
  if (known.regions == number) return;
  known.regions = number;
  lookAgain(line);
}

// An end closes the nearest of its kind, and what was left open in it: so a region that lacks its
// end, as one half of an #if does, costs no more than the block around it.
FoldLevels::Step FoldLevels::stepOver(quint32 open, quint32 regions) {
  if (regions == 0) return {open, static_cast<int>(lists_[open].size())};
  const auto known = steps_.find({open, regions});
  if (known != steps_.end()) return known->second;
  Regions now = lists_[open];
  size_t least = now.size();
  for (const int region : Regions(lists_[regions])) {
    if (region > 0) {
      if (now.size() < kDeepest) now.push_back(region);
      continue;
    }
    const auto begin = std::find(now.rbegin(), now.rend(), -region);
    if (begin != now.rend()) now.erase(begin.base() - 1, now.end());
    least = std::min(least, now.size());
  }
  const Step step{numberOf(now), static_cast<int>(least)};
  steps_.emplace(std::pair(open, regions), step);
  return step;
}

void FoldLevels::setLevel(int line, int depth) {
  const long level = view_->SendScintilla(Sci::SCI_GETFOLDLEVEL, word(line));
  const long wanted = (level & ~long{Sci::SC_FOLDLEVELNUMBERMASK}) |
                      (Sci::SC_FOLDLEVELBASE + std::min<long>(depth, kDeepest));
  if (wanted != level) view_->SendScintilla(Sci::SCI_SETFOLDLEVEL, word(line), wanted);
}

void FoldLevels::setOpens(int line, bool opens) {
  if (line < 0) return;
  const long level = view_->SendScintilla(Sci::SCI_GETFOLDLEVEL, word(line));
  constexpr long kHeader = Sci::SC_FOLDLEVELHEADERFLAG;
  const long wanted = opens ? level | kHeader : level & ~kHeader;
  if (wanted != level) view_->SendScintilla(Sci::SCI_SETFOLDLEVEL, word(line), wanted);
}

bool FoldLevels::settle(int lastLine, const QDeadlineTimer& deadline) {
  switch (source_) {
    case Source::kRegions:
    case Source::kGiven:
      return settleRegions(lastLine, deadline);
    case Source::kIndentation:
      return settleIndentation(lastLine, deadline);
    case Source::kNone:
      return true;
  }
  return true;
}

bool FoldLevels::settleRegions(int lastLine, const QDeadlineTimer& deadline) {
  const auto openBefore = [this](int line) {
    return line == 0 ? 0U : lines_[static_cast<size_t>(line) - 1].open;
  };
  const auto least = [&](int line) {
    return stepOver(openBefore(line), lines_[static_cast<size_t>(line)].regions).least;
  };
  // Sets a line's level, and by that whether the line before has a block to fold.
  const auto look = [&](int line) {
    Line& at = lines_[static_cast<size_t>(line)];
    const Step step = stepOver(openBefore(line), at.regions);
    setLevel(line, step.least);
    if (line > 0) setOpens(line - 1, step.least > least(line - 1));
    const bool same = at.open == step.open;
    at.open = step.open;
    return same;
  };
  if (dirtyHigh_ >= 0 && dirtyLow_ <= lastLine) {
    const int end = std::min(known_, lexed_);
    int line = dirtyLow_;
    // Past the last line that is different, two lines that end with the same open as before mean
    // that all below is as before: a line's depth tells whether the one above opens a block, too.
    for (int same = 0; line < end; ++line) {
      if (line > dirtyHigh_ + 1 && same >= 2) break;
      if (line > lastLine || deadline.hasExpired()) {
        dirtyLow_ = line;
        dirtyHigh_ = std::max(dirtyHigh_, line);
        return line > lastLine;
      }
      same = look(line) ? same + 1 : 0;
    }
    dirtyHigh_ = -1;
  }
  const int end = std::min(lexed_, lineCount());
  while (known_ < end && known_ <= lastLine) {
    look(known_++);
    if (deadline.hasExpired()) return known_ > lastLine || known_ == end;
  }
  return true;
}

bool FoldLevels::isBlank(int line) const {
  const long start = view_->SendScintilla(Sci::SCI_GETLINEINDENTPOSITION, word(line));
  const long end = view_->SendScintilla(Sci::SCI_GETLINEENDPOSITION, word(line));
  if (start >= end) return true;
  if (ignored_.empty()) return false;
  // Comments begin with a sign: the others need not be looked at as a whole.
  constexpr long kLongest = 512;
  const auto first = static_cast<char>(view_->SendScintilla(Sci::SCI_GETCHARAT, word(start)));
  if (isWordByte(first) || end - start > kLongest) return false;
  const auto* bytes = reinterpret_cast<const char*>(
      view_->SendScintilla(Sci::SCI_GETRANGEPOINTER, word(start), end - start));
  const QString text = QString::fromUtf8(bytes, end - start);
  return std::any_of(ignored_.begin(), ignored_.end(), [&text](const QRegularExpression& ignored) {
    return ignored.match(text).hasMatch();
  });
}

// A line is as deep as it is indented, a blank one as the next that is not; a line opens a block
// where the next one is deeper. So a change reaches to the lines that are not blank on both sides.
bool FoldLevels::settleIndentation(int lastLine, const QDeadlineTimer& deadline) {
  const int count = lineCount();
  const auto depthOf = [this](int line) {
    return static_cast<int>(view_->SendScintilla(Sci::SCI_GETLINEINDENTATION, word(line)));
  };
  // Looks at lines from `line`, which is not blank or 0, to the next that is not; returns that one.
  const auto look = [&](int line) {
    int next = line + 1;
    while (next < count && isBlank(next)) ++next;
    const int depth = next < count ? depthOf(next) : 0;
    const bool isFirst = !isBlank(line);
    if (isFirst) setLevel(line, depthOf(line));
    for (int blank = isFirst ? line + 1 : line; blank < next; ++blank) {
      setLevel(blank, depth);
      setOpens(blank, false);
    }
    setOpens(line, isFirst && next < count && depth > depthOf(line));
    return next;
  };
  const auto startBefore = [this](int line) {
    while (line > 0 && isBlank(line)) --line;
    return line;
  };
  if (dirtyHigh_ >= 0 && dirtyLow_ <= lastLine) {
    int line = startBefore(std::max(0, dirtyLow_ - 1));
    while (line < known_ && line <= dirtyHigh_) {
      if (deadline.hasExpired()) {
        dirtyLow_ = line;
        return line > lastLine;
      }
      line = look(line);
    }
    known_ = std::max(known_, line);
    dirtyHigh_ = -1;
  }
  while (known_ < count && known_ <= lastLine) {
    known_ = look(startBefore(known_));
    if (deadline.hasExpired()) return known_ > lastLine || known_ >= count;
  }
  known_ = std::min(known_, count);
  return true;
}

}  // namespace waferpair::editor
