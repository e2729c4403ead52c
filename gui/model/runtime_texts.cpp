// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/runtime_texts.h"

#include "gui/translate.h"
#include "wafer_view/band_text.h"
#include "wafer_view/metric.h"

namespace waferpair::gui::texts {
namespace {

QString rate(const std::optional<double>& perSecond) {
  return perSecond ? tr("%1 tokens/s").arg(view::rateText(*perSecond)) : QString();
}

QString milliseconds(const std::optional<double>& ms) {
  return ms ? view::secondsText(*ms / 1e3) : QString();
}

}  // namespace

QString hostRate(const RuntimeFigures& figures) { return rate(figures.hostTokensPerSecond); }
QString waferRate(const RuntimeFigures& figures) { return rate(figures.waferTokensPerSecond); }
QString waferRate(const RuntimeFigures& figures, const std::optional<ShadowFacts>& shadow) {
  const QString text = waferRate(figures);
  if (text.isEmpty()) return {};
  return text + u' ' + (shadow ? tr("shadow") : tr("wafer"));
}
QString hostFirstToken(const RuntimeFigures& figures) {
  return milliseconds(figures.firstTokenHostMs);
}
QString waferFirstToken(const RuntimeFigures& figures) {
  return milliseconds(figures.firstTokenWaferMs);
}

QString wafer(const RuntimeFigures& figures) {
  if (figures.profile.isEmpty() || figures.clockHz <= 0) return {};
  const QString wafer =
      tr("%1, kernel profile %2, %3")
          .arg(figures.machine, figures.profile, view::clockText(figures.clockHz));
  return figures.band ? tr("%1; %2").arg(wafer, view::bandText(*figures.band)) : wafer;
}

QString size(qint64 parameters, int wafers) {
  const bool billions = parameters >= 1'000'000'000;
  const QString number =
      QString::number(static_cast<double>(parameters) / (billions ? 1e9 : 1e6), 'f', 1);
  const QString size =
      (billions ? tr("%1 billion parameters") : tr("%1 million parameters")).arg(number);
  return QCoreApplication::translate("Window", "%1, on %n wafer(s)", nullptr, wafers).arg(size);
}

QString shadow(const ShadowFacts& shadow) {
  return tr("%1, %2").arg(shadow.model, size(shadow.parameters, shadow.wafers));
}

QString memory(const HostedModel& model) {
  const QString size = model.memoryBytes > 0 ? view::largeBytesText(model.memoryBytes) : QString();
  switch (model.state) {
    case ModelState::kLoading:
      return model.progress ? tr("being loaded: %1 % of %2")
                                  .arg(static_cast<int>(*model.progress * 100))
                                  .arg(size.isEmpty() ? tr("it") : size)
                            : tr("being loaded");
    case ModelState::kReady:
      return size.isEmpty() ? tr("in memory") : tr("in memory, %1").arg(size);
    case ModelState::kIdle:
      return tr("not in memory; what it is asked next loads it");
    case ModelState::kFailed:
      break;
  }
  return model.problem.message();
}

QString computing(const HostedModel& model) {
  if (model.threads == 0 || model.kernels.isEmpty()) return {};
  return QCoreApplication::translate("Window", "%n thread(s), %1", nullptr, model.threads)
      .arg(model.kernels);
}

QString context(const RuntimeFigures& figures) {
  if (!figures.contextUsed || !figures.contextLimit) return {};
  return tr("%1 of %2 tokens")
      .arg(view::countText(*figures.contextUsed), view::countText(*figures.contextLimit));
}

}  // namespace waferpair::gui::texts
