// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/resource_paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace waferpair::gui {

QString resourcePath(const QString& relative) {
  const QDir binaries(QCoreApplication::applicationDirPath());
  const QFileInfo found(binaries.filePath(QStringLiteral("../share/waferpair/") + relative));
  return found.exists() ? found.canonicalFilePath() : QString();
}

QString defaultModelPath() {
  const QDir models(resourcePath(QStringLiteral("models")));
  if (models.path().isEmpty() || models.path() == u".") return {};
  const QStringList files =
      models.entryList({QStringLiteral("*.gguf")}, QDir::Files | QDir::Readable, QDir::Name);
  return files.isEmpty() ? QString() : models.filePath(files.first());
}

QString defaultRuntimeProgram() {
  return QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("waferd"));
}

QString defaultCommandLineProgram() {
  return QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("waferctl"));
}

}  // namespace waferpair::gui
