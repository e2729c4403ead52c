// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/json_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

#include "editor/text/save_file.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr qint64 kLargest = 16 * 1024 * 1024;

}  // namespace

JsonRead readJson(const QString& path) {
  QFile file(path);
  if (!file.exists()) return {};
  if (!file.open(QIODevice::ReadOnly)) {
    return {{}, tr("%1 can't be read: %2.").arg(path, file.errorString())};
  }
  if (file.size() > kLargest) return {{}, tr("%1 is too large to be ours.").arg(path)};
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
  if (error.error != QJsonParseError::NoError) {
    return {
        {},
        tr("%1 is damaged at byte %2: %3.").arg(path).arg(error.offset).arg(error.errorString())};
  }
  if (!document.isObject()) return {{}, tr("%1 is damaged: no JSON object in it.").arg(path)};
  return {document.object(), {}};
}

QString writeJson(const QString& path, const QJsonObject& object) {
  QDir().mkpath(QFileInfo(path).absolutePath());
  const auto saved = editor::saveFile(path, QJsonDocument(object).toJson(QJsonDocument::Indented));
  if (!saved) return saved.error().message();
  return {};
}

}  // namespace waferpair::gui
