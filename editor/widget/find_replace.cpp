// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/find_replace.h"

#include <QElapsedTimer>
#include <algorithm>
#include <utility>

#include "editor/text/cased_text.h"
#include "editor/text/kept_bytes.h"
#include "editor/text/line_ends.h"
#include "editor/text/text_codec.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"
#include "editor/widget/code_editor.h"

namespace waferpair::editor {

using namespace Qt::StringLiterals;

namespace {

using Sci = QsciScintillaBase;

constexpr int kIndicatorAlpha = 90;
constexpr int kSliceMs = 4;
constexpr int kPauseMs = 5;
constexpr int kMarkMs = 15;       // after a scroll or an edit, at most one pass a frame
constexpr int kMostMarks = 5000;  // in view
constexpr int kMostNumbered = 100000;
constexpr qint64 kPlainStep = 256 * 1024;  // bytes searched between two looks at the clock
constexpr qint64 kBackwardStep = 16 * 1024;
constexpr qsizetype kMostDecoded = 64 * 1024 * 1024;  // characters that a match is looked for in

}  // namespace

FindReplace::FindReplace(CodeEditor* editor, QObject* parent) : QObject(parent), editor_(editor) {
  counting_.setInterval(kPauseMs);
  connect(&counting_, &QTimer::timeout, this, &FindReplace::countSlice);
  marking_.setSingleShot(true);
  marking_.setInterval(kMarkMs);
  connect(&marking_, &QTimer::timeout, this, &FindReplace::markVisible);
  markingOn_.setInterval(kPauseMs);
  connect(&markingOn_, &QTimer::timeout, this, &FindReplace::markSlice);
  connect(editor, &CodeEditor::textChanged, this, &FindReplace::restart);
  connect(editor, &CodeEditor::cursorMoved, this, &FindReplace::reportCount);
  connect(editor, &QsciScintillaBase::SCN_UPDATEUI, this, [this](int what) {
    constexpr int scrolled = Sci::SC_UPDATE_V_SCROLL | Sci::SC_UPDATE_H_SCROLL;
    if ((what & scrolled) != 0 && isActive()) marking_.start();
  });
  connect(editor, &CodeEditor::themeChanged, this, &FindReplace::applyColors);
  applyColors();
}

FindReplace::~FindReplace() = default;

void FindReplace::applyColors() {
  editor_->sci(Sci::SCI_INDICSETSTYLE, kFindIndicator, Sci::INDIC_STRAIGHTBOX);
  editor_->sci(Sci::SCI_INDICSETUNDER, kFindIndicator, 1);
  editor_->sci(Sci::SCI_INDICSETALPHA, kFindIndicator, kIndicatorAlpha);
  editor_->sci(Sci::SCI_INDICSETOUTLINEALPHA, kFindIndicator, kIndicatorAlpha);
  editor_->SendScintilla(Sci::SCI_INDICSETFORE, kFindIndicator, editor_->colors().searchMatch);
}

Result<void> FindReplace::setQuery(const FindQuery& query) {
  auto expression = findExpression(query);
  if (!expression) {
    query_ = {};
    restart();
    return tl::unexpected(expression.error());
  }
  query_ = query;
  needle_ = withLineEnds(query.text.toUtf8(), editor_->lineEnds());
  // QScintilla folds the case of ASCII alone.
  const bool ascii =
      std::all_of(query.text.begin(), query.text.end(), [](QChar c) { return c.unicode() < 0x80; });
  byRegex_ = query.regex || (!query.caseSensitive && !ascii);
  if (byRegex_) {
    regex_ = *std::move(expression);
    regex_.setPatternOptions(regex_.patternOptions() | QRegularExpression::MultilineOption);
    regex_.optimize();
  }
  selected_ = {};
  restart();
  return {};
}

// -- Searching

// The next place where something may begin: beyond the text's end there is none.
qint64 FindReplace::behind(qint64 place) const {
  return place >= editor_->length() ? editor_->length() + 1
                                    : editor_->sci(Sci::SCI_POSITIONAFTER, word(place));
}

FindMatch FindReplace::searchForward(qint64 from, qint64 to, QRegularExpressionMatch* captures) {
  if (!isActive() || from > to) return {};
  if (byRegex_) return searchRegex(from, to, captures);
  return searchPlain(from, std::min(to + needle_.size(), editor_->length()));
}

// Backward when the target's start is behind its end.
FindMatch FindReplace::searchPlain(qint64 from, qint64 to) const {
  const long flags = (query_.caseSensitive ? Sci::SCFIND_MATCHCASE : 0) |
                     (query_.wholeWord ? Sci::SCFIND_WHOLEWORD : 0);
  editor_->sci(Sci::SCI_SETSEARCHFLAGS, word(flags));
  editor_->sci(Sci::SCI_SETTARGETRANGE, word(from), static_cast<long>(to));
  const long at = editor_->SendScintilla(
      Sci::SCI_SEARCHINTARGET, static_cast<uintptr_t>(needle_.size()), needle_.constData());
  if (at < 0) return {};
  return {editor_->sci(Sci::SCI_GETTARGETSTART), editor_->sci(Sci::SCI_GETTARGETEND)};
}

FindMatch FindReplace::searchRegex(qint64 from, qint64 to, QRegularExpressionMatch* captures) {
  while (from <= to) {
    if (!window_.serves(from, editor_->version())) window_ = FindWindow(*editor_, from);
    const FindMatch match = searchWindow(from, std::min(to, window_.searchedTo()), captures);
    if (match.found()) return match;
    from = behind(window_.searchedTo());
  }
  return {};
}

FindMatch FindReplace::searchWindow(qint64 from, qint64 to, QRegularExpressionMatch* captures) {
  const QString& text = window_.text();
  for (qsizetype offset = window_.unitAt(from); offset <= text.size();) {
    // Unchecked, as checking takes a look at the whole text: what was decoded is sound, and every
    // offset is a character's.
    const QRegularExpressionMatch match =
        regex_.match(text, offset, QRegularExpression::NormalMatch,
                     QRegularExpression::DontCheckSubjectStringMatchOption);
    if (!match.hasMatch()) break;
    // One that begins further back, as \K can make it, was found before.
    const qint64 begin = window_.byteAt(match.capturedStart());
    if (begin < from || match.capturedStart() < offset) {
      offset = std::max(offset, match.capturedEnd()) + 1;
      if (offset < text.size() && text[offset].isLowSurrogate()) ++offset;
      continue;
    }
    if (begin > to) break;
    if (match.capturedEnd() == text.size() && window_.isCut() && text.size() < kMostDecoded) {
      // It may go on.
      window_ = FindWindow(*editor_, from, 4 * std::max<qint64>(text.size(), FindWindow::kAhead));
      return searchWindow(from, to, captures);
    }
    if (captures != nullptr) *captures = match;
    return {begin, window_.byteAt(match.capturedEnd())};
  }
  return {};
}

FindMatch FindReplace::searchBackward(qint64 from, qint64 to) {
  if (!isActive()) return {};
  if (!byRegex_) return searchPlain(to, from);
  // The last match of the last lines that have one; those of a piece are gone through forward.
  for (qint64 end = to; end >= from;) {
    const int line = editor_->lineAt(std::max(from, end - kBackwardStep));
    const qint64 start = std::max(from, editor_->lineStart(line));
    if (!window_.serves(start, editor_->version()))
      window_ = FindWindow(*editor_, std::clamp(end - FindWindow::kSearched, from, start));
    FindMatch last;
    for (FindMatch match = searchRegex(start, end, nullptr); match.found() && match.end <= to;
         match = searchRegex(behind(match), end, nullptr)) {
      if (match != selected_ || match.start < to) last = match;
    }
    if (last.found()) return last;
    end = start - 1;
  }
  return {};
}

bool FindReplace::selectMatch(const FindMatch& match) {
  if (!match.found()) return false;
  selected_ = match;
  editor_->setSelection(match.start, match.end);
  marking_.start();
  return true;
}

FindMatch FindReplace::selected() const {
  return {editor_->sci(Sci::SCI_GETSELECTIONSTART), editor_->sci(Sci::SCI_GETSELECTIONEND)};
}

bool FindReplace::findNext() {
  const FindMatch now = selected();
  // An empty match that is selected is left.
  const qint64 from = now.isEmpty() && now == selected_ ? behind(now) : now.end;
  const FindMatch match = searchForward(from, editor_->length());
  if (match.found()) return selectMatch(match);
  const FindMatch first = searchForward(0, editor_->length());
  if (first.found()) Q_EMIT wrapped();
  return selectMatch(first);
}

bool FindReplace::findPrevious() {
  const FindMatch match = searchBackward(0, selected().start);
  if (match.found()) return selectMatch(match);
  selected_ = {};
  const FindMatch last = searchBackward(0, editor_->length());
  if (last.found()) Q_EMIT wrapped();
  return selectMatch(last);
}

bool FindReplace::findFrom(qint64 offset) {
  const FindMatch match = searchForward(offset, editor_->length());
  if (match.found()) return selectMatch(match);
  const FindMatch first = searchForward(0, editor_->length());
  if (first.found()) Q_EMIT wrapped();
  return selectMatch(first);
}

// -- Replacing

// Returns the text that takes the place of a match. Where that has bytes that are no characters, a
// group has others for them: what cannot be told apart stays.
QByteArray FindReplace::replacementAt(const FindMatch& match,
                                      const QRegularExpressionMatch& captures,
                                      const QString& replacement) const {
  const QByteArray matched = editor_->textRange(match.start, match.end);
  QString text = query_.regex ? expandedReplacement(replacement, captures) : replacement;
  if (keepsCase_) text = inCaseOf(exactUtf8(matched), text);
  return withBytesOf(matched, withLineEnds(text.toUtf8(), editor_->lineEnds())).value_or(matched);
}

bool FindReplace::replaceNext(const QString& replacement) {
  if (!isActive() || editor_->sci(Sci::SCI_GETREADONLY) != 0) return false;
  const FindMatch now = selected();
  QRegularExpressionMatch captures;
  const FindMatch match = searchForward(now.start, now.start, &captures);
  const bool isMatch = match == now && (!now.isEmpty() || now == selected_);
  if (!isMatch) return findNext() && false;
  const QByteArray text = replacementAt(match, captures, replacement);
  editor_->replaceRange(match.start, match.end, text);
  const qint64 end = match.start + text.size();
  // Where nothing was matched, nothing is matched once more.
  selected_ = match.isEmpty() ? FindMatch{end, end} : FindMatch();
  editor_->setSelection(end, end);
  findNext();
  return true;
}

int FindReplace::replaceAll(const QString& replacement) {
  if (!isActive() || editor_->sci(Sci::SCI_GETREADONLY) != 0) return 0;
  // All matches are of the text as it is: a replacement is never searched, nor does it change what
  // stands at a line's start.
  QVector<std::pair<FindMatch, QByteArray>> found;
  for (qint64 from = 0; from <= editor_->length();) {
    QRegularExpressionMatch captures;
    const FindMatch match = searchForward(from, editor_->length(), &captures);
    if (!match.found()) break;
    found.append({match, replacementAt(match, captures, replacement)});
    from = behind(match);
  }
  if (found.isEmpty()) return 0;
  editor_->sci(Sci::SCI_BEGINUNDOACTION);
  for (auto it = found.crbegin(); it != found.crend(); ++it) {
    editor_->sci(Sci::SCI_SETTARGETRANGE, word(it->first.start), static_cast<long>(it->first.end));
    editor_->SendScintilla(Sci::SCI_REPLACETARGET, static_cast<uintptr_t>(it->second.size()),
                           it->second.constData());
  }
  editor_->sci(Sci::SCI_ENDUNDOACTION);
  editor_->flushEdits();
  return static_cast<int>(found.size());
}

// -- Marks and counts

void FindReplace::restart() {
  counting_.stop();
  markingOn_.stop();
  window_ = {};
  count_ = 0;
  countedTo_ = 0;
  starts_.clear();
  if (isActive()) {
    counting_.start();
    marking_.start();
  } else {
    marking_.stop();
    markVisible();
    Q_EMIT countChanged(0, true, 0);
  }
}

void FindReplace::markVisible() {
  editor_->sci(Sci::SCI_SETINDICATORCURRENT, kFindIndicator);
  if (markedTo_ > markedFrom_) {
    editor_->sci(Sci::SCI_INDICATORCLEARRANGE, word(std::min(markedFrom_, editor_->length())),
                 static_cast<long>(std::min(markedTo_, editor_->length()) -
                                   std::min(markedFrom_, editor_->length())));
  }
  markedFrom_ = markedTo_ = 0;
  if (!isActive()) return;
  const long top = editor_->sci(Sci::SCI_GETFIRSTVISIBLELINE);
  const long onScreen = editor_->sci(Sci::SCI_LINESONSCREEN) + 1;
  const auto lineAtRow = [this](long row) {
    return static_cast<int>(editor_->sci(Sci::SCI_DOCLINEFROMVISIBLE, word(row)));
  };
  markedFrom_ = editor_->lineStart(lineAtRow(top));
  markedTo_ = editor_->lineEnd(lineAtRow(top + onScreen));
  markAt_ = markedFrom_;
  marks_ = 0;
  markingOn_.start();
  markSlice();
}

void FindReplace::markSlice() {
  QElapsedTimer clock;
  clock.start();
  editor_->sci(Sci::SCI_SETINDICATORCURRENT, kFindIndicator);
  for (; marks_ < kMostMarks && clock.elapsed() < kSliceMs; ++marks_) {
    const FindMatch match = searchForward(markAt_, markedTo_);
    if (!match.found()) {
      markingOn_.stop();
      return;
    }
    editor_->sci(Sci::SCI_INDICATORFILLRANGE, word(match.start),
                 static_cast<long>(match.end - match.start));
    markAt_ = behind(match);
  }
  if (marks_ == kMostMarks) markingOn_.stop();
}

void FindReplace::countSlice() {
  QElapsedTimer clock;
  clock.start();
  const qint64 length = editor_->length();
  while (countedTo_ <= length && clock.elapsed() < kSliceMs) {
    // A bounded piece each time.
    const qint64 stop =
        editor_->lineEnd(editor_->lineAt(std::min(length, countedTo_ + kPlainStep)));
    const FindMatch match = searchForward(countedTo_, stop);
    if (!match.found()) {
      countedTo_ = behind(stop);
      continue;
    }
    ++count_;
    if (starts_.size() < kMostNumbered) starts_.append(match.start);
    countedTo_ = behind(match);
  }
  if (countedTo_ > length) counting_.stop();
  reportCount();
}

void FindReplace::reportCount() {
  if (!isActive()) return;
  const FindMatch now = selected();
  const auto found = std::lower_bound(starts_.begin(), starts_.end(), now.start);
  const bool isMatch =
      (!now.isEmpty() || now == selected_) && found != starts_.end() && *found == now.start;
  const int current = isMatch ? static_cast<int>(found - starts_.begin()) + 1 : 0;
  Q_EMIT countChanged(count_, !counting_.isActive(), current);
}

}  // namespace waferpair::editor
