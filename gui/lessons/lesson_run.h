// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson that is being taken: its experiments' answers, the reader's, and what they are worth. No
// widgets. UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <functional>
#include <optional>

#include "gui/client/experiments.h"
#include "gui/lessons/lesson.h"

namespace waferpair::gui {

class LessonRun : public QObject {
  Q_OBJECT
 public:
  // Asks an experiment's question (Experiments::ask).
  using Ask = std::function<void(const QString& question, QObject* context, HearExperiment hear)>;

  LessonRun(Lesson lesson, Ask ask, QObject* parent = nullptr);

  const Lesson& lesson() const { return lesson_; }

  // -- Experiments

  struct Experiment {
    QHash<QString, QString> chosen;  // by key; the first value of each at first
    bool running = false;
    editor::Error problem;                  // of the last run
    std::optional<ExperimentAnswer> first;  // with the first value of each choice
    std::optional<ExperimentAnswer> now;    // as chosen
  };
  const Experiment& experiment(const QString& id) const { return experiments_[index(id)]; }
  void choose(const QString& id, const QString& key, const QString& value);
  // Runs it as chosen, and before that with its first values. Answered by experimentChanged().
  void run(const QString& id);
  // Runs all that have not been run; then() is called once, when all have been answered.
  void runAll(QObject* context, std::function<void()> then);

  // The figure with the first value of each choice; nothing until it is known.
  std::optional<double> figure(const QString& experiment, const QString& name) const;
  // Markdown in which every figure that is known stands in place of its name.
  QString filled(const QString& markdown) const;

  // -- Questions

  enum class Verdict { kNone, kPending, kRight, kWrong, kFailed };
  struct Said {
    Verdict verdict = Verdict::kNone;
    QString text;  // what is said of the answer, for people
  };
  const Said& said(const QString& question) const { return said_[question]; }
  // Takes the reader's answer, runs what decides it, and judges. Answered by questionChanged().
  void answerNumber(const QString& question, double value);
  void answerOption(const QString& question, int option);
  // The right answer in words; empty until its experiments are run.
  QString truth(const LessonQuestion& question) const;
  bool isDone() const;  // every question has been answered right
  const QSet<QString>& right() const { return right_; }
  // What was right in an earlier run of the program.
  void setRight(const QSet<QString>& questions);

 Q_SIGNALS:
  void experimentChanged(const QString& id);
  void questionChanged(const QString& id);

 private:
  int index(const QString& id) const;
  const LessonQuestion* question(const QString& id) const;
  QString questionOf(const LessonExperiment& experiment, bool first) const;
  void ask(const QString& id, bool first, std::function<void()> then);
  void decide(const LessonQuestion& question, std::function<Said()> judge);
  void settle(const LessonQuestion& question, const Said& said);
  Said judgeNumber(const LessonQuestion& question, double value) const;
  Said judgeOption(const LessonQuestion& question, int option) const;
  std::optional<int> rightOption(const LessonQuestion& question) const;

  const Lesson lesson_;
  const Ask ask_;
  QVector<Experiment> experiments_;  // in the lesson's order
  QHash<QString, int> indexes_;      // of them, by id
  mutable QHash<QString, Said> said_;
  QSet<QString> right_;
};

// "1,234", "0.0123": a figure as people read it.
QString figureText(double value);

}  // namespace waferpair::gui
