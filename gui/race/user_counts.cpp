// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/race/user_counts.h"

#include <QLocale>
#include <QStringList>
#include <cmath>

#include "gui/translate.h"
#include "wafer_view/metric.h"

namespace waferpair::gui {
namespace {

// Returns what is said of two lanes; nothing if they have no number of users in common.
QString comparison(const UsersLine& a, const UsersLine& b) {
  const UsersLine* ahead = nullptr;
  QString text;
  for (std::size_t i = 0; i < kUserCounts.size(); ++i) {
    const double left = a.tokensPerSecond[i], right = b.tokensPerSecond[i];
    if (left <= 0 || right <= 0) continue;
    const UsersLine* better = left > right ? &a : right > left ? &b : ahead;
    if (better == ahead) continue;
    const UsersLine* other = better == &a ? &b : &a;
    text += ahead == nullptr
                ? tr("Lane %1 gives more than lane %2").arg(better->lane).arg(other->lane)
                : tr(", from %1 users on lane %2 does")
                      .arg(view::countText(kUserCounts[i]))
                      .arg(better->lane);
    ahead = better;
  }
  return text.isEmpty() ? text : text + QStringLiteral(".");
}

}  // namespace

QString usersRateText(double tokensPerSecond) {
  if (tokensPerSecond <= 0) return {};
  const double step = std::pow(10.0, std::floor(std::log10(tokensPerSecond)) - 2);
  const double rounded = std::round(tokensPerSecond / step) * step;
  return QLocale(QLocale::English, QLocale::UnitedStates)
      .toString(rounded, 'f', rounded < 100 ? 1 : 0);
}

QString crossoverText(const QVector<UsersLine>& lines) {
  QStringList parts;
  for (qsizetype i = 0; i < lines.size(); ++i) {
    for (qsizetype j = i + 1; j < lines.size(); ++j) {
      if (const QString text = comparison(lines[i], lines[j]); !text.isEmpty()) parts.append(text);
    }
  }
  return parts.join(u' ');
}

}  // namespace waferpair::gui
