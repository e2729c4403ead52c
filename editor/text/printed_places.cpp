// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/printed_places.h"

#include <QDir>
#include <QRegularExpression>
#include <QUrl>
#include <algorithm>
#include <optional>

namespace waferpair::editor {
namespace {

constexpr qsizetype kLongestPath = 1000;  // UTF-16 units
constexpr int kMostBeginnings = 24;       // of one path that are tried
constexpr int kMostBareBeginnings = 8;    // likewise, where no numbers follow it
constexpr int kMostEnds = 4;              // likewise, where no numbers end it

// What stands behind a path and names its line.
constexpr char kNumbers[] =
    R"re(:(?<l1>\d{1,7})(?:[:.](?<c1>\d{1,6}))?(?:-\d{1,7}(?:[:.]\d{1,6})?)?(?![\w/]))re"
    R"re(|\s?\((?<l2>\d{1,7})(?:[,:]\s?(?<c2>\d{1,6}))?(?:[,-]\d[\d,]*)?\))re"
    R"re(|:?\[(?<l3>\d{1,7})(?:,\s?(?<c3>\d{1,6}))?\])re"
    R"re(|(?:,?\s+|:\s?)(?:on |at )?[Ll]ine:? (?<l4>\d{1,7}))re"
    R"re((?:(?:,\s?|:|\s)\s?(?:col(?:umn)?|char(?:acters?)?)[.:]? (?<c4>\d{1,6})(?:-\d+)?)?)re"
    R"re(|#L(?<l5>\d{1,7})(?:C(?<c5>\d{1,6}))?(?:-L\d+(?:C\d+)?)?)re"
    R"re(|\s(?<l6>\d{1,7}):(?<c6>\d{1,6})(?:-\d+(?::\d+)?)?(?=\s|$))re";

bool isQuote(QChar c) {
  return c == u'"' || c == u'\'' || c == u'`' || c == u'\u2018' || c == u'\u2019' ||
         c == u'\u201c' || c == u'\u201d';
}

QChar openingOf(QChar closing) {
  if (closing == u'\u2019') return u'\u2018';
  if (closing == u'\u201d') return u'\u201c';
  return closing;
}

bool isBracket(QChar c) { return QStringLiteral("()[]{}<>").contains(c); }

// A path may begin behind these.
bool mayPrecede(QChar c) {
  return c.isSpace() || isQuote(c) || isBracket(c) || QStringLiteral("=,;:|@").contains(c);
}

// What a path of one word is made of.
bool isOfWord(QChar c) { return !mayPrecede(c) || c == u'@'; }

bool hasLetter(QStringView path) {
  return std::any_of(path.begin(), path.end(), [](QChar c) { return c.isLetter() || c == u'_'; });
}

// "\ " and "\303\251" as shells and git write them.
QString unescaped(const QString& path) {
  QByteArray bytes;
  const QByteArray written = path.toUtf8();
  for (qsizetype i = 0; i < written.size(); ++i) {
    if (written[i] != '\\' || i + 1 == written.size()) {
      bytes += written[i];
      continue;
    }
    bool isOctal = false;
    const int code = written.mid(i + 1, 3).toInt(&isOctal, 8);
    if (isOctal && i + 3 < written.size() && code > 0 && code < 256) {
      bytes += static_cast<char>(code);
      i += 3;
    } else {
      bytes += written[++i];
    }
  }
  return QString::fromUtf8(bytes);
}

// The spelling of a written path that is a file: itself, an address of a file, one with escapes,
// one of git's with "a/" or "b/" before it.
std::optional<QString> fileOf(const QString& written, const IsFile& isFile) {
  if (written.isEmpty() || written.front().isSpace() || written.back().isSpace()) return {};
  if (isFile(written)) return written;
  if (written.startsWith(QLatin1String("file://"))) {
    const QString path = QUrl(written, QUrl::TolerantMode).toLocalFile();
    if (!path.isEmpty() && isFile(path)) return path;
  }
  QString plain = written;
  if (plain.contains(u'\\')) {
    plain = unescaped(plain);
    if (isFile(plain)) return plain;
  }
  static const QRegularExpression ofGit(QStringLiteral("^[abciow]/(?=.)"));
  if (ofGit.match(plain).hasMatch() && isFile(plain.mid(2))) return plain.mid(2);
  return {};
}

class PlaceFinder {
 public:
  PlaceFinder(const QString& line, const IsFile& isFile) : line_(line), isFile_(isFile) {}

  QVector<PrintedPlace> find(PrintedKind kind) {
    addresses_ = printedAddresses(line_);
    findNumbered();
    if (kind == PrintedKind::kAll) findBare();
    std::sort(found_.begin(), found_.end(),
              [](const PrintedPlace& a, const PrintedPlace& b) { return a.start < b.start; });
    return found_;
  }

