// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/terminal/terminal_links.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostOfLine = 4000;  // of longer lines the rest has no links

// Without the punctuation of the sentence around it, and brackets that were not opened in it.
qsizetype endOfAddress(const QString& text, qsizetype start, qsizetype end) {
  while (end > start) {
    const QChar last = text[end - 1];
    const QStringView address = QStringView(text).mid(start, end - start);
    const bool isExtra = QStringLiteral(".,;:!?").contains(last) ||
                         (last == u')' && address.count(u'(') < address.count(u')')) ||
                         (last == u']' && address.count(u'[') < address.count(u']'));
    if (!isExtra) break;
    --end;
  }
  return end;
}

// An address; File "PATH", line LINE; PATH(LINE,COLUMN), PATH:LINE:COLUMN, PATH.
constexpr char kLinkPattern[] =
    R"re((?<address>\b(?:https?|file)://[^\s<>"'`\x{2018}-\x{201d}]+))re"
    R"re(|File "(?<quoted>[^"\n]+)", line (?<quotedLine>\d{1,7}))re"
    R"re(|(?<path>(?:~?/|\.{1,2}/)?[\w.+@%\-]+(?:/[\w.+@%\-]+)*))re"
    R"re((?:\((?<inLine>\d{1,7})(?:,\s?(?<inColumn>\d{1,5}))?\))re"
    R"re(|:(?<line>\d{1,7})(?::(?<column>\d{1,5}))?)?)re";

}  // namespace

QVector<TextLink> linksIn(const QString& line) {
  QVector<TextLink> links;
  const QString text = line.left(kMostOfLine);
  static const QRegularExpression pattern{QLatin1String(kLinkPattern)};
  QRegularExpressionMatchIterator matches = pattern.globalMatch(text);
  while (matches.hasNext()) {
    const QRegularExpressionMatch match = matches.next();
    TextLink link{match.capturedStart(), match.capturedEnd(), {}, {}, 0, 0};
    if (match.hasCaptured(QStringLiteral("address"))) {
      link.end = endOfAddress(text, link.start, link.end);
      link.address = text.mid(link.start, link.end - link.start);
    } else if (match.hasCaptured(QStringLiteral("quoted"))) {
      link.path = match.captured(QStringLiteral("quoted"));
      link.line = match.captured(QStringLiteral("quotedLine")).toInt();
    } else {
      link.path = match.captured(QStringLiteral("path"));
      const bool isIn = match.hasCaptured(QStringLiteral("inLine"));
      link.line = match.captured(isIn ? QStringLiteral("inLine") : QStringLiteral("line")).toInt();
      link.column =
          match.captured(isIn ? QStringLiteral("inColumn") : QStringLiteral("column")).toInt();
      // A word is a file only if it looks like one.
      if (!link.path.contains(u'/') && !link.path.contains(u'.') && link.line == 0) continue;
      // The end of a sentence is none of the name.
      if (link.line == 0 && link.path.endsWith(u'.')) {
        link.path.chop(1);
        --link.end;
      }
      if (link.path.isEmpty()) continue;
    }
    links.append(link);
  }
  return links;
}

QString fileOfLink(const QString& path, const QString& folder, const QString& project) {
  QString named = path;
  if (named.startsWith(QLatin1String("~/"))) named = QDir::homePath() + named.mid(1);
  for (const QString& base : {folder, project}) {
    if (base.isEmpty()) continue;
    const QFileInfo file(QDir(base), named);
    if (file.isFile()) return QDir::cleanPath(file.absoluteFilePath());
  }
  return {};
}

}  // namespace waferpair::workbench
