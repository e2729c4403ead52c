// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>

#include "workbench/tasks/build_systems.h"
#include "workbench/tasks/cmake_presets.h"
#include "workbench/tasks/find_tasks.h"

namespace waferpair::workbench {
namespace {

// A kind of presets: where they stand, and what runs one.
struct PresetKind {
  const char* list;
  const char* verb;
  TaskKind kind;
  QStringList (*words)(const QString& preset);
};

const PresetKind kPresetKinds[] = {
    {"buildPresets", "build", TaskKind::kBuild,
     [](const QString& preset) {
       return QStringList{QStringLiteral("cmake"), QStringLiteral("--build"),
                          QStringLiteral("--preset"), preset};
     }},
    {"testPresets", "test", TaskKind::kTest,
     [](const QString& preset) {
       return QStringList{QStringLiteral("ctest"), QStringLiteral("--preset"), preset};
     }},
    {"configurePresets", "configure", TaskKind::kOther,
     [](const QString& preset) {
       return QStringList{QStringLiteral("cmake"), QStringLiteral("--preset"), preset};
     }},
    {"workflowPresets", "workflow", TaskKind::kOther,
     [](const QString& preset) {
       return QStringList{QStringLiteral("cmake"), QStringLiteral("--workflow"),
                          QStringLiteral("--preset"), preset};
     }},
};

void addPresets(TaskList* list, const CmakePresets& presets) {
  for (const PresetKind& kind : kPresetKinds) {
    for (const CmakePresets::Preset& each : presets.presets) {
      if (each.list != QLatin1String(kind.list) || each.words.value(u"hidden").toBool()) continue;
      list->add(QLatin1String(kind.verb) + u' ' + each.name, kind.kind, kind.words(each.name));
    }
  }
}

}  // namespace

QStringList cmakeBuildFolders(const QString& folder) {
  constexpr qsizetype kMostLookedAt = 200;
  QStringList found;
  qsizetype looked = 0;
  const QDir top(folder);
  const auto isBuild = [&](const QString& path) {
    ++looked;
    return top.exists(path + QStringLiteral("/CMakeCache.txt"));
  };
  const auto foldersIn = [](const QDir& around) {
    return around.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name);
  };
  for (const QString& outer : foldersIn(top)) {
    if (looked >= kMostLookedAt) break;
    if (isBuild(outer)) {
      found.append(outer);
    } else if (outer.contains(QLatin1String("build")) || outer == QLatin1String("out")) {
      for (const QString& inner : foldersIn(QDir(top.filePath(outer))))
        if (looked < kMostLookedAt && isBuild(outer + u'/' + inner))
          found.append(outer + u'/' + inner);
    }
  }
  return found;
}

QVector<Task> cmakeTasks(const QString& folder) {
  TaskList list(QStringLiteral("CMake"), folder);
  if (!list.has(QStringLiteral("CMakeLists.txt"))) return {};
  const QString cmake = QStringLiteral("cmake");
  const QStringList builds = cmakeBuildFolders(folder);
  for (const QString& build : builds) {
    list.add(QStringLiteral("build ") + build, TaskKind::kBuild,
             {cmake, QStringLiteral("--build"), build});
    list.add(QStringLiteral("test ") + build, TaskKind::kTest,
             {QStringLiteral("ctest"), QStringLiteral("--test-dir"), build,
              QStringLiteral("--output-on-failure")});
  }
  addPresets(&list, readCmakePresets(folder));
  if (builds.isEmpty() && list.tasks().isEmpty())
    list.add(QStringLiteral("configure build"), TaskKind::kBuild,
             {cmake, QStringLiteral("-S"), QStringLiteral("."), QStringLiteral("-B"),
              QStringLiteral("build")});
  return list.tasks();
}

}  // namespace waferpair::workbench
