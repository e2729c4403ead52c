// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/race/race.h"

#include <QLocale>
#include <algorithm>

#include "gui/translate.h"

namespace waferpair::gui {
namespace {

QString rateText(double tokensPerSecond) {
  return QLocale(QLocale::English, QLocale::UnitedStates)
      .toString(tokensPerSecond, 'f', tokensPerSecond < 100 ? 1 : 0);
}

std::optional<double> valueOf(const ExperimentAnswer& answer, const char* name) {
  const ExperimentFigure* figure = answer.find(QLatin1String(name));
  return figure ? std::optional(figure->value) : std::nullopt;
}

}  // namespace

double RaceLane::tokensAt(double seconds, int output) const {
  const double first = firstTokenSeconds.value_or(0);
  if (tokensPerSecond <= 0 || seconds < first) return 0;
  const double begun = firstTokenSeconds ? 1 : 0;
  return std::min<double>(output, begun + (seconds - first) * tokensPerSecond);
}

double RaceLane::endSeconds(int output) const {
  if (tokensPerSecond <= 0) return 0;
  const double rest = firstTokenSeconds ? output - 1 : output;
  return firstTokenSeconds.value_or(0) + rest / tokensPerSecond;
}

QString raceQuestion(const QString& contender, const RaceSettings& s) {
  if (contender.startsWith(QLatin1String("pace "))) return contender;
  QString question = QStringLiteral("%1 model=%2 prompt=%3 output=%4 requests=%5")
                         .arg(contender, s.model)
                         .arg(s.prompt)
                         .arg(s.output)
                         .arg(s.requests);
  if (s.bits > 0) question += QStringLiteral(" bits=%1").arg(s.bits);
  if (s.draft >= 0) question += QStringLiteral(" draft=%1").arg(s.draft);
  if (s.draft > 0) question += QStringLiteral(" acceptance=%1").arg(s.acceptance / 100.0);
  return question;
}

RaceLane laneOf(const QString& contender, const ExperimentAnswer& answer,
                const RaceSettings& settings) {
  RaceLane lane;
  lane.contender = contender;
  lane.title = answer.title;
  lane.nature = answer.nature;
  lane.band = answer.band;
  lane.worstErrorPercent = answer.worstErrorPercent;
  lane.sources = answer.sources;
  lane.shares = answer.shares;
  const double alone = valueOf(answer, "tokens_per_second").value_or(0);
  lane.allTokensPerSecond = valueOf(answer, "batch_tokens_per_second").value_or(alone);
  lane.tokensPerSecond = lane.isPace() ? alone : lane.allTokensPerSecond / settings.requests;
  if (const auto first = valueOf(answer, "first_token_ms")) lane.firstTokenSeconds = *first / 1e3;
  lane.joulesPerToken = valueOf(answer, "batch_joules_per_token");
  if (!lane.joulesPerToken) lane.joulesPerToken = valueOf(answer, "joules_per_token");
  return lane;
}

RaceLane hostLane(const QString& model, const HostRunFigures& figures) {
  RaceLane lane;
  lane.contender = QLatin1String(kHostContender);
  lane.title = tr("This computer, %1").arg(model);
  lane.nature = QStringLiteral("measured");
  lane.band =
      tr("measured just now, of one request with a prompt of %1 tokens").arg(figures.promptTokens);
  lane.worstErrorPercent = 0;
  lane.firstTokenSeconds = figures.firstTokenSeconds;
  lane.tokensPerSecond = lane.allTokensPerSecond = figures.tokensPerSecond;
  lane.sources = {tr("measured on this computer")};
  return lane;
}

QString secondsText(double seconds) {
  if (seconds >= 1) return tr("%1 s").arg(seconds, 0, 'g', 3);
  if (seconds >= 1e-3) return tr("%1 ms").arg(1e3 * seconds, 0, 'g', 3);
  return tr("%1 µs").arg(1e6 * seconds, 0, 'g', 3);
}

QString laneTrust(const RaceLane& lane) {
  if (lane.nature == QLatin1String("measured")) return lane.band;
  if (lane.isPace()) return tr("a published rate, and no more is known");
  const QString worst =
      lane.worstErrorPercent
          ? tr("worst error of its model %1 %").arg(*lane.worstErrorPercent, 0, 'f', 0)
          : tr("unchecked");
  return lane.band.isEmpty() ? worst : tr("%1 (%2)").arg(worst, lane.band);
}

QString laneFigures(const RaceLane& lane, const RaceSettings& settings) {
  if (lane.contender.isEmpty()) return {};
  if (!lane.problem.isEmpty()) return lane.problem;
  if (lane.tokensPerSecond <= 0) return tr("…");
  QStringList parts;
  parts.append(lane.firstTokenSeconds
                   ? tr("first token %1").arg(secondsText(*lane.firstTokenSeconds))
                   : tr("first token not published"));
  parts.append(tr("%1 tokens/s").arg(rateText(lane.tokensPerSecond)));
  if (settings.requests > 1 && !lane.isPace() && lane.nature != QLatin1String("measured"))
    parts.append(tr("all %1 requests %2 tokens/s")
                     .arg(settings.requests)
                     .arg(rateText(lane.allTokensPerSecond)));
  parts.append(lane.joulesPerToken ? tr("%1 J a token").arg(*lane.joulesPerToken, 0, 'g', 3)
                                   : tr("energy not known"));
  return parts.join(QStringLiteral("  ·  "));
}

}  // namespace waferpair::gui
