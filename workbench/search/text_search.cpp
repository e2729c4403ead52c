// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/search/text_search.h"

#include <algorithm>

#include "editor/text/decoded_line.h"
#include "editor/text/kept_bytes.h"
#include "editor/text/text_codec.h"
#include "editor/text/translate.h"
#include "editor/text/word_byte.h"

namespace waferpair::workbench {
namespace {

using editor::FindQuery;

bool isAscii(const QString& text) {
  return std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x80; });
}

// The case of ASCII alone is folded, as QScintilla does it.
QByteArray lowered(QByteArrayView bytes) {
  QByteArray lower(bytes.size(), Qt::Uninitialized);
  std::transform(bytes.begin(), bytes.end(), lower.begin(),
                 [](char c) { return static_cast<char>(c | ((c >= 'A' && c <= 'Z') ? 0x20 : 0)); });
  return lower;
}

// Goes down a text line by line; LF, CRLF and a lone CR end one.
class LineWalk {
 public:
  explicit LineWalk(QByteArrayView text) : text_(text) { findEnd(); }

  // Goes on to the line that holds this byte.
  void goTo(qint64 offset) {
    while (offset >= next_ && hasNext()) step();
  }
  bool hasNext() const { return next_ > end_; }
  void step() {
    ++line_;
    start_ = next_;
    findEnd();
  }
  // The line, as a match without bytes.
  TextMatch line() const { return {start_, start_, line_, start_, end_}; }

 private:
  void findEnd() {
    const char* begin = text_.data() + start_;
    const char* last = text_.data() + text_.size();
    const char* at = std::find_if(begin, last, [](char c) { return c == '\n' || c == '\r'; });
    end_ = next_ = at - text_.data();
    if (at == last) return;
    ++next_;
    if (*at == '\r' && at + 1 < last && at[1] == '\n') ++next_;
  }

  QByteArrayView text_;
  qint64 line_ = 0;
  qint64 start_ = 0;
  qint64 end_ = 0;
  qint64 next_ = 0;  // where the next line begins; the line's end where there is none
};

bool isWholeWord(QByteArrayView text, qint64 start, qint64 end) {
  const auto isWord = [&](qint64 at) {
    return at >= 0 && at < text.size() && editor::isWordByte(text[at]);
  };
  return isWord(start - 1) != isWord(start) && isWord(end - 1) != isWord(end);
}

}  // namespace

editor::Result<TextSearch> TextSearch::make(const FindQuery& query) {
  if (query.text.isEmpty()) return editor::fail(translate("There is nothing to search for."));
  if (query.text.contains(u'\n'))
    return editor::fail(translate("A search in all files finds what stands in one line."),
                        translate("Search for a part of it."));
  auto expression = editor::findExpression(query);
  if (!expression) return tl::unexpected(expression.error());
  TextSearch search;
  search.query_ = query;
  search.byExpression_ = query.regex || (!query.caseSensitive && !isAscii(query.text));
  const QByteArray needle = query.text.toUtf8();
  search.needle_.setPattern(query.caseSensitive ? needle : lowered(needle));
  if (!search.byExpression_) return search;
  search.inLine_ = *std::move(expression);
  search.inLine_.optimize();
  search.inText_ = search.inLine_;
  search.inText_.setPatternOptions(search.inLine_.patternOptions() |
                                   QRegularExpression::MultilineOption);
  search.inText_.optimize();
  // What asks for the ends of a text, or for what stands around, means those of a line.
  static const QRegularExpression around(QStringLiteral(R"(\\[AZzG]|\(\?([=!<^]|[a-z]*-)|\(\*)"));
  search.looksAtLinesOnly_ = around.match(query.text).hasMatch();
  return search;
}

template <typename Use>
void TextSearch::eachPlain(QByteArrayView utf8, const Use& use) const {
  const QByteArray lower = query_.caseSensitive ? QByteArray() : lowered(utf8);
  const QByteArrayView hay = query_.caseSensitive ? utf8 : QByteArrayView(lower);
  LineWalk walk(utf8);
  const qsizetype size = needle_.pattern().size();
  for (qsizetype at = needle_.indexIn(hay.data(), hay.size()); at >= 0;) {
    const qsizetype end = at + size;
    const bool counts = !query_.wholeWord || isWholeWord(utf8, at, end);
    if (counts) {
      walk.goTo(at);
      TextMatch match = walk.line();
      match.start = at;
      match.end = end;
      if (!use(match, nullptr)) return;
    }
    at = needle_.indexIn(hay.data(), hay.size(), counts ? end : at + 1);
  }
}

