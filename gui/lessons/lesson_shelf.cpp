// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/lesson_shelf.h"

#include <QDir>
#include <QFile>

#include "editor/text/guest_file.h"

namespace waferpair::gui {
namespace {

constexpr int kMostLessons = 200;

// Those that come with the program are no files.
editor::Result<QByteArray> bytesOf(const QString& path) {
  if (path.startsWith(u':')) {
    QFile shipped(path);
    if (!shipped.open(QFile::ReadOnly)) return editor::fail(shipped.errorString());
    return shipped.readAll();
  }
  const auto bytes = editor::readGuestFile(path, kMostLessonBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  return bytes->value_or(QByteArray());
}

void addFrom(const QString& folder, QVector<ShelvedLesson>& all) {
  const QDir dir(folder);
  for (const QString& name : dir.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
    if (all.size() >= kMostLessons) return;
    ShelvedLesson shelved;
    shelved.file = dir.filePath(name);
    const auto text = bytesOf(shelved.file);
    if (!text) {
      shelved.mistake = {1, text.error().message()};
    } else {
      auto lesson = readLesson(*text, name.chopped(3));
      if (lesson)
        shelved.lesson = *std::move(lesson);
      else
        shelved.mistake = lesson.error();
    }
    all.append(std::move(shelved));
  }
}

}  // namespace

QVector<ShelvedLesson> findLessons(const QString& folder) {
  QVector<ShelvedLesson> all;
  addFrom(QStringLiteral(":/lessons"), all);
  addFrom(folder, all);
  return all;
}

}  // namespace waferpair::gui