 private:
  // Addresses of the web hold no paths of files here; those of files do.
  bool isOfWeb(qsizetype at) const {
    return std::any_of(addresses_.begin(), addresses_.end(), [&](const PrintedAddress& one) {
      return one.start <= at && at < one.end &&
             !QStringView(line_).sliced(one.start).startsWith(u"file:");
    });
  }
  bool isTaken(qsizetype at) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const PrintedPlace& one) { return one.start <= at && at < one.end; });
  }
  QString text(qsizetype start, qsizetype end) const { return line_.mid(start, end - start); }

  // The longest path that ends here and is a file.
  std::optional<PrintedPlace> longestFile(qsizetype from, qsizetype end, int most) const {
    if (!isFile_) return {};
    QVector<qsizetype> beginnings;
    for (qsizetype at = end - 1; at >= std::max(from, end - kLongestPath); --at) {
      if (isTaken(at) || isOfWeb(at)) break;
      if (at == from || mayPrecede(line_[at - 1])) beginnings.prepend(at);
      if (beginnings.size() == most) break;
    }
    for (const qsizetype start : std::as_const(beginnings))
      if (const auto path = fileOf(text(start, end), isFile_))
        return PrintedPlace{start, end, *path, 0, 0, true};
    return {};
  }

  // What stands in quotation marks that close before `end`.
  std::optional<PrintedPlace> quoted(qsizetype from, qsizetype end) const {
    if (end - 1 <= from || !isQuote(line_[end - 1])) return {};
    const qsizetype open = line_.lastIndexOf(openingOf(line_[end - 1]), end - 2);
    if (open < from || open + 1 >= end - 1) return {};
    const QString written = text(open + 1, end - 1);
    if (isFile_)
      if (const auto path = fileOf(written, isFile_))
        return PrintedPlace{open + 1, end - 1, *path, 0, 0, true};
    if (!hasLetter(written)) return {};
    return PrintedPlace{open + 1, end - 1, written, 0, 0, false};
  }

  std::optional<PrintedPlace> word(qsizetype from, qsizetype end) const {
    qsizetype start = end;
    while (start > from && isOfWord(line_[start - 1])) --start;
    // "C:\a.c" and "C:/a.c"
    if (start - 2 >= from && line_[start - 1] == u':' && line_[start - 2].isLetter() &&
        start < end && (line_[start] == u'\\' || line_[start] == u'/') &&
        (start - 2 == from || mayPrecede(line_[start - 3])))
      start -= 2;
    const QString written = text(start, end);
    if (!hasLetter(written) || isOfWeb(start)) return {};
    return PrintedPlace{start, end, written, 0, 0, false};
  }

  void findNumbered() {
    static const QRegularExpression numbers{QLatin1String(kNumbers)};
    qsizetype from = 0;
    auto each = numbers.globalMatch(line_);
    while (each.hasNext()) {
      const auto match = each.next();
      const qsizetype end = match.capturedStart();
      if (end <= from || isOfWeb(end - 1)) continue;
      auto place = quoted(from, end);
      if (!place || !place->isFile) {
        if (const auto longest = longestFile(from, end, kMostBeginnings)) place = longest;
      }
      // Words that are no path stand before a number oftener than a path does.
      const bool isLoose = match.captured().startsWith(u' ') || match.hasCaptured(u"l4");
      if (!place) place = word(from, end);
      if (!place || (isLoose && !place->isFile && !looksLikeFile(place->path))) continue;
      for (const char16_t digit : {u'1', u'2', u'3', u'4', u'5', u'6'}) {
        const QString line = match.captured(QStringLiteral("l") + digit);
        if (line.isEmpty()) continue;
        place->line = line.toInt();
        place->column = match.captured(QStringLiteral("c") + digit).toInt();
      }
      place->end = match.capturedEnd();
      found_.append(*place);
      from = place->end;
    }
  }

  static bool looksLikeFile(const QString& path) {
    return path.contains(u'/') || path.contains(u'.');
  }

  void findBare() {
    for (qsizetype at = 0; at < line_.size();) {
      if (line_[at].isSpace() || isTaken(at) || isOfWeb(at)) {
        ++at;
        continue;
      }
      qsizetype end = at;
      while (end < line_.size() && !line_[end].isSpace() && !isTaken(end) && !isOfWeb(end)) ++end;
      if (!isFile_) {
        findWords(at, end);
      } else if (looksLikeFile(text(at, end))) {
        if (const auto place = bareFile(at, end)) found_.append(*place);
      }
      at = end;
    }
  }

  // Where no disk is asked: what looks like a path between signs.
  void findWords(qsizetype start, qsizetype end) {
    for (qsizetype first = start; first < end;) {
      qsizetype last = first;
      while (last < end && isOfWord(line_[last])) ++last;
      const qsizetype next = last + 1;
      // The end of a sentence is none of the name.
      while (last > first && QStringLiteral(".!?").contains(line_[last - 1])) --last;
      const QString written = text(first, last);
      if (looksLikeFile(written)) found_.append({first, last, written, 0, 0, false});
      first = next;
    }
  }

  // The file whose path ends in, or with, the word [start, end), which ends before a blank.
  std::optional<PrintedPlace> bareFile(qsizetype start, qsizetype end) const {
    qsizetype last = end;
    for (int tries = 0; tries < kMostEnds && last > start; ++tries, --last) {
      if (const auto place = longestFile(0, last, kMostBareBeginnings)) return place;
      const QChar c = line_[last - 1];
      if (!c.isPunct() && !isBracket(c) && !isQuote(c) && c != u'=') break;
    }
    return firstFileIn(start, end);
  }

  // "(src/a.cpp," and "--file=src/a.cpp": what is a file between signs.
  std::optional<PrintedPlace> firstFileIn(qsizetype start, qsizetype end) const {
    for (qsizetype last = end; last > start; --last) {
      if (last < end && isOfWord(line_[last])) continue;
      const QString written = text(start, last);
      if (!looksLikeFile(written)) break;
      if (const auto place = longestFile(start, last, kMostBareBeginnings)) return place;
    }
    return {};
  }

  const QString& line_;
  const IsFile& isFile_;
  QVector<PrintedAddress> addresses_;
  QVector<PrintedPlace> found_;
};

}  // namespace

