// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/find_replace.h"

#include <QElapsedTimer>
#include <algorithm>
#include <utility>

#include "editor/text/kept_bytes.h"
#include "editor/text/line_ends.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/view_numbers.h"
#include "editor/widget/word.h"

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
  // QScintilla folds the case of ASCII alone; a text of one line can go the other way.
  const bool ascii =
      std::all_of(query.text.begin(), query.text.end(), [](QChar c) { return c.unicode() < 0x80; });
  byRegex_ = query.regex || (!query.caseSensitive && !ascii && !query.text.contains(u'\n'));
  if (byRegex_) {
    regex_ = *std::move(expression);
    regex_.optimize();
  }
  restart();
  return {};
}

// -- Searching

FindMatch FindReplace::searchForward(qint64 from, qint64 to, QRegularExpressionMatch* captures) {
  if (!isActive() || from > to) return {};
  return byRegex_ ? searchRegex(from, to, captures) : searchPlain(from, to);
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

// The matches of a line are found one by one: it is converted for the first alone.
DecodedLine& FindReplace::decodedLine(int line) {
  if (line != decodedNumber_ || editor_->version() != decodedVersion_) {
    decoded_ = DecodedLine(editor_->lineText(line));
    decodedNumber_ = line;
    decodedVersion_ = editor_->version();
  }
  return decoded_;
}

// Line by line, so that no copy of a large text is needed.
FindMatch FindReplace::searchRegex(qint64 from, qint64 to, QRegularExpressionMatch* captures) {
  for (int line = editor_->lineAt(from); line < editor_->lineCount(); ++line) {
    const qint64 start = editor_->lineStart(line);
    if (start > to) break;
    if (from > editor_->lineEnd(line)) continue;  // in its line end characters
    DecodedLine& decoded = decodedLine(line);
    const QString& text = decoded.text();
    qsizetype offset = decoded.unitAt(from - start);
    while (offset <= text.size()) {
      // Unchecked, as checking takes a look at the whole line: what was decoded is sound, and every
      // offset is a character's.
      const QRegularExpressionMatch match =
          regex_.match(text, offset, QRegularExpression::NormalMatch,
                       QRegularExpression::DontCheckSubjectStringMatchOption);
      if (!match.hasMatch()) break;
      // An empty match cannot be selected or replaced in a way anyone would want. One that
      // begins further back, as \K can make it, was found before.
      if (match.capturedLength() <= 0 || match.capturedStart() < offset) {
        offset = match.capturedEnd() + 1;
        if (offset < text.size() && text[offset].isLowSurrogate()) ++offset;
        continue;
      }
      const qint64 begin = start + decoded.byteAt(match.capturedStart());
      const qint64 end = start + decoded.byteAt(match.capturedEnd());
      if (end > to) return {};
      if (captures != nullptr) *captures = match;
      return {begin, end};
    }
  }
  return {};
}

FindMatch FindReplace::searchBackward(qint64 from, qint64 to) {
  if (!isActive()) return {};
  if (!byRegex_) return searchPlain(to, from);
  // The last match of the last line that has one.
  for (int line = editor_->lineAt(to); line >= editor_->lineAt(from); --line) {
    FindMatch last;
    qint64 at = std::max(from, editor_->lineStart(line));
    const qint64 end = std::min(to, editor_->lineEnd(line));
    for (FindMatch match = searchRegex(at, end); match.found(); match = searchRegex(match.end, end))
      last = match;
    if (last.found()) return last;
  }
  return {};
}

bool FindReplace::selectMatch(const FindMatch& match) {
  if (!match.found()) return false;
  editor_->setSelection(match.start, match.end);
  marking_.start();
  return true;
}

bool FindReplace::findNext() {
  const qint64 from = editor_->sci(Sci::SCI_GETSELECTIONEND);
  const FindMatch match = searchForward(from, editor_->length());
  if (match.found()) return selectMatch(match);
  const FindMatch first = searchForward(0, editor_->length());
  if (first.found()) Q_EMIT wrapped();
  return selectMatch(first);
}

bool FindReplace::findPrevious() {
  const qint64 before = editor_->sci(Sci::SCI_GETSELECTIONSTART);
  const FindMatch match = searchBackward(0, before);
  if (match.found()) return selectMatch(match);
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

// Returns the text that takes the place of a match.
QByteArray FindReplace::replacementFor(const QRegularExpressionMatch& captures,
                                       const QString& replacement) const {
  const QString text = query_.regex ? expandedReplacement(replacement, captures) : replacement;
  return withLineEnds(text.toUtf8(), editor_->lineEnds());
}

// The same where the match has bytes that are no characters: a group has others for them. What
// cannot be told apart stays.
QByteArray FindReplace::replacementAt(const FindMatch& match,
                                      const QRegularExpressionMatch& captures,
                                      const QString& replacement) const {
  const QByteArray matched = editor_->textRange(match.start, match.end);
  return withBytesOf(matched, replacementFor(captures, replacement)).value_or(matched);
}

bool FindReplace::replaceNext(const QString& replacement) {
  const FindMatch selected{editor_->sci(Sci::SCI_GETSELECTIONSTART),
                           editor_->sci(Sci::SCI_GETSELECTIONEND)};
  if (!isActive() || editor_->sci(Sci::SCI_GETREADONLY) != 0) return false;
  QRegularExpressionMatch captures;
  const FindMatch match = searchForward(selected.start, selected.end, &captures);
  const bool isMatch =
      selected.end > selected.start && match.start == selected.start && match.end == selected.end;
  if (!isMatch) return findNext() && false;
  const QByteArray text = replacementAt(match, captures, replacement);
  editor_->replaceRange(match.start, match.end, text);
  editor_->setSelection(match.start + text.size(), match.start + text.size());
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
    from = match.end;
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
  decoded_ = {};
  decodedNumber_ = -1;
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
    markAt_ = match.end;
  }
  if (marks_ == kMostMarks) markingOn_.stop();
}

void FindReplace::countSlice() {
  QElapsedTimer clock;
  clock.start();
  const qint64 length = editor_->length();
  while (countedTo_ < length && clock.elapsed() < kSliceMs) {
    // A bounded piece each time, ending at a line's end, so that no match is cut.
    const qint64 stop =
        editor_->lineEnd(editor_->lineAt(std::min(length, countedTo_ + kPlainStep)));
    const FindMatch match = searchForward(countedTo_, stop);
    if (!match.found()) {
      countedTo_ = stop >= length ? length : stop + 1;
      continue;
    }
    ++count_;
    if (starts_.size() < kMostNumbered) starts_.append(match.start);
    countedTo_ = match.end;
  }
  if (countedTo_ >= length) counting_.stop();
  reportCount();
}

void FindReplace::reportCount() {
  if (!isActive()) return;
  const qint64 selected = editor_->sci(Sci::SCI_GETSELECTIONSTART);
  const auto found = std::lower_bound(starts_.begin(), starts_.end(), selected);
  const bool isMatch = editor_->hasSelection() && found != starts_.end() && *found == selected;
  const int current = isMatch ? static_cast<int>(found - starts_.begin()) + 1 : 0;
  Q_EMIT countChanged(count_, !counting_.isActive(), current);
}

}  // namespace waferpair::editor
