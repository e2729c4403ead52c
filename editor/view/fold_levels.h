// SPDX-License-Identifier: GPL-3.0-or-later
// Tells Scintilla how deep each line lies in blocks that can be folded: by the regions that
// KSyntaxHighlighting names, by ranges of lines that somebody gives, or else by indentation. Work
// is done up to what is wanted and, after an edit, up to where depths come out as they were; the
// rest waits for idle time.
//
// A block is hidden but for its first line and the one that closes it: that one lies as deep as the
// first.
#pragma once

#include <QDeadlineTimer>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "editor/text/fold_range.h"

class QsciScintillaBase;

namespace waferpair::editor {

class FoldLevels {
 public:
  enum class Source { kNone, kRegions, kIndentation, kGiven };

  explicit FoldLevels(QsciScintillaBase* view) : view_(view) {}

  // Starts over. Lines that match one of `ignored` count as blank where indentation decides.
  void restart(Source source, const QStringList& ignored = {});
  Source source() const { return source_; }

  // An edit that begins in `line` added lines, or removed them (negative), and is done.
  void edited(int line, int linesAdded);
  // The regions that begin (their numbers) and end (negative) in a line, in order.
  void setRegions(int line, std::vector<int> regions);

  // From now on these are the blocks, whatever they were before; they are sorted, and each lies in
  // the next one around it or apart. Edits move them. A block that stays one stays folded.
  void setGiven(const std::vector<FoldRange>& ranges);

  // Makes levels right up to the end of `lastLine`, as far as regions are known; false when the
  // deadline came first.
  bool settle(int lastLine, const QDeadlineTimer& deadline);
  // The levels of lines before this one are right.
  int settledLines() const { return dirtyHigh_ < 0 ? known_ : std::min(dirtyLow_, known_); }

 private:
  // Regions that are open, the innermost last; number 0 is none.
  using Regions = std::vector<int>;
  struct Line {
    quint32 regions = 0;  // what begins and ends in it
    quint32 open = 0;     // what is open at its end
  };
  struct Step {
    quint32 open = 0;  // at the end
    int least = 0;     // how many were open at least
  };

  int lineCount() const;
  void forgetLists();
  void moveGiven(int line, int linesAdded);
  void lookAgain(int line);
  quint32 numberOf(const Regions& list);
  Step stepOver(quint32 open, quint32 regions);
  bool settleRegions(int lastLine, const QDeadlineTimer& deadline);
  bool settleIndentation(int lastLine, const QDeadlineTimer& deadline);
  bool isBlank(int line) const;
  void setLevel(int line, int depth);
  void setOpens(int line, bool opens);

  QsciScintillaBase* view_;
  Source source_ = Source::kNone;
  std::vector<QRegularExpression> ignored_;
  std::vector<Line> lines_;
  // Lines [0, known_) have had their level set; of those [dirtyLow_, dirtyHigh_] must be looked at
  // again, and those after them until nothing is different. dirtyHigh_ is -1 when nothing is.
  int known_ = 0;
  int lexed_ = 0;  // lines whose regions are known
  int dirtyLow_ = 0;
  int dirtyHigh_ = -1;
  // Lists of regions by number, each once.
  std::vector<Regions> lists_;
  std::map<Regions, quint32> numbers_;
  std::map<std::pair<quint32, quint32>, Step> steps_;
};

}  // namespace waferpair::editor