QVector<PrintedPlace> printedPlaces(const QString& line, const IsFile& isFile, PrintedKind kind) {
  return PlaceFinder(line, isFile).find(kind);
}

std::optional<PrintedPlace> linkedPlace(const QString& link, const IsFile& isFile) {
  static const QRegularExpression numbers(QStringLiteral(
      R"((?:#L(?<l1>\d{1,7})(?:C(?<c1>\d{1,6}))?(?:-L?\d+(?:C\d+)?)?|:(?<l2>\d{1,7})(?::(?<c2>\d{1,6}))?(?:-\d+)?)$)"));
  for (const QString& written : {link, QUrl::fromPercentEncoding(link.toUtf8())}) {
    if (const auto whole = fileOf(written, isFile)) return PrintedPlace{0, 0, *whole, 0, 0, true};
    if (const auto match = numbers.match(written); match.hasMatch()) {
      if (const auto path = fileOf(written.left(match.capturedStart()), isFile)) {
        const QString line = match.captured(u"l1") + match.captured(u"l2");
        const QString column = match.captured(u"c1") + match.captured(u"c2");
        return PrintedPlace{0, 0, *path, line.toInt(), column.toInt(), true};
      }
    }
    // A heading, or what a server would read.
    static const QRegularExpression rest(QStringLiteral("[#?]"));
    if (const qsizetype end = written.indexOf(rest); end > 0)
      if (const auto path = fileOf(written.left(end), isFile))
        return PrintedPlace{0, 0, *path, 0, 0, true};
  }
  return {};
}

QString fileOfAnyCase(const QString& folder, const QString& name) {
  if (name.contains(u'/')) return {};
  QStringList same;
  for (const QString& entry : QDir(folder).entryList(QDir::Files | QDir::Hidden))
    if (entry.compare(name, Qt::CaseInsensitive) == 0) same.append(entry);
  return same.size() == 1 ? same.constFirst() : QString();
}

QVector<PrintedAddress> printedAddresses(const QString& line) {
  static const QRegularExpression address(
      QStringLiteral(R"re(\b(?:https?|file)://[^\s<>"'`\x{2018}-\x{201d}]+)re"));
  QVector<PrintedAddress> found;
  auto each = address.globalMatch(line);
  while (each.hasNext()) {
    const auto match = each.next();
    qsizetype end = match.capturedEnd();
    const qsizetype start = match.capturedStart();
    // Brackets that were not opened in it belong to the sentence.
    while (end > start) {
      const QChar last = line[end - 1];
      const QStringView written = QStringView(line).mid(start, end - start);
      const bool isExtra = QStringLiteral(".,;:!?").contains(last) ||
                           (last == u')' && written.count(u'(') < written.count(u')')) ||
                           (last == u']' && written.count(u'[') < written.count(u']'));
      if (!isExtra) break;
      --end;
    }
    found.append({start, end});
  }
  return found;
}

}  // namespace waferpair::editor
