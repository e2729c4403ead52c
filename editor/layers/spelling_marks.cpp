// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/spelling_marks.h"

#include <QDeadlineTimer>
#include <algorithm>
#include <chrono>

#include "editor/spell/prose_words.h"
#include "editor/spell/spell_checker.h"
#include "editor/text/text_codec.h"
#include "editor/text/word_byte.h"
#include "editor/view/layout_pieces.h"
#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {
namespace {

using Sci = QsciScintillaBase;
using namespace std::chrono_literals;

constexpr auto kRest = 30ms;  // after an edit: several keys of a burst are looked at once
constexpr auto kCheckTime = 2ms;
constexpr auto kBetweenChecks = 5ms;
// A text may make up names without end.
constexpr qsizetype kMostNames = 100'000;

qsizetype utf8Size(QStringView text) {
  qsizetype bytes = 0;
  for (const QChar c : text)
    // A surrogate pair is four bytes, two for each half.
    bytes += c.unicode() < 0x80 ? 1 : c.unicode() < 0x800 || c.isSurrogate() ? 2 : 3;
  return bytes;
}

}  // namespace

void MovingLines::include(int from, int to) {
  if (to < from) return;
  first = isEmpty() ? from : std::min(first, from);
  last = std::max(last, to);
}

void MovingLines::follow(int line, int linesAdded) {
  if (isEmpty()) return;
  const auto moved = [&](int other) {
    return other <= line ? other : std::max(line, other + linesAdded);
  };
  *this = {moved(first), moved(last)};
}

SpellingMarks::SpellingMarks(TextView* editor, SpellChecker* checker)
    : QObject(editor), editor_(editor), checker_(checker) {
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, &SpellingMarks::slice);
  connect(editor, &TextView::themeChanged, this, &SpellingMarks::defineLook);
  connect(editor, &TextView::cursorMoved, this, [this] {
    // Whatever was being typed is left; typed() follows where it is not.
    if (typedLine_ >= 0) addDirty(typedLine_, typedLine_);
    typedLine_ = -1;
  });
  connect(editor, &TextView::typed, this, [this] { typedLine_ = editor_->caretLine(); });
  connect(checker, &SpellChecker::judged, this, [this] {
    addDirty(waiting_.first, waiting_.last);
    waiting_ = {};
  });
  connect(checker, &SpellChecker::changed, this, [this] { addDirty(0, checked_ - 1); });
  defineLook();
}

void SpellingMarks::defineLook() {
  editor_->sci(Sci::SCI_INDICSETSTYLE, word(kSpellingIndicator), Sci::INDIC_SQUIGGLELOW);
  editor_->SendScintilla(Sci::SCI_INDICSETFORE, word(kSpellingIndicator),
                         editor_->colors().bookmark);
}

void SpellingMarks::setOn(bool on) {
  if (on == on_) return;
  on_ = on;
  editor_->highlighter()->setFollower(on ? this : nullptr);
  startOver();
}

void SpellingMarks::startOver() {
  soon_.stop();
  editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(kSpellingIndicator));
  editor_->sci(Sci::SCI_INDICATORCLEARRANGE, 0, static_cast<long>(editor_->length()));
  checked_ = 0;
  dirty_ = waiting_ = {};
  typedLine_ = -1;
  names_.clear();
  hasNewNames_ = false;
  if (on_) soon_.start(kRest);
}

void SpellingMarks::linesEdited(int line, int linesAdded) {
  if (line < checked_) checked_ = std::max(line, checked_ + linesAdded);
  if (typedLine_ > line) typedLine_ = std::max(line, typedLine_ + linesAdded);
  dirty_.follow(line, linesAdded);
  waiting_.follow(line, linesAdded);
  addDirty(line, line + std::max(0, linesAdded));
}

void SpellingMarks::linesStyled(int first, int last) { addDirty(first, last); }

