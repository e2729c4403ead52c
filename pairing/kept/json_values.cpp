// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/kept/json_values.h"

#include <QJsonDocument>

#include "editor/text/translate.h"

namespace waferpair::pairing {

QByteArray keptBytes(const QJsonObject& json) {
  return QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n';
}

editor::Result<QJsonObject> keptObject(const QByteArray& bytes) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
  if (error.error != QJsonParseError::NoError)
    return editor::fail(
        translate("It is damaged at byte %1: %2.").arg(error.offset).arg(error.errorString()));
  return document.object();
}

}  // namespace waferpair::pairing
