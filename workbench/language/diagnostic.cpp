// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/diagnostic.h"

#include <QJsonArray>
#include <algorithm>

#include "editor/text/translate.h"

namespace waferpair::workbench {
namespace {

constexpr int kUnnecessaryTag = 1;

QString sourceOf(const QJsonValue& diagnostic) {
  QStringList parts;
  if (const QString source = diagnostic[u"source"].toString(); !source.isEmpty())
    parts.append(source);
  const QJsonValue code = diagnostic[u"code"];
  if (code.isString() && !code.toString().isEmpty()) parts.append(code.toString());
  if (code.isDouble()) parts.append(QString::number(code.toInteger()));
  return parts.join(u' ').left(100);
}

}  // namespace

QString Diagnostic::text() const {
  return source.isEmpty() ? message : translate("%1 (%2)").arg(message, source);
}

QVector<Diagnostic> readDiagnostics(const QJsonValue& list) {
  QVector<Diagnostic> read;
  for (const QJsonValue value : list.toArray()) {
    Diagnostic one;
    one.message = value[u"message"].toString().trimmed().left(kMostOfMessage);
    if (one.message.isEmpty()) continue;
    one.place = linePlaceOf(value[u"range"][u"start"]);
    one.severity = static_cast<Severity>(std::clamp(value[u"severity"].toInt(1), 1, 4));
    one.source = sourceOf(value);
    const QJsonArray tags = value[u"tags"].toArray();
    one.isUnnecessary = tags.contains(QJsonValue(kUnnecessaryTag));
    one.told = value;
    read.append(one);
  }
  if (read.size() > kMostDiagnostics) {
    std::stable_sort(read.begin(), read.end(), [](const Diagnostic& a, const Diagnostic& b) {
      return a.severity < b.severity;
    });
    read.resize(kMostDiagnostics);
  }
  return read;
}

}  // namespace waferpair::workbench
