// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/lesson_shelf.h"

#include <QDir>
#include <QFile>

#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr int kMostLessons = 200;

void addFrom(const QString& folder, QVector<ShelvedLesson>& all) {
  const QDir dir(folder);
  for (const QString& name : dir.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
    if (all.size() >= kMostLessons) return;
    ShelvedLesson shelved;
    shelved.file = dir.filePath(name);
    QFile file(shelved.file);
    if (!file.open(QFile::ReadOnly)) {
      shelved.mistake = {1, tr("The file cannot be read: %1.").arg(file.errorString())};
    } else {
      auto lesson = readLesson(file.read(kMostLessonBytes + 1), name.chopped(3));
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
