// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/session_store.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <algorithm>

#include "gui/store/json_file.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostRecent = 12;
constexpr qsizetype kMostFiles = 500;
constexpr qsizetype kMostOthers = 100;
constexpr int kMostOpenWindows = 100;
constexpr qsizetype kMostLines = 5000;  // of a file that are kept in a list

int count(const QJsonValue& value) { return std::max(0, value.toInt(0)); }

QList<int> lineList(const QJsonValue& value) {
  QList<int> lines;
  for (const QJsonValueConstRef line : value.toArray())
    if (line.toInt(-1) >= 0 && lines.size() < kMostLines) lines += line.toInt();
  return lines;
}

QJsonArray lineArray(const QList<int>& lines) {
  QJsonArray array;
  for (const int line : lines.mid(0, kMostLines)) array.append(line);
  return array;
}

QByteArray bytes(const QJsonValue& value) {
  return QByteArray::fromBase64(value.toString().toLatin1());
}

QString base64(const QByteArray& data) { return QString::fromLatin1(data.toBase64()); }

}  // namespace

SessionStore::SessionStore(const QString& directory, int window)
    : directory_(directory), window_(window) {}

QString SessionStore::numbered(const QString& name) const {
  return window_ == 0 ? name : name + QStringLiteral("-%1").arg(window_);
}

QString SessionStore::sessionFile(const QString& folder) const {
  const QString id = folder.isEmpty() ? numbered(folder) : folder;
  const QByteArray name =
      QCryptographicHash::hash(id.toUtf8(), QCryptographicHash::Sha1).toHex().left(16);
  return directory_ + QStringLiteral("/sessions/") + QString::fromLatin1(name) +
         QStringLiteral(".json");
}

Session SessionStore::load(const QString& folder, QString* problem) const {
  const JsonRead read = readJson(sessionFile(folder));
  *problem = read.problem;
  Session session;
  session.folder = folder;
  // Another folder's file under the same short hash is no damage, just not ours.
  if (read.object[QLatin1String("folder")].toString() != folder) return session;
  const QJsonArray files = read.object[QLatin1String("files")].toArray();
  for (const QJsonValueConstRef value : files) {
    const QJsonObject file = value.toObject();
    const QString path = file[QLatin1String("path")].toString();
    if (path.isEmpty() || session.files.size() == kMostFiles) continue;
    session.files.append(
        {path, count(file[QLatin1String("line")]), count(file[QLatin1String("column")]),
         count(file[QLatin1String("firstLine")]), lineList(file[QLatin1String("folded")])});
  }
  const QJsonObject bookmarks = read.object[QLatin1String("bookmarks")].toObject();
  for (auto file = bookmarks.begin(); file != bookmarks.end(); ++file) {
    const QList<int> lines = lineList(file.value());
    if (!lines.isEmpty() && session.bookmarks.size() < kMostFiles)
      session.bookmarks[file.key()] = lines;
  }
  session.panes = readPane(read.object[QLatin1String("panes")].toObject(),
                           static_cast<int>(session.files.size()));
  const QJsonObject tools = read.object[QLatin1String("tools")].toObject();
  for (auto tool = tools.begin(); tool != tools.end(); ++tool)
    session.tools[tool.key()] = tool.value().toObject();
  const QJsonArray others = read.object[QLatin1String("others")].toArray();
  for (const QJsonValueConstRef other : others)
    if (!other.toString().isEmpty() && session.others.size() < kMostOthers)
      session.others.append(other.toString());
  session.active = read.object[QLatin1String("active")].toInt(-1);
  if (session.active >= session.files.size()) session.active = -1;
  return session;
}

