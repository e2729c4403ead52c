// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/editor_keys.h"

#include <QJsonArray>
#include <QJsonObject>

#include "gui/store/json_file.h"

namespace waferpair::gui {
namespace {

QString keyOf(const editor::KeyBinding& binding) {
  return QStringLiteral("editor.") + QLatin1String(binding.id);
}

}  // namespace

EditorKeys::EditorKeys(QString keysFile, QObject* parent)
    : QObject(parent), keysFile_(std::move(keysFile)) {}

QKeySequence EditorKeys::defaultKey(editor::EditorAction action) {
  return editor::KeyTable().key(action);
}

QString EditorKeys::load() {
  const JsonRead read = readJson(keysFile_);
  for (const editor::KeyBinding& binding : editor::KeyTable::bindings()) {
    const QJsonValue value = read.object[keyOf(binding)];
    if (!value.isArray()) continue;
    table_.setKey(binding.action,
                  QKeySequence(value.toArray().first().toString(), QKeySequence::PortableText));
  }
  Q_EMIT changed();
  return read.problem;
}

QString EditorKeys::setKey(editor::EditorAction action, const QKeySequence& key) {
  table_.setKey(action, key);
  QJsonObject object = readJson(keysFile_).object;
  for (const editor::KeyBinding& binding : editor::KeyTable::bindings()) {
    const QKeySequence now = table_.key(binding.action);
    if (now == defaultKey(binding.action)) {
      object.remove(keyOf(binding));
    } else {
      object[keyOf(binding)] = QJsonArray{now.toString(QKeySequence::PortableText)};
    }
  }
  Q_EMIT changed();
  return writeJson(keysFile_, object);
}

}  // namespace waferpair::gui
