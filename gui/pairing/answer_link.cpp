// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/answer_link.h"

#include <QDir>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

#include "editor/text/path_on_disk.h"
#include "editor/text/printed_places.h"
#include "pairing/changes/project_path.h"

namespace waferpair::gui {
namespace {

// Empty: no file of the project.
QString fileInProject(const QString& root, const QString& path) {
  const auto file = pairing::pathInProject(root, path);
  if (!file) return {};
  const QString found = QDir(root).filePath(*file);
  return editor::isFileAt(found) ? found : QString();
}

}  // namespace

std::optional<AnswerPlace> answerPlace(const QString& root, const QUrl& link) {
  if (root.isEmpty()) return {};
  const auto find = [&root](const QString& path) {
    QString found = fileInProject(root, path);
    if (found.isEmpty())
      if (const QString other = editor::fileOfAnyCase(root, path); !other.isEmpty())
        found = fileInProject(root, other);
    return found;
  };
  const auto place = editor::linkedPlace(
      link.toString(), [&find](const QString& path) { return !find(path).isEmpty(); });
  if (!place) return {};
  return AnswerPlace{find(place->path), std::max(1, place->line)};
}

QString withPlaceLinks(const QString& markdown, const QString& root) {
  static const QRegularExpression mayName(QStringLiteral("[:(][0-9]"));
  if (root.isEmpty() || !mayName.match(markdown).hasMatch()) return markdown;
  // Links and addresses, pieces of code, and the words between.
  static const QRegularExpression kept(
      QStringLiteral("!?\\[[^\\]\\n]*\\]\\([^)\\n]*\\)|<[^>\\n]*>|[a-z]+://\\S+"));
  static const QRegularExpression parts(kept.pattern() + QStringLiteral("|(`+)(.+?)\\1(?!`)"));
  const auto isFile = [&root](const QString& path) { return !fileInProject(root, path).isEmpty(); };
  const auto linked = [](const QString& text, const editor::PrintedPlace& place) {
    const QString path = QString::fromLatin1(QUrl::toPercentEncoding(place.path, "/"));
    return QStringLiteral("[%1](%2#L%3)").arg(text, path).arg(place.line);
  };
  const auto inWords = [&](const QString& words) {
    QString made;
    qsizetype at = 0;
    for (const auto& place : editor::printedPlaces(words, isFile, editor::PrintedKind::kNumbered)) {
      if (!place.isFile || place.line == 0) continue;
      made += words.sliced(at, place.start - at) +
              linked(words.sliced(place.start, place.end - place.start), place);
      at = place.end;
    }
    return made + words.sliced(at);
  };
  QStringList lines = markdown.split(u'\n');
  for (QString& line : lines) {
    if (!mayName.match(line).hasMatch()) continue;
    QString made;
    qsizetype at = 0;
    for (const auto& part : parts.globalMatch(line)) {
      made += inWords(line.sliced(at, part.capturedStart() - at));
      at = part.capturedEnd();
      const QString code = part.captured(2).trimmed();
      const auto places = editor::printedPlaces(code, isFile, editor::PrintedKind::kNumbered);
      const bool isPlace = !code.isEmpty() && places.size() == 1 && places[0].isFile &&
                           places[0].line > 0 && places[0].start == 0 &&
                           places[0].end == code.size();
      made += isPlace ? linked(part.captured(), places[0]) : part.captured();
    }
    line = made + inWords(line.sliced(at));
  }
  return lines.join(u'\n');
}

}  // namespace waferpair::gui
