// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/lesson_run.h"

#include <QLocale>
#include <QRegularExpression>
#include <cmath>
#include <memory>
#include <utility>

namespace waferpair::gui {

QString figureText(double value) {
  const double size = std::abs(value);
  const QLocale locale(QLocale::English, QLocale::UnitedStates);
  if (size >= 1000) return locale.toString(value, 'f', 0);
  if (size == 0 || size == std::floor(size)) return locale.toString(value, 'f', 0);
  return locale.toString(value, 'g', 3);
}

LessonRun::LessonRun(Lesson lesson, Ask ask, QObject* parent)
    : QObject(parent), lesson_(std::move(lesson)), ask_(std::move(ask)) {
  for (const LessonStep& step : lesson_.steps) {
    for (const LessonBlock& block : step.blocks) {
      const auto* found = std::get_if<LessonExperiment>(&block);
      if (!found) continue;
      Experiment made;
      for (const LessonChoice& choice : found->choices)
        made.chosen[choice.key] = choice.values.first();
      indexes_[found->id] = static_cast<int>(experiments_.size());
      experiments_.append(made);
    }
  }
}

int LessonRun::index(const QString& id) const {
  Q_ASSERT(indexes_.contains(id));
  return indexes_.value(id);
}

const LessonQuestion* LessonRun::question(const QString& id) const {
  for (const LessonStep& step : lesson_.steps)
    for (const LessonBlock& block : step.blocks)
      if (const auto* found = std::get_if<LessonQuestion>(&block))
        if (found->id == id) return found;
  return nullptr;
}

void LessonRun::choose(const QString& id, const QString& key, const QString& value) {
  Experiment& at = experiments_[index(id)];
  if (at.chosen.value(key) == value) return;
  at.chosen[key] = value;
  if (at.first) run(id);  // it was run already: the figures follow
}

QString LessonRun::questionOf(const LessonExperiment& experiment, bool first) const {
  QString text = experiment.question;
  const Experiment& at = experiments_[index(experiment.id)];
  for (const LessonChoice& choice : experiment.choices) {
    const QString value = first ? choice.values.first() : at.chosen.value(choice.key);
    text += QStringLiteral(" %1=%2").arg(choice.key, value);
  }
  return text;
}

void LessonRun::ask(const QString& id, bool first, std::function<void()> then) {
  const QString asked = questionOf(*lesson_.experiment(id), first);
  experiments_[index(id)].running = true;
  ask_(asked, this, [this, id, first, asked, then = std::move(then)](const ExperimentResult& got) {
    const LessonExperiment& experiment = *lesson_.experiment(id);
    Experiment& at = experiments_[index(id)];
    at.running = false;
    at.problem = got ? editor::Error() : got.error();
    if (got && first) at.first = *got;
    // A choice that was made meanwhile has an answer of its own on its way.
    if (asked == questionOf(experiment, false)) at.now = got ? std::optional(*got) : std::nullopt;
    then();
  });
}

void LessonRun::run(const QString& id) {
  const auto tell = [this, id] { Q_EMIT experimentChanged(id); };
  if (experiments_[index(id)].first) {
    ask(id, false, tell);
  } else {
    ask(id, true, [this, id, tell] {
      if (experiments_[index(id)].first && !experiments_[index(id)].now)
        ask(id, false, tell);
      else
        tell();
    });
  }
  tell();
}

void LessonRun::runAll(QObject* context, std::function<void()> then) {
  const auto left = std::make_shared<int>(1);
  const QPointer<QObject> alive = context;
  const auto done = [left, alive, then = std::move(then)] {
    if (--*left == 0 && alive) then();
  };
  for (auto it = indexes_.cbegin(); it != indexes_.cend(); ++it) {
    if (experiments_[it.value()].first) continue;
    ++*left;
    ask(it.key(), true, [this, id = it.key(), done] {
      Q_EMIT experimentChanged(id);
      done();
    });
  }
  done();
}

std::optional<double> LessonRun::figure(const QString& experiment, const QString& name) const {
  const auto found = indexes_.constFind(experiment);
  if (found == indexes_.constEnd() || !experiments_[*found].first) return std::nullopt;
  const ExperimentFigure* figure = experiments_[*found].first->find(name);
  return figure ? std::optional(figure->value) : std::nullopt;
}

QString LessonRun::filled(const QString& markdown) const {
  static const QRegularExpression place(
      QStringLiteral("\\{([A-Za-z_][A-Za-z0-9_]*\\.[a-z0-9_]+)\\}"));
  QString made;
  qsizetype at = 0;
  auto matches = place.globalMatch(markdown);
  while (matches.hasNext()) {
    const auto match = matches.next();
    made += markdown.mid(at, match.capturedStart() - at);
    const QString name = match.captured(1);
    const auto value = figure(name.section(u'.', 0, 0), name.section(u'.', 1));
    made += value ? QStringLiteral("**%1**").arg(figureText(*value)) : QStringLiteral("**…**");
    at = match.capturedEnd();
  }
  return made + markdown.mid(at);
}

void LessonRun::answerNumber(const QString& id, double value) {
  const LessonQuestion* asked = question(id);
  if (asked) decide(*asked, [this, asked, value] { return judgeNumber(*asked, value); });
}

void LessonRun::answerOption(const QString& id, int option) {
  const LessonQuestion* asked = question(id);
  if (asked) decide(*asked, [this, asked, option] { return judgeOption(*asked, option); });
}

void LessonRun::decide(const LessonQuestion& question, std::function<Said()> judge) {
  said_[question.id] = {Verdict::kPending, tr("The experiment is being run…")};
  Q_EMIT questionChanged(question.id);
  const auto left = std::make_shared<int>(1);
  const auto done = [this, left, &question, judge = std::move(judge)] {
    if (--*left == 0) settle(question, judge());
  };
  for (const QString& id : question.experiments()) {
    if (experiments_[index(id)].first) continue;
    ++*left;
    ask(id, true, [this, id, done] {
      Q_EMIT experimentChanged(id);
      done();
    });
  }
  done();
}

void LessonRun::settle(const LessonQuestion& question, const Said& said) {
  said_[question.id] = said;
  if (said.verdict == Verdict::kRight) right_.insert(question.id);
  Q_EMIT questionChanged(question.id);
}

LessonRun::Said LessonRun::judgeNumber(const LessonQuestion& question, double value) const {
  const auto truth = question.answer->value(
      [this](const QString& experiment, const QString& name) { return figure(experiment, name); });
  if (!truth)
    return {Verdict::kFailed, tr("The experiment has not told it, so nothing is judged.")};
  const double off = *truth == 0 ? std::abs(value) * 100 : 100 * std::abs(value / *truth - 1);
  const QString found =
      figureText(*truth) + (question.unit.isEmpty() ? QString() : u' ' + question.unit);
  const bool right = off <= question.withinPercent + 1e-9;
  if (right) return {Verdict::kRight, tr("Right: the experiment gives %1.").arg(found)};
  QString text =
      tr("Not quite: you said %1, the experiment gives %2.").arg(figureText(value), found);
  if (!question.hint.isEmpty()) text += u' ' + question.hint;
  return {Verdict::kWrong, text};
}

std::optional<int> LessonRun::rightOption(const LessonQuestion& question) const {
  std::optional<int> best;
  double bestValue = 0;
  for (int i = 0; i < question.options.size(); ++i) {
    const auto value =
        question.options[i].value.value([this](const QString& experiment, const QString& name) {
          return figure(experiment, name);
        });
    if (!value) return std::nullopt;
    const bool isLess = *value < bestValue;
    if (!best || isLess == (question.kind == LessonQuestion::Kind::kLeast)) {
      best = i;
      bestValue = *value;
    }
  }
  return best;
}

LessonRun::Said LessonRun::judgeOption(const LessonQuestion& question, int option) const {
  const auto right = rightOption(question);
  if (!right)
    return {Verdict::kFailed, tr("The experiment has not told it, so nothing is judged.")};
  QStringList values;
  for (const LessonOption& each : question.options) {
    const auto value = each.value.value([this](const QString& experiment, const QString& name) {
      return figure(experiment, name);
    });
    values.append(tr("%1: %2").arg(each.label, figureText(value.value_or(0))));
  }
  const QString all = values.join(QStringLiteral("; "));
  if (*right == option) return {Verdict::kRight, tr("Right. The experiments give %1.").arg(all)};
  QString text = tr("Not this one. The experiments give %1.").arg(all);
  if (!question.hint.isEmpty()) text += u' ' + question.hint;
  return {Verdict::kWrong, text};
}

QString LessonRun::truth(const LessonQuestion& question) const {
  if (question.kind == LessonQuestion::Kind::kNumber) {
    const auto value =
        question.answer->value([this](const QString& experiment, const QString& name) {
          return figure(experiment, name);
        });
    if (!value) return {};
    return figureText(*value) + (question.unit.isEmpty() ? QString() : u' ' + question.unit);
  }
  const auto right = rightOption(question);
  return right ? question.options[*right].label : QString();
}

bool LessonRun::isDone() const {
  for (const QString& id : lesson_.questions())
    if (!right_.contains(id)) return false;
  return true;
}

void LessonRun::setRight(const QSet<QString>& questions) {
  for (const QString& id : lesson_.questions())
    if (questions.contains(id)) right_.insert(id);
}

}  // namespace waferpair::gui
