// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/tools/tool_files.h"

#include <QDir>

#include "editor/text/path_bytes.h"
#include "pairing/changes/disk_texts.h"
#include "pairing/changes/project_path.h"
#include "runtime/base/guest_file.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kMostAlikeNamed = 5;  // files of a name that was given without its folder

QString nameOf(const QString& path) { return path.mid(path.lastIndexOf(u'/') + 1); }

}  // namespace

ToolFiles::ToolFiles(const ToolProject& project)
    : project_(project), gate_(editor::nativePath(project.root)) {
  for (const OpenText& text : project.open)
    if (!text.path.isEmpty()) open_.insert(text.path, &text.text);
}

editor::Result<ToolFiles::Text> ToolFiles::read(const QString& path) {
  const auto relative = pathInProject(project_.root, path);
  if (!relative) return editor::fail(relative.error().what);
  const QString absolute = project_.root + u'/' + *relative;
  // A file that is held back by its name is not even read.
  const auto named = mayPropose(project_.root, *relative, {});
  if (!named) return editor::fail(named.error().what);
  FileText now;
  if (const editor::Snapshot* open = open_.value(absolute)) {
    now = {true, *open};
  } else {
    const auto read = DiskTexts().read(absolute);
    // Where the project lies is nothing that a model has to know.
    if (!read) return editor::fail(QString(read.error().what).remove(project_.root + u'/'));
    now = *read;
  }
  if (!now.exists) {
    QStringList others;
    for (const QString& file : project_.files)
      if (others.size() < kMostAlikeNamed && nameOf(file) == nameOf(*relative) && isShown(file))
        others.append(file);
    const QString hint =
        others.isEmpty()
            ? QString()
            : QStringLiteral(" Files of this name: %1.").arg(others.join(QStringLiteral(", ")));
    return editor::fail(QStringLiteral("There is no file %1.").arg(*relative) + hint);
  }
  const auto may = mayPropose(project_.root, *relative, now);
  if (!may) return editor::fail(may.error().what);
  return Text{*relative, now.text};
}

QByteArray ToolFiles::listed(const QString& relative, qint64 most) {
  if (!isShown(relative)) return {};
  const QString absolute = project_.root + u'/' + relative;
  if (const editor::Snapshot* open = open_.value(absolute))
    return open->size() <= most ? open->toByteArray() : QByteArray();
  const auto bytes = base::readGuestFile(editor::nativePath(absolute),
                                         static_cast<std::size_t>(most), base::Links::kRefuse);
  if (!bytes || !*bytes) return {};
  const QByteArray utf8 = QByteArray::fromStdString(**bytes);
  return utf8.contains('\0') || !utf8.isValidUtf8() ? QByteArray() : utf8;
}

bool ToolFiles::isInside(const QString& relative) const {
  return placeInProject(project_.root, relative) == relative;
}

bool ToolFiles::isShown(const QString& relative) {
  return gate_.reason(editor::nativePath(project_.root + u'/' + relative)).empty();
}

std::optional<QStringList> ToolFiles::below(const QString& folder) const {
  if (project_.root.isEmpty()) return {};
  QString place;
  if (!folder.trimmed().isEmpty()) {
    const auto inside = placeInProject(project_.root, folder);
    if (!inside) return {};
    place = *inside;
  }
  if (place.isEmpty()) return project_.files;
  QStringList files;
  for (const QString& file : project_.files)
    if (file == place || file.startsWith(place + u'/')) files.append(file);
  if (files.isEmpty()) return {};
  return files;
}

bool holdsSecret(const QByteArray& utf8) {
  return exclusions::findSecret({utf8.constData(), static_cast<std::size_t>(utf8.size())})
      .has_value();
}

}  // namespace waferpair::pairing
