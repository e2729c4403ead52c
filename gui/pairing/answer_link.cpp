// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/answer_link.h"

#include <QDir>
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

}  // namespace waferpair::gui
