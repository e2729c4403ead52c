// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/tour_report.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>

#include "editor/text/save_file.h"
#include "gui/automation/state.h"
#include "gui/model/runtime_texts.h"

namespace waferpair::gui {
namespace {

QString oneDecimal(double value) { return QString::number(value, 'f', 1); }

class ReportTable {
 public:
  void row(const QString& figure, const QString& value, const QString& clock) {
    if (value.isEmpty()) return;
    text_ += QStringLiteral("| %1 | %2 | %3 |\n").arg(figure, value, clock);
  }
  QString text() const {
    return QStringLiteral("| figure | value | clock |\n|---|---|---|\n") + text_;
  }

 private:
  QString text_;
};

}  // namespace

double quantile(QVector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double last = static_cast<double>(values.size() - 1);
  return values[static_cast<qsizetype>(std::lround(share * last))];
}

QString tourTable(const TourFigures& figures) {
  const QString host = QStringLiteral("host");
  const QString wafer = QStringLiteral("wafer, emulated: ") + texts::wafer(figures.runtime);
  ReportTable table;
  if (figures.windowUpMs)
    table.row(QStringLiteral("window up"), QString::number(*figures.windowUpMs, 'f', 0) + " ms",
              host);
  if (!figures.keyToPaintedMs.isEmpty())
    table.row(
        QStringLiteral("key to painted, p50 / p99 of %1 keys").arg(figures.keyToPaintedMs.size()),
        QStringLiteral("%1 / %2 ms")
            .arg(quantile(figures.keyToPaintedMs, 0.5), 0, 'f', 2)
            .arg(quantile(figures.keyToPaintedMs, 0.99), 0, 'f', 2),
        host);
  if (figures.firstGhostMs)
    table.row(QStringLiteral("key to first ghost text"), oneDecimal(*figures.firstGhostMs) + " ms",
              host);
  table.row(QStringLiteral("first token"), texts::hostFirstToken(figures.runtime), host);
  table.row(QStringLiteral("decode"), texts::hostRate(figures.runtime), host);
  table.row(QStringLiteral("first token"), texts::waferFirstToken(figures.runtime), wafer);
  table.row(QStringLiteral("decode"), texts::waferRate(figures.runtime), wafer);
  if (figures.waferViewFps)
    table.row(QStringLiteral("wafer view, animated"),
              oneDecimal(*figures.waferViewFps) + " frames/s", host);
  return table.text();
}

QJsonObject tourJson(const TourFigures& figures) {
  const RuntimeFigures& runtime = figures.runtime;
  const auto put = [](QJsonObject& object, const char* name, const std::optional<double>& value) {
    if (value) object[QLatin1String(name)] = *value;
  };
  const QJsonObject told = figuresJson(runtime);
  QJsonObject host = told.value(u"host").toObject();
  put(host, "window_up_ms", figures.windowUpMs);
  if (!figures.keyToPaintedMs.isEmpty())
    host[u"key_to_painted_ms"] =
        QJsonObject{{QStringLiteral("p50"), quantile(figures.keyToPaintedMs, 0.5)},
                    {QStringLiteral("p99"), quantile(figures.keyToPaintedMs, 0.99)},
                    {QStringLiteral("keys"), figures.keyToPaintedMs.size()}};
  put(host, "key_to_first_ghost_ms", figures.firstGhostMs);
  put(host, "wafer_view_frames_per_second", figures.waferViewFps);
  return {{QStringLiteral("model"), runtime.model},
          {QStringLiteral("host"), host},
          {QStringLiteral("wafer"), told.value(u"wafer")},
          {QStringLiteral("steps"), QJsonArray::fromStringList(figures.steps)},
          {QStringLiteral("screenshots"), QJsonArray::fromStringList(figures.screenshots)}};
}

bool writeTourReport(const QString& directory, const TourFigures& figures) {
  const QDir folder(directory);
  const QString heading =
      QStringLiteral("# Figures of one tour\n\nModel: %1\n\n").arg(figures.runtime.model);
  return editor::saveFile(folder.filePath(QStringLiteral("figures.md")),
                          (heading + tourTable(figures)).toUtf8()) &&
         editor::saveFile(folder.filePath(QStringLiteral("figures.json")),
                          QJsonDocument(tourJson(figures)).toJson());
}

}  // namespace waferpair::gui
