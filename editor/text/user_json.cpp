// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/user_json.h"

#include <QByteArrayView>
#include <QJsonDocument>
#include <algorithm>

#include "editor/text/translate.h"

namespace waferpair::editor {

Result<QJsonObject> readUserJson(const QByteArray& json, const QString& file) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(json, &error);
  if (error.error == QJsonParseError::NoError) return document.object();
  const auto before = std::min<qsizetype>(error.offset, json.size());
  const auto line = QByteArrayView(json).first(before).count('\n') + 1;
  return fail(translate("%1, line %2: %3.").arg(file).arg(line).arg(error.errorString()),
              translate("Correct the file."));
}

}  // namespace waferpair::editor
