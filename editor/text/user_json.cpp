// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/user_json.h"

#include <QByteArrayView>
#include <QJsonDocument>
#include <algorithm>

#include "editor/text/translate.h"

namespace waferpair::editor {
namespace {

// Blanks take the place of comments, and of commas behind which nothing follows: lines stay.
QByteArray plainJson(QByteArray json) {
  qsizetype comma = -1;  // that nothing follows so far
  for (qsizetype at = 0; at < json.size(); ++at) {
    const char c = json[at];
    const char next = at + 1 < json.size() ? json[at + 1] : '\0';
    if (c == '"') {
      comma = -1;
      for (++at; at < json.size() && json[at] != '"'; ++at)
        if (json[at] == '\\') ++at;
    } else if (c == '/' && next == '/') {
      for (; at < json.size() && json[at] != '\n'; ++at) json[at] = ' ';
    } else if (c == '/' && next == '*') {
      const qsizetype end = json.indexOf("*/", at + 2);
      const qsizetype stop = end < 0 ? json.size() : end + 2;
      for (; at < stop; ++at)
        if (json[at] != '\n') json[at] = ' ';
      --at;
    } else if (c == ',') {
      comma = at;
    } else if ((c == '}' || c == ']') && comma >= 0) {
      json[comma] = ' ';
      comma = -1;
    } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      comma = -1;
    }
  }
  return json;
}

}  // namespace

Result<QJsonObject> readUserJson(const QByteArray& json, const QString& file) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(plainJson(json), &error);
  if (error.error == QJsonParseError::NoError) return document.object();
  const auto before = std::min<qsizetype>(error.offset, json.size());
  const auto line = QByteArrayView(json).first(before).count('\n') + 1;
  return fail(translate("%1, line %2: %3.").arg(file).arg(line).arg(error.errorString()),
              translate("Correct the file."));
}

}  // namespace waferpair::editor