// Marks are of the Scintilla document: a text that was loaded anew has none, and one whose theme
// has changed keeps them until its lines are looked at.
void SpellingMarks::restarted() {
  checked_ = 0;
  dirty_ = waiting_ = {};
  typedLine_ = -1;
  names_.clear();
  soon_.start(kRest);
}

void SpellingMarks::addDirty(int first, int last) {
  if (!on_) return;
  // Lines behind those are looked at for the first time anyway.
  dirty_.include(first, std::min(last, checked_ - 1));
  if (!soon_.isActive()) soon_.start(kRest);
}

bool SpellingMarks::isFinished() const {
  return !soon_.isActive() && checked_ >= editor_->lineCount() && dirty_.isEmpty() &&
         waiting_.isEmpty();
}

void SpellingMarks::slice() {
  if (!on_) return;
  const QDeadlineTimer deadline(kCheckTime);
  const int lines = editor_->lineCount();
  const int styled = std::min(editor_->highlighter()->rightLines(), lines);
  dirty_.last = std::min(dirty_.last, lines - 1);
  while (!dirty_.isEmpty() && dirty_.first < styled && !deadline.hasExpired())
    check(dirty_.first++);
  if (dirty_.isEmpty() || dirty_.first >= styled)
    while (checked_ < styled && !deadline.hasExpired()) check(checked_++);
  const bool hasMore = (!dirty_.isEmpty() && dirty_.first < styled) || checked_ < styled;
  // The highlighting tells of the rest.
  if (hasMore) return soon_.start(kBetweenChecks);
  if (hasNewNames_ && checked_ >= lines) unmarkNames();
}

void SpellingMarks::check(int line) {
  const qint64 start = editor_->lineStart(line), end = editor_->lineEnd(line);
  editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(kSpellingIndicator));
  // A line end that came into a marked word is marked, too.
  const qint64 next = line + 1 < editor_->lineCount() ? editor_->lineStart(line + 1) : end;
  editor_->sci(Sci::SCI_INDICATORCLEARRANGE, word(start), static_cast<long>(next - start));
  if (start == end || end - start > kLongestUncutLine) return;
  // A byte of the text and one of its style in turn.
  QByteArray cells(static_cast<qsizetype>(end - start) * 2 + 2, '\0');
  editor_->SendScintilla(Sci::SCI_GETSTYLEDTEXT, static_cast<long>(start), static_cast<long>(end),
                         cells.data());
  const Highlighter& styles = *editor_->highlighter();
  const auto length = static_cast<qsizetype>(end - start);
  const auto isProse = [&](qsizetype at) {
    return styles.isProse(static_cast<unsigned char>(cells[2 * at + 1]));
  };
  bool allJudged = true;
  for (qsizetype from = 0; from < length;) {
    const bool prose = isProse(from);
    QByteArray run;
    qsizetype to = from;
    for (; to < length && isProse(to) == prose; ++to) run.append(cells[2 * to]);
    if (prose) {
      allJudged = markProse(run, start + from) && allJudged;
    } else {
      addNames(run);
    }
    from = to;
  }
  if (!allJudged) waiting_.include(line, line);
}

bool SpellingMarks::markProse(const QByteArray& prose, qint64 at) {
  const QString text = exactUtf8(prose);
  // What is no UTF-8 is shown as other characters than its bytes are.
  if (utf8Size(text) != prose.size()) return true;
  bool allJudged = true;
  qsizetype unit = 0;
  for (const ProseWord& one : proseWords(text)) {
    at += utf8Size(QStringView(text).mid(unit, one.start - unit));
    unit = one.start;
    const QStringView shown = QStringView(text).mid(one.start, one.length);
    const QString spelled = dictionaryForm(shown);
    if (isName(spelled)) continue;
    const Verdict verdict = checker_->judge(spelled);
    allJudged = allJudged && verdict != Verdict::kAsked;
    const qint64 end = at + utf8Size(shown);
    const qint64 caret = editor_->caret();
    const bool isBeingTyped = typedLine_ >= 0 && at <= caret && caret <= end;
    if (verdict == Verdict::kWrong && !isBeingTyped)
      editor_->sci(Sci::SCI_INDICATORFILLRANGE, word(at), static_cast<long>(end - at));
  }
  return allJudged;
}