template <typename Use>
bool TextSearch::eachInLine(QByteArrayView utf8, const TextMatch& line, const Use& use) const {
  editor::DecodedLine decoded(
      utf8.sliced(line.lineStart, line.lineEnd - line.lineStart).toByteArray());
  const QString& text = decoded.text();
  for (qsizetype offset = 0; offset <= text.size();) {
    const QRegularExpressionMatch found =
        inLine_.match(text, offset, QRegularExpression::NormalMatch,
                      QRegularExpression::DontCheckSubjectStringMatchOption);
    if (!found.hasMatch()) return true;
    // One without letters is none; one that begins further back, as \K can make it, was found.
    if (found.capturedLength() <= 0 || found.capturedStart() < offset) {
      offset = std::max(found.capturedEnd(), offset) + 1;
      if (offset < text.size() && text[offset].isLowSurrogate()) ++offset;
      continue;
    }
    TextMatch match = line;
    match.start = line.lineStart + decoded.byteAt(found.capturedStart());
    match.end = line.lineStart + decoded.byteAt(found.capturedEnd());
    if (!use(match, &found)) return false;
    offset = found.capturedEnd();
  }
  return true;
}

// The text as a whole tells quickly which lines may have a match; each of these is looked at by
// itself, as no match reaches over a line's end.
template <typename Use>
void TextSearch::eachExpression(QByteArrayView utf8, const Use& use) const {
  LineWalk walk(utf8);
  // An expression's $ knows no CR.
  if (looksAtLinesOnly_ || utf8.contains('\r')) {
    while (eachInLine(utf8, walk.line(), use) && walk.hasNext()) walk.step();
    return;
  }
  editor::DecodedLine whole(utf8.toByteArray());
  const QString& text = whole.text();
  for (qsizetype offset = 0; offset <= text.size();) {
    const QRegularExpressionMatch found =
        inText_.match(text, offset, QRegularExpression::NormalMatch,
                      QRegularExpression::DontCheckSubjectStringMatchOption);
    if (!found.hasMatch()) return;
    walk.goTo(whole.byteAt(std::max(found.capturedStart(), offset)));
    const qint64 end = whole.byteAt(std::max(found.capturedEnd(), offset));
    do {
      if (!eachInLine(utf8, walk.line(), use) || !walk.hasNext()) return;
      walk.step();
    } while (walk.line().lineStart < end);
    offset = whole.unitAt(walk.line().lineStart);
  }
}

template <typename Use>
void TextSearch::each(QByteArrayView utf8, const Use& use) const {
  if (byExpression_) {
    eachExpression(utf8, use);
  } else {
    eachPlain(utf8, use);
  }
}

QVector<TextMatch> TextSearch::find(QByteArrayView utf8, qsizetype most) const {
  QVector<TextMatch> found;
  if (most <= 0) return found;
  each(utf8, [&](const TextMatch& match, const QRegularExpressionMatch*) {
    found.append(match);
    return found.size() < most;
  });
  return found;
}

QByteArray TextSearch::replaced(QByteArrayView utf8, const QString& replacement) const {
  const QByteArray plain = replacement.toUtf8();
  const bool isCrLf = utf8.contains("\r\n");
  QByteArray text;
  qint64 from = 0;
  each(utf8, [&](const TextMatch& match, const QRegularExpressionMatch* captures) {
    text += utf8.sliced(from, match.start - from);
    if (captures != nullptr && query_.regex) {
      QByteArray with = editor::expandedReplacement(replacement, *captures).toUtf8();
      if (isCrLf) with.replace("\n", "\r\n");
      // Bytes that are no characters stay; where it is not certain which those are, all does.
      const QByteArray matched = utf8.sliced(match.start, match.end - match.start).toByteArray();
      text += editor::withBytesOf(matched, with).value_or(matched);
    } else {
      text += plain;
    }
    from = match.end;
    return true;
  });
  text += utf8.sliced(from);
  return text;
}

}  // namespace waferpair::workbench
