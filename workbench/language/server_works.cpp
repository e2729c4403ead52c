// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/server_works.h"

#include <QRegularExpression>
#include <algorithm>

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostOfWork = 200;  // UTF-16 units
constexpr int kWholeWork = 100;         // percent

// Numbers and texts are told apart.
QString keyOf(const QJsonValue& token) {
  return token.isString() ? u'"' + token.toString() : QString::number(token.toInteger());
}

}  // namespace

void ServerWorks::take(const QJsonObject& params) {
  const QJsonValue token = params[u"token"];
  const QJsonValue value = params[u"value"];
  const QString kind = value[u"kind"].toString();
  const QString key = keyOf(token);
  order_.removeAll(key);
  if (kind == QLatin1String("end")) {
    if (works_.remove(key) && done_.size() < kMostWorks) done_.insert(key);
    return;
  }
  if (!works_.contains(key) && works_.size() >= kMostWorks) return;
  Work& work = works_[key];
  work.token = token;
  // Only the beginning has a title; what is not told stays as it was.
  work.title = value[u"title"].toString(work.title).simplified().left(kMostOfWork);
  work.message = value[u"message"].toString(work.message).simplified().left(kMostOfWork);
  if (value[u"percentage"].isDouble())
    work.percentage = std::clamp(value[u"percentage"].toInt(), 0, kWholeWork);
  work.isCancellable = value[u"cancellable"].toBool(work.isCancellable);
  order_.append(key);
}

bool ServerWorks::isUnderWay(const QString& token) const { return works_.contains(keyOf(token)); }

bool ServerWorks::wasDone(const QString& token) const {
  return !isUnderWay(token) && done_.contains(keyOf(token));
}

bool ServerWorks::isReading() const {
  static const QRegularExpression kReading(
      QStringLiteral("\\b(index|indexing|load|loading|initializing|roots? scan|setting up)"),
      QRegularExpression::CaseInsensitiveOption);
  return std::any_of(works_.cbegin(), works_.cend(),
                     [&](const Work& work) { return kReading.match(work.title).hasMatch(); });
}

QString ServerWorks::text() const {
  if (order_.isEmpty()) return {};
  const Work& work = *works_.constFind(order_.constLast());
  QString text = (work.title + u' ' + work.message).trimmed();
  if (work.percentage) text += QStringLiteral(" %1 %").arg(*work.percentage);
  return text.trimmed();
}

std::optional<QJsonValue> ServerWorks::cancellable() const {
  for (auto key = order_.crbegin(); key != order_.crend(); ++key)
    if (const Work& work = *works_.constFind(*key); work.isCancellable) return work.token;
  return std::nullopt;
}

}  // namespace waferpair::workbench