void SpellingMarks::addNames(const QByteArray& code) {
  for (qsizetype at = 0; at < code.size();) {
    if (!isWordByte(code[at])) {
      ++at;
      continue;
    }
    const qsizetype start = at;
    while (at < code.size() && isWordByte(code[at])) ++at;
    const bool isLong = at - start > kLongestWord;
    if (at - start < 2 || isLong || names_.size() >= kMostNames) continue;
    const QByteArray name = code.mid(start, at - start);
    if (names_.contains(name)) continue;
    names_.insert(name);
    hasNewNames_ = true;
  }
}

bool SpellingMarks::isName(const QString& word) const {
  if (names_.isEmpty()) return false;
  if (names_.contains(word.toUtf8())) return true;
  if (word.endsWith(u"'s") && isName(word.chopped(2))) return true;
  // At the beginning of a sentence.
  return word.front().isUpper() && names_.contains(word.toLower().toUtf8());
}

// The code below a comment was looked at after it.
void SpellingMarks::unmarkNames() {
  hasNewNames_ = false;
  editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(kSpellingIndicator));
  for (auto wrong = next(-1, 1); wrong; wrong = next(wrong->start, 1)) {
    const QString spelled =
        dictionaryForm(QString::fromUtf8(editor_->textRange(wrong->start, wrong->end)));
    if (isName(spelled))
      editor_->sci(Sci::SCI_INDICATORCLEARRANGE, word(wrong->start),
                   static_cast<long>(wrong->end - wrong->start));
  }
}

std::optional<ByteRange> SpellingMarks::wrongAt(qint64 offset) const {
  for (const qint64 at : {offset, offset - 1}) {
    if (at < 0 ||
        editor_->sci(Sci::SCI_INDICATORVALUEAT, kSpellingIndicator, static_cast<long>(at)) == 0)
      continue;
    return ByteRange{
        editor_->sci(Sci::SCI_INDICATORSTART, kSpellingIndicator, static_cast<long>(at)),
        editor_->sci(Sci::SCI_INDICATOREND, kSpellingIndicator, static_cast<long>(at))};
  }
  return std::nullopt;
}

std::optional<ByteRange> SpellingMarks::next(qint64 offset, int direction) const {
  const auto startOf = [&](qint64 at) {
    return editor_->sci(Sci::SCI_INDICATORSTART, kSpellingIndicator, static_cast<long>(at));
  };
  const auto endOf = [&](qint64 at) {
    return editor_->sci(Sci::SCI_INDICATOREND, kSpellingIndicator, static_cast<long>(at));
  };
  const auto isMarked = [&](qint64 at) {
    return editor_->sci(Sci::SCI_INDICATORVALUEAT, kSpellingIndicator, static_cast<long>(at)) != 0;
  };
  const qint64 length = editor_->length();
  if (direction > 0) {
    qint64 at = std::max<qint64>(0, offset);
    if (offset >= 0 && at < length && isMarked(at)) at = endOf(at);
    while (at < length && !isMarked(at)) {
      const qint64 end = endOf(at);
      if (end <= at) return std::nullopt;  // there are no marks at all
      at = end;
    }
    return at < length ? std::optional(ByteRange{at, endOf(at)}) : std::nullopt;
  }
  qint64 at = std::min(offset, length) - 1;
  while (at >= 0 && !(isMarked(at) && startOf(at) < offset)) {
    const qint64 start = startOf(at);
    if (start > at) return std::nullopt;
    at = start - 1;
  }
  return at >= 0 ? std::optional(ByteRange{startOf(at), endOf(at)}) : std::nullopt;
}

}  // namespace waferpair::editor
