// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/race/race_export.h"

#include <QStringList>

namespace waferpair::gui {
namespace {

QString csvCell(QString text) {
  // A program that computes tables would take such a text for a formula.
  if (!text.isEmpty() && QStringLiteral("=+-@").contains(text[0]) && text[0].isPrint()) {
    bool isNumber = false;
    text.toDouble(&isNumber);
    if (!isNumber) text.prepend(u'\'');
  }
  if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n')) return text;
  return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString csvNumber(std::optional<double> value) {
  return value ? QString::number(*value, 'g', 9) : QString();
}

QString csvRow(const QStringList& cells) {
  QStringList row;
  for (const QString& cell : cells) row.append(csvCell(cell));
  return row.join(u',') + QStringLiteral("\r\n");
}

// Returns the cells of what a lane was asked, from its number to the acceptance.
QStringList askedCells(int number, const RaceLane& lane, const RaceSettings& s) {
  const bool asked = lane.nature == u"emulated" || lane.nature == u"modelled";
  return {QString::number(number),
          lane.nature,
          lane.title,
          asked ? s.model : QString(),
          asked && s.bits > 0 ? QString::number(s.bits) : QString(),
          asked ? QString::number(s.prompt) : QString(),
          QString::number(s.output),
          asked ? QString::number(s.requests) : QString(),
          asked && s.draft >= 0 ? QString::number(s.draft) : QString(),
          asked && s.draft > 0 ? QString::number(s.acceptance) : QString()};
}

}  // namespace

QByteArray raceCsv(const QVector<RaceLane>& lanes, const RaceSettings& s,
                   const QVector<UsersLine>& users) {
  QString csv = QStringLiteral(
      "lane,nature,what,model,bits,prompt_tokens,output_tokens,requests,draft,acceptance_percent,"
      "first_token_s,tokens_per_s,all_requests_tokens_per_s,joules_per_token,"
      "worst_error_percent,trust,time_of_a_token,sources\r\n");
  int number = 0;
  for (const RaceLane& lane : lanes) {
    ++number;
    if (lane.contender.isEmpty() || lane.tokensPerSecond <= 0) continue;
    QStringList shares;
    for (const ExperimentShare& share : lane.shares)
      shares.append(QStringLiteral("%1 %2 s").arg(share.name, csvNumber(share.seconds)));
    csv += csvRow(
        askedCells(number, lane, s) +
        QStringList{csvNumber(lane.firstTokenSeconds), csvNumber(lane.tokensPerSecond),
                    csvNumber(lane.allTokensPerSecond), csvNumber(lane.joulesPerToken),
                    lane.nature == u"measured" ? QString() : csvNumber(lane.worstErrorPercent),
                    laneTrust(lane), shares.join(QStringLiteral("; ")),
                    lane.sources.join(QStringLiteral("; "))});
  }
  for (const UsersLine& line : users) {
    const RaceLane& lane = lanes[line.lane - 1];
    for (std::size_t i = 0; i < kUserCounts.size(); ++i) {
      const double all = line.tokensPerSecond[i];
      if (all <= 0) continue;
      RaceSettings of = s;
      of.requests = kUserCounts[i];
      csv += csvRow(askedCells(line.lane, lane, of) +
                    QStringList{QString(), csvNumber(all / of.requests), csvNumber(all), QString(),
                                csvNumber(lane.worstErrorPercent), laneTrust(lane), QString(),
                                lane.sources.join(QStringLiteral("; "))});
    }
  }
  return csv.toUtf8();
}

}  // namespace waferpair::gui
