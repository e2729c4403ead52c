// SPDX-License-Identifier: GPL-3.0-or-later
// How far the reader is in each lesson, kept in a file of the program's own. UI thread only.
#pragma once

#include <QHash>
#include <QSet>
#include <QString>

namespace waferpair::gui {

class LessonProgress {
 public:
  struct Of {
    int step = 0;
    QSet<QString> right;  // questions
    bool done = false;
  };

  // A file that cannot be read counts as none.
  explicit LessonProgress(QString file);

  Of of(const QString& lesson) const { return all_.value(lesson); }
  // Saves it at once. Returns what went wrong, or an empty text; it is known until the end then.
  QString set(const QString& lesson, const Of& progress);

 private:
  QString file_;
  QHash<QString, Of> all_;
};

}  // namespace waferpair::gui
