// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/key_maps.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

static void initKeyMapResources() { Q_INIT_RESOURCE(gui); }

namespace waferpair::gui {
namespace {

QLatin1String nameOf(KeyMap map) {
  switch (map) {
    case KeyMap::kOwn:
      return {};
    case KeyMap::kVsCode:
      return QLatin1String("vscode");
    case KeyMap::kKate:
      return QLatin1String("kate");
  }
  Q_UNREACHABLE();
}

}  // namespace

KeyTable keyTable(KeyMap map) {
  if (map == KeyMap::kOwn) return {};
  initKeyMapResources();
  QFile file(QStringLiteral(":/key_maps.json"));
  const bool isThere = file.open(QIODevice::ReadOnly);
  Q_ASSERT(isThere);
  Q_UNUSED(isThere);
  const QJsonObject keysOf =
      QJsonDocument::fromJson(file.readAll()).object().value(nameOf(map)).toObject();
  KeyTable table;
  for (auto row = keysOf.begin(); row != keysOf.end(); ++row) {
    const QJsonArray keys = row.value().toArray();
    for (const QJsonValueConstRef key : keys)
      table[row.key()].append(QKeySequence(key.toString(), QKeySequence::PortableText));
  }
  return table;
}

}  // namespace waferpair::gui
