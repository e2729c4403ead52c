// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/edit_progress.h"

#include <QStringList>
#include <algorithm>

#include "gui/translate.h"

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

}  // namespace

QString broughtBy(const EditRun& run) { return countOf(run) + figuresOf(run); }

QString progressOf(const EditRun& run, const QString& model) {
  switch (run.state()) {
    case EditRun::State::kAsking:
      return (run.attempts() > 1 ? tr("Asking %1 once more… Esc stops.")
                                 : tr("Asking %1… Esc stops."))
          .arg(model);
    case EditRun::State::kReading:
      return tr("%1 so far%2. Esc stops.").arg(countOf(run), figuresOf(run));
    case EditRun::State::kStopped:
      return tr("Stopped: %1 came%2.").arg(countOf(run), figuresOf(run));
    case EditRun::State::kDone:
    case EditRun::State::kFailed:
      break;
  }
  return broughtBy(run) + u'.';
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