QString SessionStore::save(const Session& session) const {
  QJsonArray files;
  for (const SessionFile& file : session.files) {
    files.append(QJsonObject{{QStringLiteral("path"), file.path},
                             {QStringLiteral("line"), file.line},
                             {QStringLiteral("column"), file.column},
                             {QStringLiteral("firstLine"), file.firstLine},
                             {QStringLiteral("folded"), lineArray(file.folded)}});
  }
  QJsonObject bookmarks;
  for (auto file = session.bookmarks.begin(); file != session.bookmarks.end(); ++file)
    bookmarks[file.key()] = lineArray(file.value());
  QJsonObject object{{QStringLiteral("folder"), session.folder},
                     {QStringLiteral("files"), files},
                     {QStringLiteral("bookmarks"), bookmarks},
                     {QStringLiteral("active"), session.active}};
  QJsonObject tools;
  for (auto tool = session.tools.begin(); tool != session.tools.end(); ++tool)
    tools[tool.key()] = tool.value();
  if (!tools.isEmpty()) object[QStringLiteral("tools")] = tools;
  if (!session.others.isEmpty())
    object[QStringLiteral("others")] = QJsonArray::fromStringList(session.others);
  if (session.panes.isSplit()) object[QStringLiteral("panes")] = paneJson(session.panes);
  return writeJson(sessionFile(session.folder), object);
}

WindowLayout SessionStore::loadLayout(QString* problem) const {
  const JsonRead read =
      readJson(directory_ + numbered(QStringLiteral("/window")) + QStringLiteral(".json"));
  *problem = read.problem;
  return {bytes(read.object[QLatin1String("geometry")]),
          bytes(read.object[QLatin1String("state")])};
}

QString SessionStore::saveLayout(const WindowLayout& layout) const {
  return writeJson(directory_ + numbered(QStringLiteral("/window")) + QStringLiteral(".json"),
                   QJsonObject{{QStringLiteral("geometry"), base64(layout.geometry)},
                               {QStringLiteral("state"), base64(layout.state)}});
}

QStringList SessionStore::recentFolders(QString* problem) const {
  const JsonRead read = readJson(directory_ + QStringLiteral("/recent.json"));
  if (problem) *problem = read.problem;
  QStringList folders;
  const QJsonArray saved = read.object[QLatin1String("folders")].toArray();
  for (const QJsonValueConstRef folder : saved) {
    if (folders.size() < kMostRecent && !folder.toString().isEmpty()) {
      folders.append(folder.toString());
    }
  }
  return folders;
}

QString SessionStore::remember(const QString& folder) const {
  const QString file = directory_ + QStringLiteral("/recent.json");
  QStringList folders = recentFolders();
  folders.removeAll(folder);
  folders.prepend(folder);
  QJsonObject object = readJson(file).object;
  object[QStringLiteral("folders")] = QJsonArray::fromStringList(folders.mid(0, kMostRecent));
  return writeJson(file, object);
}

QString SessionStore::forget(const QString& folder) const {
  const QString file = directory_ + QStringLiteral("/recent.json");
  QStringList folders = recentFolders();
  folders.removeAll(folder);
  QJsonObject object = readJson(file).object;
  object[QStringLiteral("folders")] = QJsonArray::fromStringList(folders);
  return writeJson(file, object);
}

QString SessionStore::forgetRecent() const {
  const QString file = directory_ + QStringLiteral("/recent.json");
  QJsonObject object = readJson(file).object;
  object[QStringLiteral("folders")] = QJsonArray();
  return writeJson(file, object);
}

QString SessionStore::lastFolder() const {
  return readJson(directory_ + QStringLiteral("/recent.json"))
      .object[numbered(QStringLiteral("last"))]
      .toString();
}

QString SessionStore::setLastFolder(const QString& folder) const {
  const QString file = directory_ + QStringLiteral("/recent.json");
  QJsonObject object = readJson(file).object;
  object[numbered(QStringLiteral("last"))] = folder;
  return writeJson(file, object);
}

QList<int> SessionStore::openWindows() const {
  QList<int> windows;
  const JsonRead read = readJson(directory_ + QStringLiteral("/windows.json"));
  for (const QJsonValueConstRef value : read.object[QLatin1String("open")].toArray()) {
    const int window = value.toInt(-1);
    if (window >= 0 && window < kMostOpenWindows && !windows.contains(window))
      windows.append(window);
  }
  return windows;
}

QString SessionStore::setOpenWindows(const QList<int>& windows) const {
  QJsonArray open;
  for (const int window : windows) open.append(window);
  return writeJson(directory_ + QStringLiteral("/windows.json"),
                   QJsonObject{{QStringLiteral("open"), open}});
}

}  // namespace waferpair::gui
