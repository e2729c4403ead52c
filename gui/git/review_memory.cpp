// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/review_memory.h"

#include <QJsonArray>

#include "gui/store/json_file.h"

namespace waferpair::gui {
namespace {

constexpr int kMostReviewed = 100;

QString reviewedKey() { return QStringLiteral("repositories"); }

QJsonObject reviewedIn(const QString& file, const QString& folder) {
  for (const QJsonValue each : readJson(file).object.value(reviewedKey()).toArray())
    if (each[u"folder"].toString() == folder) return each.toObject();
  return {{QStringLiteral("folder"), folder}};
}

// The latest first.
QJsonArray withFirst(const QJsonObject& first, const QString& key, const QJsonArray& others) {
  QJsonArray all{first};
  for (const QJsonValue each : others)
    if (each[key] != first[key] && all.size() < kMostReviewed) all.append(each);
  return all;
}

QString keepReviewed(const QString& file, const QJsonObject& repository) {
  const QJsonArray before = readJson(file).object.value(reviewedKey()).toArray();
  return writeJson(file,
                   {{reviewedKey(), withFirst(repository, QStringLiteral("folder"), before)}});
}

}  // namespace

QString ReviewMemory::baseOf(const QString& folder, const QString& branch) const {
  for (const QJsonValue each : reviewedIn(file_, folder)[u"branches"].toArray())
    if (each[u"branch"].toString() == branch) return each[u"base"].toString();
  return {};
}

QString ReviewMemory::rangeOf(const QString& folder) const {
  return reviewedIn(file_, folder)[u"range"].toString();
}

QString ReviewMemory::keepBase(const QString& folder, const QString& branch,
                               const QString& base) const {
  QJsonObject repository = reviewedIn(file_, folder);
  const QJsonObject row{{QStringLiteral("branch"), branch}, {QStringLiteral("base"), base}};
  const QString key = QStringLiteral("branches");
  repository[key] = withFirst(row, QStringLiteral("branch"), repository[key].toArray());
  return keepReviewed(file_, repository);
}

QString ReviewMemory::keepRange(const QString& folder, const QString& range) const {
  QJsonObject repository = reviewedIn(file_, folder);
  repository[QStringLiteral("range")] = range;
  return keepReviewed(file_, repository);
}

}  // namespace waferpair::gui
