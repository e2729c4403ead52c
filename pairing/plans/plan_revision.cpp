// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/plans/plan_revision.h"

#include <QSet>
#include <algorithm>

namespace waferpair::pairing {
namespace {

constexpr double kSameStep = 0.5;  // of the words of both

QSet<QString> wordSetOf(const QString& text) {
  QSet<QString> words;
  QString word;
  for (const QChar sign : text + u' ') {
    if (sign.isLetterOrNumber() || sign == u'_') {
      word += sign.toLower();
    } else if (!word.isEmpty()) {
      words.insert(word);
      word.clear();
    }
  }
  return words;
}

double likeness(const QString& a, const QString& b) {
  const QSet<QString> inA = wordSetOf(a), inB = wordSetOf(b);
  const qsizetype both = (inA & inB).size();
  const qsizetype all = inA.size() + inB.size() - both;
  return all == 0 ? 0 : static_cast<double>(both) / static_cast<double>(all);
}

const PlanStep* stepIn(const QVector<PlanStep>& steps, const QString& id) {
  const qsizetype at = indexOfStep(steps, id);
  return at < 0 ? nullptr : &steps[at];
}

// Returns the ids that are not part of the longest run that both orders have in common.
QSet<QString> movedIds(const QStringList& before, const QStringList& after) {
  QVector<qsizetype> places;
  for (const QString& id : after) places.append(before.indexOf(id));
  QVector<qsizetype> length(places.size(), 1), previous(places.size(), -1);
  qsizetype last = -1;
  for (qsizetype i = 0; i < places.size(); ++i) {
    for (qsizetype j = 0; j < i; ++j) {
      if (places[j] >= places[i] || length[j] + 1 <= length[i]) continue;
      length[i] = length[j] + 1;
      previous[i] = j;
    }
    if (last < 0 || length[i] > length[last]) last = i;
  }
  QSet<QString> moved(after.begin(), after.end());
  for (; last >= 0; last = previous[last]) moved.remove(after[last]);
  return moved;
}

}  // namespace

void putBack(const QVector<PlanStep>& kept, QVector<PlanStep>* steps) {
  qsizetype behind = 0;
  for (const PlanStep& step : kept) {
    if (const qsizetype at = indexOfStep(*steps, step.id); at >= 0) {
      behind = at + 1;
    } else {
      steps->insert(behind++, step);
    }
  }
}

QVector<PlanStep> revised(const QVector<PlanStep>& steps, const QVector<TaskItem>& items) {
  QVector<qsizetype> stepOf(items.size(), -1);
  QVector<bool> taken(steps.size(), false);
  const auto match = [&](qsizetype item, qsizetype step) {
    stepOf[item] = step;
    taken[step] = true;
  };
  for (qsizetype i = 0; i < items.size(); ++i)
    for (qsizetype s = 0; s < steps.size() && stepOf[i] < 0; ++s)
      if (!taken[s] && steps[s].text.simplified() == items[i].text) match(i, s);
  for (qsizetype i = 0; i < items.size(); ++i) {
    qsizetype best = -1;
    double most = kSameStep;
    for (qsizetype s = 0; s < steps.size() && stepOf[i] < 0; ++s) {
      const double like = taken[s] ? 0 : likeness(steps[s].text, items[i].text);
      if (like >= most && (best < 0 || like > most)) {
        best = s;
        most = like;
      }
    }
    if (best >= 0) match(i, best);
  }

  QVector<PlanStep> open;  // in the list's order
  for (qsizetype i = 0; i < items.size(); ++i) {
    const TaskItem& item = items[i];
    PlanStep step = stepOf[i] < 0 ? PlanStep::make(item.text) : steps[stepOf[i]];
    if (!step.isOpen()) continue;
    if (stepOf[i] < 0 && item.isDone) continue;  // a step that nobody ever had to do
    step.text = item.text;
    step.state = item.isStruck ? StepState::kStruck : StepState::kToDo;
    open.append(step);
  }
  // Steps that were begun keep their places among the others, as near as may be.
  QVector<PlanStep> result;
  qsizetype next = 0;
  for (qsizetype s = 0; s < steps.size(); ++s) {
    if (!steps[s].isOpen()) {
      result.append(steps[s]);
    } else if (taken[s] && next < open.size()) {
      result.append(open[next++]);
    }
  }
  while (next < open.size()) result.append(open[next++]);
  QVector<PlanStep> missing = steps;
  for (qsizetype s = 0; s < steps.size(); ++s)
    if (!taken[s] && steps[s].isOpen()) missing[s].state = StepState::kStruck;
  putBack(missing, &result);
  return result;
}

QHash<QString, StepMarks> marksOf(const PlanRevision& revision) {
  QHash<QString, StepMarks> marks;
  QStringList before, after;
  for (const PlanStep& step : revision.after) {
    const PlanStep* old = stepIn(revision.before, step.id);
    if (!old) {
      marks[step.id] |= StepMark::kAdded;
      continue;
    }
    if (old->text != step.text) marks[step.id] |= StepMark::kReworded;
    const bool isStruck = old->state != StepState::kStruck && step.state == StepState::kStruck;
    if (isStruck) marks[step.id] |= StepMark::kStruck;
    if (!isStruck) after.append(step.id);  // where it went is nobody's business
  }
  for (const PlanStep& step : revision.before)
    if (after.contains(step.id)) before.append(step.id);
  for (const QString& id : movedIds(before, after)) marks[id] |= StepMark::kMoved;
  return marks;
}

QVector<PlanStep> withoutRevision(const QVector<PlanStep>& steps, const PlanRevision& revision) {
  QVector<PlanStep> result;
  for (const PlanStep& old : revision.before) {
    const PlanStep* now = stepIn(steps, old.id);
    const PlanStep* then = stepIn(revision.after, old.id);
    if (!now) continue;
    PlanStep step = *now;
    if (then && now->text == then->text) step.text = old.text;
    if (then && now->isOpen() && now->state == then->state) step.state = old.state;
    result.append(step);
  }
  QVector<PlanStep> others;  // all but those that the revision added and nobody has touched since
  for (const PlanStep& step : steps) {
    const PlanStep* then = stepIn(revision.after, step.id);
    const bool isAdded = then && !stepIn(revision.before, step.id);
    if (!isAdded || step != *then) others.append(step);
  }
  putBack(others, &result);
  return result;
}

}  // namespace waferpair::pairing
