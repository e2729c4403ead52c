// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tasks/cmake_presets.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <algorithm>

#include "workbench/tasks/build_systems.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostPresetFiles = 64;
constexpr qsizetype kMostPresets = 2000;

constexpr const char* kPresetFiles[] = {"CMakePresets.json", "CMakeUserPresets.json"};
constexpr QLatin1String kConfigurePresets("configurePresets");
constexpr QLatin1String kLists[] = {kConfigurePresets, QLatin1String("buildPresets"),
                                    QLatin1String("testPresets"), QLatin1String("packagePresets"),
                                    QLatin1String("workflowPresets")};

class PresetReader {
 public:
  explicit PresetReader(const QString& folder) : folder_(folder) {}

  void read(const QString& path) {
    const QString file = QDir::cleanPath(path);
    if (read_.contains(file)) return;
    const QByteArray bytes = bytesOfFile(file);
    const QJsonDocument json = QJsonDocument::fromJson(bytes);
    const bool isOwn = file.startsWith(folder_ + u'/');
    if (read_.size() >= kMostPresetFiles || !json.isObject())
      return found_.unread.append(isOwn ? QDir(folder_).relativeFilePath(file) : file);
    read_.insert(file);
    const QJsonObject all = json.object();
    for (const QLatin1String list : kLists)
      for (const QJsonValue preset : all.value(list).toArray())
        if (const QString name = preset[u"name"].toString();
            !name.isEmpty() && found_.presets.size() < kMostPresets)
          found_.presets.append({list, name, preset.toObject()});
    for (const QJsonValue each : all.value(u"include").toArray())
      include(each.toString(), QFileInfo(file).path());
  }

  CmakePresets found() { return std::move(found_); }

 private:
  void include(QString name, const QString& fileFolder) {
    name.replace(QLatin1String("${sourceDir}"), folder_);
    name.replace(QLatin1String("${fileDir}"), fileFolder);
    // Variables of the environment are CMake's to look up.
    if (name.isEmpty() || name.contains(QLatin1String("${")) ||
        name.contains(QLatin1String("$penv{")))
      return found_.unread.append(name);
    read(QDir(fileFolder).absoluteFilePath(name));
  }

  QString folder_;
  QSet<QString> read_;
  CmakePresets found_;
};

QStringList namesIn(const QJsonValue& value) {
  if (value.isString()) return {value.toString()};
  QStringList names;
  for (const QJsonValue each : value.toArray()) names.append(each.toString());
  return names;
}

}  // namespace

QJsonObject CmakePresets::withParts(const QString& list, const QString& name) const {
  QJsonObject parts;
  QVector<std::pair<QString, QString>> wanted{{list, name}};
  for (qsizetype at = 0; at < wanted.size(); ++at) {
    const auto [inList, called] = wanted[at];
    const auto preset = std::find_if(presets.begin(), presets.end(), [&](const Preset& each) {
      return each.list == inList && each.name == called;
    });
    if (preset == presets.end()) continue;
    QJsonObject known = parts.value(inList).toObject();
    if (known.contains(called)) continue;
    known.insert(called, preset->words);
    parts.insert(inList, known);
    for (const QString& above : namesIn(preset->words.value(u"inherits")))
      wanted.append({inList, above});
    if (const QString with = preset->words.value(u"configurePreset").toString(); !with.isEmpty())
      wanted.append({kConfigurePresets, with});
    for (const QJsonValue step : preset->words.value(u"steps").toArray())
      wanted.append(
          {step[u"type"].toString() + QLatin1String("Presets"), step[u"name"].toString()});
  }
  return parts;
}

CmakePresets readCmakePresets(const QString& folder) {
  PresetReader reader(QDir::cleanPath(folder));
  for (const char* file : kPresetFiles) {
    const QString path = folder + u'/' + QLatin1String(file);
    if (QFileInfo::exists(path)) reader.read(path);
  }
  return reader.found();
}

bool hasCmakePresets(const QString& folder) {
  return std::ranges::any_of(kPresetFiles, [&](const char* file) {
    return QFileInfo::exists(folder + u'/' + QLatin1String(file));
  });
}

}  // namespace waferpair::workbench
