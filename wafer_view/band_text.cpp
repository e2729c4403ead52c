// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/band_text.h"

#include <QLocale>

#include "wafer_view/translate.h"

namespace waferpair::view {

QString bandText(const protocol::FigureBand& band) {
  const QLocale locale;
  if (band.measured) {
    const int digits = band.worstPercent < 1 ? 2 : band.worstPercent < 10 ? 1 : 0;
    const QString figures =
        band.denseRows == band.rows
            ? tr("%L1 published figures of dense models").arg(band.rows)
            : tr("%L1 published figures, %L2 of dense models").arg(band.rows).arg(band.denseRows);
    return (band.ofPrefill ? tr("within %1 % of %2")
                           : tr("decode within %1 % of %2, prefill extrapolated"))
        .arg(locale.toString(band.worstPercent, 'f', digits), figures);
  }
  if (band.timesPublished <= 0) return tr("extrapolated: there are no public figures");
  const bool fast = band.timesPublished >= 1;
  const double times = fast ? band.timesPublished : 1 / band.timesPublished;
  return (fast ? tr("extrapolated: public figures are up to %1 times slower")
               : tr("extrapolated: public figures are up to %1 times faster"))
      .arg(locale.toString(times, 'g', 2));
}

}  // namespace waferpair::view
