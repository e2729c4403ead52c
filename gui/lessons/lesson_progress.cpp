// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/lesson_progress.h"

#include <QJsonArray>
#include <QJsonObject>
#include <utility>

#include "gui/store/json_file.h"

namespace waferpair::gui {
namespace {

QString stepName() { return QStringLiteral("step"); }
QString rightName() { return QStringLiteral("right"); }
QString doneName() { return QStringLiteral("done"); }

}  // namespace

LessonProgress::LessonProgress(QString file) : file_(std::move(file)) {
  const QJsonObject all = readJson(file_).object;
  for (auto it = all.begin(); it != all.end(); ++it) {
    const QJsonObject one = it.value().toObject();
    Of progress;
    progress.step = qMax(0, one.value(stepName()).toInt());
    progress.done = one.value(doneName()).toBool();
    for (const QJsonValue& question : one.value(rightName()).toArray())
      if (question.isString()) progress.right.insert(question.toString());
    all_.insert(it.key(), progress);
  }
}

QString LessonProgress::set(const QString& lesson, const Of& progress) {
  all_.insert(lesson, progress);
  QJsonObject all;
  for (auto it = all_.cbegin(); it != all_.cend(); ++it) {
    QStringList right(it->right.cbegin(), it->right.cend());
    right.sort();
    all.insert(it.key(), QJsonObject{{stepName(), it->step},
                                     {doneName(), it->done},
                                     {rightName(), QJsonArray::fromStringList(right)}});
  }
  return writeJson(file_, all);
}

}  // namespace waferpair::gui
