// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/debug_chooser.h"

#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QThreadPool>
#include <algorithm>

#include "editor/text/save_file.h"
#include "gui/debug/debug_runner.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/project/workspace.h"

namespace waferpair::gui {

using workbench::DebugLaunch;

namespace {

constexpr qsizetype kMostOffered = 200;

// The interpreter of the project's own environment; empty: it has none.
QString projectPython(const QString& folder) {
  for (const char* each : {".venv/bin/python", "venv/bin/python"}) {
    const QString path = folder + u'/' + QLatin1String(each);
    if (!folder.isEmpty() && QFileInfo::exists(path)) return path;
  }
  return {};
}

// The core in a folder that was written last; empty: there is none.
QString newestCore(const QString& folder) {
  if (folder.isEmpty()) return {};
  const QFileInfoList cores = QDir(folder).entryInfoList(
      {QStringLiteral("core"), QStringLiteral("core.*"), QStringLiteral("*.core")}, QDir::Files,
      QDir::Time);
  return cores.isEmpty() ? QString() : cores.first().absoluteFilePath();
}

bool isPython(const QString& name) { return name.startsWith(QLatin1String("python")); }

}  // namespace

DebugChooser::DebugChooser(const DebugParts& parts, DebugRunner* runner, QObject* parent)
    : QObject(parent), p_(parts), runner_(runner) {
  connect(runner_, &DebugRunner::processWanted, this, &DebugChooser::chooseProcessFor);
}

void DebugChooser::find(const QString& folder, const std::function<void(const Found&)>& found) {
  if (folder.isEmpty()) return found({});
  QThreadPool::globalInstance()->start([self = QPointer<DebugChooser>(this), folder, found] {
    Found all{workbench::findLaunches(folder), workbench::builtPrograms(folder)};
    for (DebugLaunch& each : all.launches.launches) each.project = folder;
    // The window may be gone by then.
    QMetaObject::invokeMethod(qApp, [self, folder, all, found] {
      if (self && self->p_.workspace->folders().contains(folder)) found(all);
    });
  });
}

void DebugChooser::start() {
  const DebugLaunch& last = runner_->last();
  if (last.name.isEmpty()) return choose();
  // A process that was attached to is another one by now.
  if (last.source.isEmpty() && last.isAttach && last.core.isEmpty()) return choose();
  if (last.source.isEmpty()) return runner_->debug(last);
  // As its file has it by now.
  const QStringList folders = p_.workspace->folders();
  find(folders.contains(last.project) ? last.project : p_.workspace->folder(),
       [this, last](const Found& found) {
         for (const DebugLaunch& each : found.launches.launches)
           if (each.name == last.name && each.source == last.source) return runner_->debug(each);
         show(found);
       });
}

void DebugChooser::choose() {
  find(p_.workspace->frontFolder(), [this](const Found& found) { show(found); });
}

QVector<DebugLaunch> DebugChooser::offers(const Found& found) const {
  QVector<DebugLaunch> all = found.launches.launches;
  const QString folder = p_.workspace->frontFolder();
  const Document* front = p_.tabs->current();
  const QString language = front ? front->editor()->language() : QString();
  if (front && !front->path().isEmpty() && language == QLatin1String("Python")) {
    DebugLaunch file;
    file.name = tr("This file: %1").arg(front->title());
    file.language = language;
    file.program = front->path();
    file.folder = folder.isEmpty() ? QFileInfo(front->path()).path() : folder;
    if (const QString python = projectPython(folder); !python.isEmpty())
      file.own.insert(QStringLiteral("python"), python);
    all.append(file);
  }
  if (front && !front->path().isEmpty() && language == QLatin1String("Go")) {
    DebugLaunch package;
    package.name = tr("This package: %1").arg(QFileInfo(front->path()).dir().dirName());
    package.language = language;
    package.program = QFileInfo(front->path()).path();
    package.folder = package.program;
    package.own.insert(QStringLiteral("mode"), QStringLiteral("debug"));
    all.append(package);
  }
  for (const workbench::BuiltProgram& each : found.programs) {
    if (all.size() >= kMostOffered) break;
    DebugLaunch program;
    program.name = QFileInfo(each.path).fileName();
    program.language = QStringLiteral("C++");
    program.program = each.path;
    program.folder = folder;
    program.task = each.task;
    all.append(program);
  }
  for (DebugLaunch& each : all)
    if (each.project.isEmpty()) each.project = folder;
  return all;
}

void DebugChooser::show(const Found& found) {
  const QVector<DebugLaunch> all = offers(found);
  const QString folder = p_.workspace->frontFolder();
  const auto shown = [&folder](const QString& path) {
    return folder.isEmpty() || !path.startsWith(folder + u'/') ? path : path.mid(folder.size() + 1);
  };
  QList<PickerItem> items;
  for (qsizetype i = 0; i < all.size(); ++i) {
    const DebugLaunch& one = all[i];
    const QString hint = one.source.isEmpty() ? shown(one.program) : one.source;
    items.append({.text = one.name, .hint = hint, .data = i});
  }
  constexpr qlonglong kProcess = -1, kCore = -2;
  items.append({.text = tr("Attach to a process…"), .data = kProcess});
  items.append({.text = tr("Look at a core file…"), .data = kCore});
  p_.picker->open(tr("What can be debugged"), tr("Debug"), items,
                  [this, all](const QVariant& chosen) {
                    const qlonglong index = chosen.toLongLong();
                    if (index == kProcess) return chooseProcess();
                    if (index == kCore) return chooseCore();
                    runner_->debug(all[index]);
                  });
  QStringList notes = found.launches.problems;
  if (all.isEmpty())
    notes.append(tr("No program was found that this project has built, and no configuration."));
  if (!notes.isEmpty() && !folder.isEmpty())
    p_.picker->setNote(notes.join(u' '), tr("&Write a Configuration…"), [this] { edit(); });
}

// -- Processes

void DebugChooser::chooseProcess() {
  DebugLaunch attach;
  attach.isAttach = true;
  chooseProcessFor(attach);
}

void DebugChooser::chooseProcessFor(const DebugLaunch& launch) {
  QThreadPool::globalInstance()->start([self = QPointer<DebugChooser>(this), launch] {
    const QVector<workbench::RunningProcess> all = workbench::runningProcesses();
    QMetaObject::invokeMethod(qApp, [self, launch, all] {
      if (!self) return;
      QList<PickerItem> items;
      for (qsizetype i = 0; i < all.size(); ++i)
        items.append({.text = QStringLiteral("%1 (%2)").arg(all[i].name).arg(all[i].pid),
                      .hint = all[i].line,
                      .data = i});
      self->p_.picker->open(tr("Processes"), tr("Attach to a process"), items,
                            [self, launch, all](const QVariant& chosen) {
                              if (!self) return;
                              const workbench::RunningProcess& one = all[chosen.toLongLong()];
                              DebugLaunch ready = launch;
                              ready.process = one.pid;
                              if (ready.name.isEmpty())
                                ready.name = QStringLiteral("%1 (%2)").arg(one.name).arg(one.pid);
                              if (ready.type.isEmpty()) {
                                const bool python = isPython(QFileInfo(one.program).fileName());
                                ready.language =
                                    python ? QStringLiteral("Python") : QStringLiteral("C++");
                                if (!python) ready.program = one.program;
                              }
                              self->runner_->debug(ready);
                            });
    });
  });
}

// -- Cores

void DebugChooser::chooseCore() {
  const QString folder = p_.workspace->frontFolder();
  p_.prompt->open(
      tr("Path of the core file"), newestCore(folder), 0,
      [folder](const QString& text) {
        const QFileInfo file(QDir(folder), text.trimmed());
        return file.isFile() ? QString() : DebugChooser::tr("There is no such file.");
      },
      [this, folder](const QString& text) {
        askForProgram(QDir::cleanPath(QDir(folder).absoluteFilePath(text.trimmed())));
      });
}

void DebugChooser::askForProgram(const QString& core) {
  find(p_.workspace->frontFolder(), [this, core](const Found& found) {
    const QString folder = p_.workspace->frontFolder();
    QString likely = runner_->last().program;
    if (likely.isEmpty() || !workbench::isProgram(likely))
      likely = found.programs.isEmpty() ? QString() : found.programs.first().path;
    p_.prompt->open(
        tr("Path of the program that wrote it"), likely, 0,
        [folder](const QString& text) {
          const QString path = QDir(folder).absoluteFilePath(text.trimmed());
          return workbench::isProgram(path) ? QString() : DebugChooser::tr("That is no program.");
        },
        [this, folder, core](const QString& text) {
          DebugLaunch launch;
          launch.name = tr("Core of %1").arg(QFileInfo(text.trimmed()).fileName());
          launch.language = QStringLiteral("C++");
          launch.program = QDir::cleanPath(QDir(folder).absoluteFilePath(text.trimmed()));
          launch.core = core;
          launch.folder = folder;
          launch.project = folder;
          launch.isAttach = true;
          runner_->debug(launch);
        });
  });
}

void DebugChooser::edit() {
  const QString folder = p_.workspace->frontFolder();
  if (folder.isEmpty()) return;
  QString file = folder + u'/' + QLatin1String(workbench::kProjectLaunches);
  const QString foreign = folder + u'/' + QLatin1String(workbench::kForeignLaunches);
  if (!QFileInfo::exists(file) && QFileInfo::exists(foreign)) file = foreign;
  if (!QFileInfo::exists(file)) {
    QDir(folder).mkpath(QFileInfo(file).path());
    const auto saved = editor::saveFile(file, workbench::launchFileTemplate());
    if (!saved) return runner_->say(saved.error().message(), true);
  }
  p_.tabs->openFile(file);
}

}  // namespace waferpair::gui
