// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/open_request.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "editor/text/path_on_disk.h"
#include "gui/shell/options.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

// Another number is another agreement.
constexpr int kOpenProtocol = 1;
const char* const kKindNames[] = {"open", "diff", "merge"};

QByteArray jsonLine(QJsonObject object) {
  object.insert(QLatin1String("waferpair"), kOpenProtocol);
  return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

std::optional<QJsonObject> objectIn(const QByteArray& line) {
  if (line.size() > kLongestOpenLine) return std::nullopt;
  const QJsonObject object = QJsonDocument::fromJson(line).object();
  if (object.value(u"waferpair").toInt() != kOpenProtocol) return std::nullopt;
  return object;
}

std::optional<FilePosition> placeIn(const QJsonObject& object) {
  FilePosition place{object.value(u"path").toString(), std::nullopt};
  if (!QDir::isAbsolutePath(place.path) || place.path.contains(QChar::Null)) return std::nullopt;
  const int line = object.value(u"line").toInt();
  if (line > 0) place.position = LineColumn{line, std::max(1, object.value(u"column").toInt())};
  return place;
}

// The folder, and what is below it.
bool holdsPath(const QString& folder, const QString& path) {
  return !folder.isEmpty() && (path == folder || path.startsWith(folder + u'/') || folder == u"/");
}

QString linkedPlace(const QString& path) {
  const QString real = editor::realPath(path);
  return real.isEmpty() ? QDir::cleanPath(path) : real;
}

}  // namespace

OpenRequest requestOf(const Options& options, QString* problem) {
  OpenRequest request;
  if (options.diff) request.kind = OpenRequest::Kind::kDiff;
  if (options.merge) request.kind = OpenRequest::Kind::kMerge;
  request.wait = options.wait;
  request.activation = qEnvironmentVariable("XDG_ACTIVATION_TOKEN");
  const bool isPlain = request.kind == OpenRequest::Kind::kOpen;
  for (const QString& target : options.targets) {
    FilePosition place = isPlain ? parseFilePosition(target) : FilePosition{target, std::nullopt};
    place.path = QDir::cleanPath(QDir().absoluteFilePath(place.path));
    const bool isFolder = editor::isFolderAt(place.path);
    if (isFolder && (request.wait || !isPlain) && problem->isEmpty())
      *problem = request.wait ? tr("--wait waits for files; %1 is a folder.").arg(target)
                              : tr("%1 is a folder; files are compared and merged.").arg(target);
    request.places.append(place);
  }
  if (request.places.size() > kMostPlaces)
    *problem = tr("More than %1 files are named.").arg(kMostPlaces);
  return request;
}

QByteArray openRequestLine(const OpenRequest& request) {
  QJsonArray places;
  for (const FilePosition& place : request.places) {
    QJsonObject object{{QLatin1String("path"), place.path}};
    if (place.position) {
      object.insert(QLatin1String("line"), place.position->line);
      object.insert(QLatin1String("column"), place.position->column);
    }
    places.append(object);
  }
  return jsonLine(
      {{QLatin1String("kind"), QLatin1String(kKindNames[static_cast<int>(request.kind)])},
       {QLatin1String("places"), places},
       {QLatin1String("wait"), request.wait},
       {QLatin1String("activation"), request.activation}});
}

std::optional<OpenRequest> parseOpenRequest(const QByteArray& line) {
  const auto object = objectIn(line);
  if (!object) return std::nullopt;
  OpenRequest request;
  const QString kind = object->value(u"kind").toString();
  const auto found =
      std::find_if(std::begin(kKindNames), std::end(kKindNames),
                   [&kind](const char* name) { return kind == QLatin1String(name); });
  if (found == std::end(kKindNames)) return std::nullopt;
  request.kind = static_cast<OpenRequest::Kind>(found - std::begin(kKindNames));
  const QJsonArray places = object->value(u"places").toArray();
  if (places.size() > kMostPlaces) return std::nullopt;
  for (const QJsonValue& value : places) {
    const auto place = placeIn(value.toObject());
    if (!place) return std::nullopt;
    request.places.append(*place);
  }
  const qsizetype wanted = request.kind == OpenRequest::Kind::kDiff    ? 2
                           : request.kind == OpenRequest::Kind::kMerge ? 4
                                                                       : places.size();
  request.wait = object->value(u"wait").toBool();
  if (places.size() != wanted || (request.wait && places.isEmpty())) return std::nullopt;
  request.activation = object->value(u"activation").toString();
  return request;
}

QByteArray greetingLine(const WindowGreeting& greeting) {
  return jsonLine({{QLatin1String("folder"), greeting.folder},
                   {QLatin1String("empty"), greeting.isEmpty},
                   {QLatin1String("others"), QJsonArray::fromStringList(greeting.others)}});
}

std::optional<WindowGreeting> parseGreeting(const QByteArray& line) {
  const auto object = objectIn(line);
  if (!object || !object->contains(QLatin1String("empty"))) return std::nullopt;
  WindowGreeting greeting{object->value(u"folder").toString(), object->value(u"empty").toBool()};
  for (const QJsonValue& other : object->value(u"others").toArray())
    greeting.others.append(other.toString());
  return greeting;
}

qsizetype chooseWindow(const OpenRequest& request, const QList<WindowGreeting>& windows) {
  QStringList folders;
  QString file;
  for (const FilePosition& place : request.places) {
    if (request.kind == OpenRequest::Kind::kOpen && editor::isFolderAt(place.path))
      folders.append(linkedPlace(place.path));
    else
      file = linkedPlace(place.path);
  }
  QList<QStringList> open;  // of each window
  for (const WindowGreeting& window : windows) {
    open.append(QStringList());
    for (const QString& folder : QStringList{window.folder} + window.others)
      if (!folder.isEmpty()) open.last().append(linkedPlace(folder));
  }
  for (const QString& folder : std::as_const(folders))
    for (qsizetype i = 0; i < windows.size(); ++i)
      if (open[i].contains(folder)) return i;
  qsizetype chosen = -1, depth = 0;
  for (qsizetype i = 0; i < windows.size(); ++i) {
    if (!folders.isEmpty()) {
      if (chosen < 0 && windows[i].isEmpty) chosen = i;
      continue;
    }
    for (const QString& folder : std::as_const(open[i])) {
      // The innermost folder.
      if (!holdsPath(folder, file) || (chosen >= 0 && folder.size() <= depth)) continue;
      chosen = i;
      depth = folder.size();
    }
  }
  return chosen < 0 && folders.isEmpty() && !windows.isEmpty() ? 0 : chosen;
}

}  // namespace waferpair::gui
