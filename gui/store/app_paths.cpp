// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/app_paths.h"

#include <QDir>
#include <QStandardPaths>

namespace waferpair::gui {

AppPaths AppPaths::forUser() {
  // QStandardPaths knows the state folder only from Qt 6.7 on.
  QString state = qEnvironmentVariable("XDG_STATE_HOME");
  if (state.isEmpty() || !QDir::isAbsolutePath(state)) {
    state = QDir::homePath() + QStringLiteral("/.local/state");
  }
  return {QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
              QStringLiteral("/waferpair"),
          state + QStringLiteral("/waferpair")};
}

QString withTilde(const QString& path) {
  const QString home = QDir::homePath();
  if (path == home) return QStringLiteral("~");
  return path.startsWith(home + u'/') ? u'~' + path.mid(home.size()) : path;
}

void useProfile(const QString& directory) {
  const QDir root(directory);
  const auto point = [&root](const char* variable, const QString& folder) {
    const QString path = root.absoluteFilePath(folder);
    QDir().mkpath(path);
    qputenv(variable, path.toUtf8());
  };
  point("XDG_CONFIG_HOME", QStringLiteral("config"));
  point("XDG_STATE_HOME", QStringLiteral("state"));
  point("XDG_CACHE_HOME", QStringLiteral("cache"));
  point("XDG_DATA_HOME", QStringLiteral("data"));
}

}  // namespace waferpair::gui
