// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson as a value: steps of text, experiments, commands and questions, read from a Markdown
// file that people write (docs/lessons.md). No widgets.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>
#include <tl/expected.hpp>
#include <variant>

#include "gui/lessons/expression.h"

namespace waferpair::gui {

// Markdown. {experiment.figure} in it stands for the figure, once that is there.
struct LessonText {
  QString markdown;
};

// A setting that the reader chooses. The first value is that of the real machine, so to say: the
// others are compared with it, and it is what questions are about.
struct LessonChoice {
  QString key;
  QStringList values;
};

struct LessonExperiment {
  QString id;
  QString question;  // "wafer model=llama-3.1-8b": docs/experiments.md
  QVector<LessonChoice> choices;
  QStringList shown;  // names of figures, in order
  int line = 0;       // of the file, from 1
};

// A command of the window.
struct LessonCommand {
  QString id;  // "view.wafer"
  QString label;
  int line = 0;
};

struct LessonOption {
  QString label;
  Expression value;
};

// What the reader is to say before the experiment is run.
struct LessonQuestion {
  enum class Kind { kNumber, kLeast, kGreatest };

  QString id;
  QString text;
  Kind kind = Kind::kNumber;
  std::optional<Expression> answer;  // of kNumber
  double withinPercent = 10;         // of kNumber
  QString unit;                      // of kNumber; may be empty
  QVector<LessonOption> options;     // of the others: the right one has the least or greatest value
  QString hint;                      // after a wrong answer; may be empty
  int line = 0;

  // The experiments that decide it.
  QStringList experiments() const;
};

using LessonBlock = std::variant<LessonText, LessonExperiment, LessonCommand, LessonQuestion>;

struct LessonStep {
  QString title;
  QVector<LessonBlock> blocks;
};

struct Lesson {
  QString id;  // of its file
  QString title;
  QString summary;
  QVector<LessonStep> steps;

  const LessonExperiment* experiment(const QString& id) const;  // null: there is none
  QStringList questions() const;                                // their ids
};

// What is wrong with a file, and where.
struct LessonMistake {
  int line = 1;
  QString text;
};

inline constexpr qsizetype kMostLessonBytes = qsizetype{256} << 10;

// Reads a file's text. In a lesson that is read every figure is of an experiment that it has, ids
// are its own, and the last step has a question.
tl::expected<Lesson, LessonMistake> readLesson(const QByteArray& bytes, const QString& id);

}  // namespace waferpair::gui
