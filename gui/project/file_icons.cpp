// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/file_icons.h"

#include <QHash>

#include "gui/kit/icons.h"

namespace waferpair::gui {
namespace {

const QHash<QString, QString>& symbolsBySuffix() {
  static const QHash<QString, QString> symbols = [] {
    QHash<QString, QString> table;
    const auto put = [&table](const char* symbol, std::initializer_list<const char*> suffixes) {
      for (const char* suffix : suffixes)
        table.insert(QLatin1String(suffix), QLatin1String(symbol));
    };
    put("file-code", {"c",    "cc",   "cpp",  "cxx", "h",   "hh",  "hpp",   "hxx", "py",   "rs",
                      "go",   "java", "js",   "ts",  "tsx", "jsx", "kt",    "cs",  "rb",   "php",
                      "lua",  "sh",   "bash", "zig", "m",   "mm",  "swift", "s",   "asm",  "cu",
                      "html", "css",  "qml",  "sql", "pl",  "hs",  "ml",    "vue", "scala"});
    put("file-data", {"json", "yaml", "yml", "toml", "xml", "ini", "cfg", "conf", "cmake", "csv",
                      "gguf", "lock", "in", "qrc", "ui"});
    put("file-text", {"md", "txt", "rst", "adoc", "log", "tex"});
    put("file-image", {"png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "ico"});
    return table;
  }();
  return symbols;
}

}  // namespace

QIcon fileIcon(const QString& path) {
  static QHash<QString, QIcon> made;
  const QString name = path.mid(path.lastIndexOf(u'/') + 1);
  const QString suffix = name.mid(name.lastIndexOf(u'.') + 1).toLower();
  QString symbol = symbolsBySuffix().value(suffix, QStringLiteral("file"));
  if (name == QLatin1String("CMakeLists.txt")) symbol = QStringLiteral("file-data");
  QIcon& found = made[symbol];
  if (found.isNull()) found = icon(symbol);
  return found;
}

QIcon folderIcon() {
  static const QIcon folder = icon(QStringLiteral("folder"));
  return folder;
}

}  // namespace waferpair::gui
