// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tasks/build_systems.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "editor/text/guest_file.h"
#include "workbench/tasks/deciding_files.h"

namespace waferpair::workbench {
namespace {

// What a target or script of this name is for, by custom.
TaskKind kindOfName(const QString& name) {
  const QString first = name.section(QRegularExpression(QStringLiteral("[:_.-]")), 0, 0);
  if (first == QLatin1String("build") || first == QLatin1String("all") ||
      first == QLatin1String("compile"))
    return TaskKind::kBuild;
  if (first == QLatin1String("test") || first == QLatin1String("tests") ||
      first == QLatin1String("check"))
    return TaskKind::kTest;
  if (first == QLatin1String("run") || first == QLatin1String("start") ||
      first == QLatin1String("dev") || first == QLatin1String("serve") ||
      first == QLatin1String("watch"))
    return TaskKind::kRun;
  return TaskKind::kOther;
}

// Scripts of these names run until they are ended.
bool staysByName(const QString& name) {
  static const QRegularExpression stays(
      QStringLiteral("(^|[:_.-])(start|dev|serve|watch)($|[:_.-])"));
  return stays.match(name).hasMatch();
}

}  // namespace

QByteArray bytesOfFile(const QString& path) { return editor::guestBytes(path, kLargestFile); }

bool TaskList::has(const QString& file) const { return QFileInfo::exists(path(file)); }

void TaskList::add(const QString& name, TaskKind kind, QStringList words, bool isBackground) {
  if (tasks_.size() >= kMostOfSystem) return;
  Task task;
  task.name = name;
  task.source = source_;
  task.kind = kind;
  task.command.program = words.takeFirst();
  task.command.arguments = words;
  task.folder = folder_;
  task.isBackground = isBackground;
  const bool isThere = std::any_of(tasks_.cbegin(), tasks_.cend(),
                                   [&](const Task& each) { return each.id() == task.id(); });
  if (!isThere) tasks_.append(task);
}

QVector<Task> makeTasks(const QString& folder) {
  TaskList list(QStringLiteral("make"), folder);
  const QByteArray text = bytesOfFile(makefileIn(folder));
  // What CMake wrote is built through CMake.
  if (text.startsWith("# CMAKE generated file")) return {};
  static const QRegularExpression target(QStringLiteral(R"(^([A-Za-z0-9][\w./+-]*)\s*::?(?![:=]))"),
                                         QRegularExpression::MultilineOption);
  auto match = target.globalMatch(QString::fromUtf8(text));
  while (match.hasNext()) {
    const QString name = match.next().captured(1);
    list.add(name, kindOfName(name), {QStringLiteral("make"), name});
  }
  return list.tasks();
}

QVector<Task> mesonTasks(const QString& folder) {
  TaskList list(QStringLiteral("Meson"), folder);
  if (!list.has(QStringLiteral("meson.build"))) return {};
  const QString meson = QStringLiteral("meson");
  bool isSetUp = false;
  for (const QString& each : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    if (!list.has(each + QStringLiteral("/meson-private"))) continue;
    isSetUp = true;
    list.add(QStringLiteral("compile ") + each, TaskKind::kBuild,
             {meson, QStringLiteral("compile"), QStringLiteral("-C"), each});
    list.add(QStringLiteral("test ") + each, TaskKind::kTest,
             {meson, QStringLiteral("test"), QStringLiteral("-C"), each,
              QStringLiteral("--print-errorlogs")});
  }
  if (!isSetUp)
    list.add(QStringLiteral("setup build"), TaskKind::kBuild,
             {meson, QStringLiteral("setup"), QStringLiteral("build")});
  return list.tasks();
}

QVector<Task> cargoTasks(const QString& folder) {
  TaskList list(QStringLiteral("Cargo"), folder);
  const QByteArray manifest = bytesOfFile(list.path(QStringLiteral("Cargo.toml")));
  if (manifest.isEmpty()) return {};
  const auto cargo = [&list](const char* verb, TaskKind kind) {
    const QString name = QLatin1String(verb);
    list.add(name, kind, {QStringLiteral("cargo"), name});
  };
  cargo("build", TaskKind::kBuild);
  cargo("test", TaskKind::kTest);
  if (list.has(QStringLiteral("src/main.rs")) || manifest.contains("[[bin]]"))
    cargo("run", TaskKind::kRun);
  cargo("check", TaskKind::kOther);
  cargo("clippy", TaskKind::kOther);
  return list.tasks();
}

QVector<Task> goTasks(const QString& folder) {
  TaskList list(QStringLiteral("Go"), folder);
  if (!list.has(QStringLiteral("go.mod"))) return {};
  const auto go = [&list](const char* verb, TaskKind kind, const char* what) {
    list.add(QLatin1String(verb), kind,
             {QStringLiteral("go"), QLatin1String(verb), QLatin1String(what)});
  };
  go("build", TaskKind::kBuild, "./...");
  go("test", TaskKind::kTest, "./...");
  if (list.has(QStringLiteral("main.go"))) go("run", TaskKind::kRun, ".");
  go("vet", TaskKind::kOther, "./...");
  return list.tasks();
}

QVector<Task> scriptTasks(const QString& folder) {
  // The lock file tells which of them the project uses.
  constexpr std::pair<const char*, const char*> kRunners[] = {
      {"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}};
  QString runner = QStringLiteral("npm");
  for (const auto& [lock, program] : kRunners)
    if (QFileInfo::exists(folder + u'/' + QLatin1String(lock))) runner = QLatin1String(program);
  TaskList list(runner, folder);
  const QJsonObject package =
      QJsonDocument::fromJson(bytesOfFile(list.path(QStringLiteral("package.json")))).object();
  const QJsonObject scripts = package.value(u"scripts").toObject();
  for (auto each = scripts.begin(); each != scripts.end(); ++each)
    list.add(each.key(), kindOfName(each.key()), {runner, QStringLiteral("run"), each.key()},
             staysByName(each.key()));
  return list.tasks();
}

QVector<Task> pythonTasks(const QString& folder) {
  TaskList list(QStringLiteral("Python"), folder);
  constexpr const char* kMarkers[] = {"pyproject.toml",  "setup.py", "setup.cfg",
                                      "pytest.ini",      "tox.ini",  "conftest.py",
                                      "requirements.txt"};
  const bool isPython =
      std::any_of(std::begin(kMarkers), std::end(kMarkers),
                  [&](const char* each) { return list.has(QLatin1String(each)); });
  if (!isPython) return {};
  // The project's own environment, where it has one.
  QString python = QStringLiteral("python3");
  for (const char* each : {".venv/bin/python", "venv/bin/python"})
    if (list.has(QLatin1String(each))) python = list.path(QLatin1String(each));
  list.add(QStringLiteral("pytest"), TaskKind::kTest,
           {python, QStringLiteral("-m"), QStringLiteral("pytest")});
  list.add(QStringLiteral("unittest"), TaskKind::kTest,
           {python, QStringLiteral("-m"), QStringLiteral("unittest")});
  list.add(QStringLiteral("run this file"), TaskKind::kRun, {python, QStringLiteral("${file}")});
  return list.tasks();
}

}  // namespace waferpair::workbench
