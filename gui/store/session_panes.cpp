// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/session_panes.h"

#include <QJsonArray>
#include <algorithm>

namespace waferpair::gui {
namespace {

constexpr int kDeepestSplit = 16;
constexpr qsizetype kMostParts = 64;
constexpr qsizetype kMostTabs = 500;
constexpr qsizetype kMostFolds = 5000;

int number(const QJsonValue& value) { return std::max(0, value.toInt(0)); }

SessionPane readPart(const QJsonObject& object, int files, int depth) {
  SessionPane pane;
  const QJsonArray parts = object[QLatin1String("parts")].toArray();
  const QJsonArray sizes = object[QLatin1String("sizes")].toArray();
  if (object[QLatin1String("split")].toString() == QLatin1String("down"))
    pane.orientation = Qt::Vertical;
  for (qsizetype i = 0; i < parts.size() && i < kMostParts && depth < kDeepestSplit; ++i) {
    const SessionPane part = readPart(parts[i].toObject(), files, depth + 1);
    if (!part.isSplit() && part.tabs.isEmpty()) continue;
    pane.parts.append(part);
    pane.sizes.append(number(sizes.at(i)));
  }
  if (pane.parts.size() == 1) return SessionPane(pane.parts.first());
  if (pane.isSplit()) return pane;
  const int front = object[QLatin1String("front")].toInt(-1);
  const QJsonArray tabs = object[QLatin1String("tabs")].toArray();
  for (qsizetype i = 0; i < tabs.size() && pane.tabs.size() < kMostTabs; ++i) {
    const QJsonObject tab = tabs[i].toObject();
    const int file = tab[QLatin1String("file")].toInt(-1);
    if (file < 0 || file >= files) continue;
    QList<int> folded;
    const QJsonArray lines = tab[QLatin1String("folded")].toArray();
    for (const QJsonValueConstRef line : lines)
      if (line.toInt(-1) >= 0 && folded.size() < kMostFolds) folded += line.toInt();
    if (i == front) pane.front = static_cast<int>(pane.tabs.size());
    pane.tabs.append({file, number(tab[QLatin1String("line")]),
                      number(tab[QLatin1String("column")]), number(tab[QLatin1String("firstLine")]),
                      folded});
  }
  pane.active = object[QLatin1String("active")].toBool();
  return pane;
}

}  // namespace

QJsonObject paneJson(const SessionPane& pane) {
  if (pane.isSplit()) {
    QJsonArray parts;
    for (const SessionPane& part : pane.parts) parts.append(paneJson(part));
    QJsonArray sizes;
    for (const int size : pane.sizes) sizes.append(size);
    return {{QStringLiteral("split"),
             pane.orientation == Qt::Vertical ? QStringLiteral("down") : QStringLiteral("right")},
            {QStringLiteral("sizes"), sizes},
            {QStringLiteral("parts"), parts}};
  }
  QJsonArray tabs;
  for (const SessionTab& tab : pane.tabs) {
    QJsonArray folded;
    for (const int line : tab.folded.mid(0, kMostFolds)) folded.append(line);
    tabs.append(QJsonObject{{QStringLiteral("file"), tab.file},
                            {QStringLiteral("line"), tab.line},
                            {QStringLiteral("column"), tab.column},
                            {QStringLiteral("firstLine"), tab.firstLine},
                            {QStringLiteral("folded"), folded}});
  }
  return {{QStringLiteral("tabs"), tabs},
          {QStringLiteral("front"), pane.front},
          {QStringLiteral("active"), pane.active}};
}

SessionPane readPane(const QJsonObject& object, int files) { return readPart(object, files, 0); }

}  // namespace waferpair::gui
