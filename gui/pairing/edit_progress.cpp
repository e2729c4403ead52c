// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/edit_progress.h"

#include <QStringList>
#include <algorithm>

#include "gui/translate.h"
#include "pairing/request/reply_wait.h"

namespace waferpair::gui {

using pairing::EditRun;

namespace {

constexpr qsizetype kMostListed = 3;  // changes without a place

QString countOf(const EditRun& run) {
  return run.placedCount() == 1 ? tr("1 change") : tr("%1 changes").arg(run.placedCount());
}

QString figuresOf(const EditRun& run) {
  QStringList parts;
  if (run.timings().firstTokenMs)
    parts += tr("first token %1 ms").arg(*run.timings().firstTokenMs, 0, 'f', 0);
  if (const auto rate = run.tokensPerSecond()) parts += tr("%1 tokens/s").arg(*rate, 0, 'f', 0);
  return parts.isEmpty() ? QString() : tr(" (%1, host)").arg(parts.join(tr(", ")));
}

QString wayOf(const EditRun& run, const QString& model) {
  const pairing::ModelReply& reply = run.reply();
  if (reply.text().isEmpty()) {
    const QString doing = run.attempts() > 1 ? tr("Asking %1 once more") : tr("Asking %1");
    return pairing::waitText(reply, doing.arg(model));
  }
  return tr("%1 so far, %2 written in %3%4")
      .arg(countOf(run), pairing::writtenText(reply), pairing::ageText(reply), figuresOf(run));
}

}  // namespace

QString broughtBy(const EditRun& run) { return countOf(run) + figuresOf(run); }

QString progressOf(const EditRun& run, const QString& model, qint64 lines) {
  const QString some = lines == 1 ? tr("1 line") : tr("%1 lines").arg(lines);
  switch (run.state()) {
    case EditRun::State::kAsking:
    case EditRun::State::kReading:
      if (lines == 0) return tr("%1. Esc stops.").arg(wayOf(run, model));
      if (run.placedCount() == 0) return tr("%1 so far%2. Esc stops.").arg(some, figuresOf(run));
      return tr("%1 and %2 of the next so far%3. Esc stops.")
          .arg(countOf(run), some, figuresOf(run));
    case EditRun::State::kStopped:
      if (lines == 0) return tr("Stopped: %1 came%2.").arg(countOf(run), figuresOf(run));
      return tr("Stopped: %1 came, and %2 so far of one that is not whole, which can be copied%3.")
          .arg(countOf(run), some, figuresOf(run));
    case EditRun::State::kDone:
    case EditRun::State::kFailed:
      break;
  }
  if (lines == 0) return broughtBy(run) + u'.';
  return tr("%1, and %2 of one that is not whole, which can be copied.").arg(broughtBy(run), some);
}

QString unplacedIn(const EditRun& run) {
  QString text;
  const auto& unplaced = run.unplaced();
  for (const EditRun::Unplaced& change : unplaced.first(std::min(kMostListed, unplaced.size())))
    text += u'\n' + tr("No place: %1").arg(change.why.message());
  if (unplaced.size() > kMostListed)
    text += u'\n' + tr("and %1 more without a place").arg(unplaced.size() - kMostListed);
  return text;
}

}  // namespace waferpair::gui
