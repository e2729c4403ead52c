// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/changes/project_path.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <array>

#include "editor/text/path_bytes.h"
#include "editor/text/quoted.h"
#include "editor/text/translate.h"
#include "runtime/exclusions/exclusions.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::pairing {
namespace {

constexpr std::array kVersionControl = {".git", ".hg", ".svn", ".jj"};

// Without the links on the way; empty: there is one that leads nowhere.
QString withoutLinks(const QString& path) {
  QString there = path;
  QString rest;
  for (QFileInfo info(there); !info.exists(); info.setFile(there)) {
    if (info.isSymLink()) return {};
    rest.prepend(u'/' + info.fileName());
    there = info.path();
  }
  return QFileInfo(there).canonicalFilePath() + rest;
}

tl::unexpected<editor::Error> elsewhere(const QString& path) {
  return editor::fail(translate("%1 is not in the project's folder.").arg(editor::quotedPath(path)),
                      translate("Only files of the folder that is open are changed."));
}

}  // namespace

std::optional<QString> placeInProject(const QString& root, const QString& path) {
  const QString folder = QFileInfo(root).canonicalFilePath();
  if (root.isEmpty() || folder.isEmpty() || path.isEmpty() || path.contains(QChar(0))) return {};
  const QString place = withoutLinks(QDir::cleanPath(QDir(root).absoluteFilePath(path)));
  if (place == folder) return QString();
  if (!place.startsWith(folder + u'/')) return {};
  return place.sliced(folder.size() + 1);
}

editor::Result<QString> pathInProject(const QString& root, const QString& path) {
  if (root.isEmpty())
    return editor::fail(translate("No folder is open."), translate("Open the project's folder."));
  if (path.trimmed().isEmpty() || path.contains(QChar(0)) || path.endsWith(u'/'))
    return editor::fail(translate("%1 can't be a file's name.").arg(editor::quotedPath(path)));
  const std::optional<QString> place = placeInProject(root, path);
  if (!place || place->isEmpty()) return elsewhere(path);
  if (const QFileInfo info(QDir(root).filePath(*place)); info.exists() && !info.isFile())
    return editor::fail(translate("%1 is no file.").arg(editor::quotedPath(path)));
  return *place;
}

editor::Result<void> mayPropose(const QString& root, const QString& relative,
                                const FileText& before) {
  const QStringList parts = relative.split(u'/');
  const bool isControl = std::any_of(parts.begin(), parts.end(), [](const QString& part) {
    return std::any_of(kVersionControl.begin(), kVersionControl.end(), [&part](const char* name) {
      return part.compare(QLatin1String(name), Qt::CaseInsensitive) == 0;
    });
  });
  if (isControl)
    return editor::fail(
        translate("%1 belongs to version control.").arg(editor::quotedPath(relative)));
  exclusions::Exclusions gate(editor::nativePath(root));
  std::string reason = gate.reason(editor::nativePath(root + u'/' + relative));
  if (reason.empty() && before.exists)
    reason = exclusions::reasonOfText(before.text.toByteArray().toStdString());
  if (reason.empty()) return {};
  return editor::fail(translate("%1 is kept from models: %2.")
                          .arg(editor::quotedPath(relative), QString::fromStdString(reason)));
}

}  // namespace waferpair::pairing
