// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/folder_names.h"

#include <QList>
#include <algorithm>

namespace waferpair::gui {
namespace {

// The last names of a path; all of it where it has no more.
QString lastNames(const QString& path, qsizetype count) {
  const QStringList names = path.split(u'/', Qt::SkipEmptyParts);
  return count > names.size() ? path : names.last(count).join(u'/');
}

}  // namespace

bool isBelowFolder(const QString& path, const QString& folder) {
  if (folder.isEmpty()) return false;
  if (folder.endsWith(u'/')) return path.size() > folder.size() && path.startsWith(folder);
  return path.size() > folder.size() && path.startsWith(folder) && path[folder.size()] == u'/';
}

QStringList folderLabels(const QStringList& folders) {
  QList<qsizetype> counts(folders.size(), 1);
  QStringList labels;
  for (const QString& folder : folders) labels.append(lastNames(folder, 1));
  const auto areConfused = [&labels](qsizetype a, qsizetype b) {
    return labels[a] == labels[b] || isBelowFolder(labels[a], labels[b]) ||
           isBelowFolder(labels[b], labels[a]);
  };
  for (bool isOther = true; isOther;) {
    isOther = false;
    QList<bool> grows(folders.size(), false);
    for (qsizetype a = 0; a < folders.size(); ++a)
      for (qsizetype b = a + 1; b < folders.size(); ++b)
        if (areConfused(a, b)) grows[a] = grows[b] = true;
    for (qsizetype i = 0; i < folders.size(); ++i) {
      if (!grows[i] || labels[i] == folders[i]) continue;
      labels[i] = lastNames(folders[i], ++counts[i]);
      isOther = true;
    }
  }
  return labels;
}

QString folderAround(const QStringList& folders) {
  QString around = folders.value(0);
  for (const QString& folder : folders)
    while (!around.isEmpty() && folder != around && !isBelowFolder(folder, around))
      around.truncate(around.lastIndexOf(u'/'));
  return around;
}

QString placeIn(const QStringList& folders, const QString& path) {
  const auto found = std::find_if(folders.cbegin(), folders.cend(), [&](const QString& folder) {
    return isBelowFolder(path, folder);
  });
  if (found == folders.cend()) return path;
  const QString below = path.mid(found->endsWith(u'/') ? found->size() : found->size() + 1);
  return folders.size() == 1 ? below
                             : folderLabels(folders)[found - folders.cbegin()] + u'/' + below;
}

}  // namespace waferpair::gui
