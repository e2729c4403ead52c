// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/terminal/terminal_links.h"

#include <QDir>
#include <algorithm>

#include "editor/text/path_on_disk.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostOfLine = 4000;  // of longer lines the rest has no links

}  // namespace

QVector<TextLink> linksIn(const QString& line, const editor::IsFile& isFile) {
  const QString text = line.left(kMostOfLine);
  QVector<TextLink> links;
  for (const editor::PrintedPlace& place :
       editor::printedPlaces(text, isFile, editor::PrintedKind::kAll))
    if (!isFile || place.isFile)
      links.append({place.start, place.end, {}, place.path, place.line, place.column});
  for (const editor::PrintedAddress& one : editor::printedAddresses(text)) {
    const bool isPlace = std::any_of(links.cbegin(), links.cend(), [&](const TextLink& link) {
      return link.start < one.end && one.start < link.end;
    });
    if (!isPlace)
      links.append({one.start, one.end, text.mid(one.start, one.end - one.start), {}, 0, 0});
  }
  std::sort(links.begin(), links.end(),
            [](const TextLink& a, const TextLink& b) { return a.start < b.start; });
  return links;
}

QString fileOfLink(const QString& path, const QString& folder, const QString& project) {
  QString named = path;
  if (named.startsWith(QLatin1String("~/"))) named = QDir::homePath() + named.mid(1);
  for (const QString& base : {folder, project}) {
    if (base.isEmpty()) continue;
    const QString file = QDir::cleanPath(QDir(base).absoluteFilePath(named));
    if (editor::isFileAt(file)) return file;
  }
  return {};
}

}  // namespace waferpair::workbench
