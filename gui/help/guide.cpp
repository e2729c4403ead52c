// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/help/guide.h"

#include <QDir>
#include <QKeySequence>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextDocument>
#include <algorithm>

#include "editor/text/guest_file.h"
#include "editor/widget/prose.h"

namespace waferpair::gui {
namespace {

constexpr qint64 kLongestPage = 1 << 20;  // bytes
constexpr qsizetype kAround = 90;         // characters of a hit's text

QString readPage(const QString& path) {
  return QString::fromUtf8(editor::guestBytes(path, kLongestPage));
}

// The pages that the text links to, in order and each once.
QStringList linkedPages(const QString& markdown) {
  static const QRegularExpression link(QStringLiteral("\\]\\(([\\w-]+\\.md)(?:#[^)]*)?\\)"));
  QStringList files;
  for (const auto& match : link.globalMatch(markdown)) files.append(match.captured(1));
  files.removeDuplicates();
  return files;
}

bool hasAll(const QString& text, const QStringList& words) {
  return std::all_of(words.begin(), words.end(), [&text](const QString& word) {
    return text.contains(word, Qt::CaseInsensitive);
  });
}

// The text around the first word that is in it, from word to word.
QString excerpt(const QString& text, const QStringList& words) {
  qsizetype at = -1;
  for (const QString& word : words)
    if (at < 0) at = text.indexOf(word, 0, Qt::CaseInsensitive);
  qsizetype from = std::max<qsizetype>(0, at - kAround / 3);
  if (from > 0) from = text.indexOf(u' ', from) + 1;
  QString piece = text.mid(from, kAround).simplified();
  if (from + kAround < text.size())
    piece = piece.left(piece.lastIndexOf(u' ')) + QStringLiteral("…");
  return (from > 0 ? QStringLiteral("… ") : QString()) + piece;
}

}  // namespace

Guide::Guide(const QString& folder) : folder_(folder) {
  if (folder.isEmpty()) return;
  const QDir place(folder);
  const QString index = readPage(place.filePath(QStringLiteral("index.md")));
  if (index.isEmpty()) return;
  QStringList files{QStringLiteral("index.md")};
  files += linkedPages(index);
  for (const QString& file : files) {
    const QString markdown = readPage(place.filePath(file));
    if (markdown.isEmpty()) continue;
    QTextDocument shown;
    editor::fillProse(&shown, editor::ProsePiece{markdown});
    const int page = static_cast<int>(pages_.size());
    GuidePage& read = pages_.emplace_back(GuidePage{file, file, markdown});
    for (QTextBlock block = shown.begin(); block.isValid(); block = block.next()) {
      const bool isHeading = block.blockFormat().headingLevel() > 0;
      if (isHeading && block.blockFormat().headingLevel() == 1) read.title = block.text();
      if (isHeading || parts_.isEmpty() || parts_.last().page != page)
        parts_.append({page, block.text(), block.text()});
      else
        parts_.last().text += u' ' + block.text();
    }
  }
}

int Guide::find(const QString& file) const {
  for (qsizetype i = 0; i < pages_.size(); ++i)
    if (pages_[i].file == file) return static_cast<int>(i);
  return -1;
}

QList<GuideHit> Guide::search(const QString& words) const {
  const QStringList wanted = words.split(u' ', Qt::SkipEmptyParts);
  QList<GuideHit> named, others;
  if (wanted.isEmpty()) return {};
  for (const Part& part : parts_) {
    if (!hasAll(part.text, wanted)) continue;
    const bool isNamed = hasAll(part.heading, wanted);
    const QString body = part.text.mid(part.heading.size()).trimmed();
    (isNamed ? named : others).append({part.page, part.heading, excerpt(body, wanted)});
  }
  return named + others;
}

QString withKeys(const QString& markdown, const std::function<QString(const QString& id)>& keyOf) {
  static const QRegularExpression link(
      QStringLiteral("\\[((?:[^\\]\\\\]|\\\\.)+)\\]\\(command:([\\w.-]+)\\)"));
  static const QRegularExpression escape(QStringLiteral("\\\\(.)"));
  static const QRegularExpression special(QStringLiteral("([\\\\\\[\\]`*_])"));
  QString shown;
  qsizetype at = 0;
  for (const auto& match : link.globalMatch(markdown)) {
    QString text = match.captured(1);
    QString plain = text;
    plain.replace(escape, QStringLiteral("\\1"));
    const QKeySequence keys(plain, QKeySequence::PortableText);
    if (!keys.isEmpty() && keys.toString(QKeySequence::PortableText) == plain)
      text = keyOf(match.captured(2)).replace(special, QStringLiteral("\\\\1"));
    shown += QStringView(markdown).mid(at, match.capturedStart() - at);
    shown += QStringLiteral("[%1](command:%2)").arg(text, match.captured(2));
    at = match.capturedEnd();
  }
  shown += QStringView(markdown).mid(at);
  return shown;
}

}  // namespace waferpair::gui
