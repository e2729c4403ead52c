// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/resource_paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace waferpair::gui {

QString resourcePath(const QString& relative) {
  const QDir binaries(QCoreApplication::applicationDirPath());
  // Installed first: PREFIX/bin and PREFIX/share/waferpair.
  for (const QString& root : {binaries.filePath(QStringLiteral("../share/waferpair")),
                              QStringLiteral(WAFERPAIR_RESOURCES)}) {
    const QFileInfo found(root + QLatin1Char('/') + relative);
    if (found.exists()) return found.canonicalFilePath();
  }
  return {};
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

}  // namespace waferpair::gui
