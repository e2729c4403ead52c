// SPDX-License-Identifier: GPL-3.0-or-later
// "Shadow Model": which other model the tokens of the one that runs are to step.
#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QStandardPaths>

#include "gui/client/runtime_service.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/icons.h"
#include "gui/kit/picker.h"
#include "gui/model/runtime_texts.h"
#include "gui/shell/window_commands.h"
#include "gui/translate.h"
#include "gui/wafer/shadow_placement_dialog.h"
#include "gui/wafer/wafer_dock.h"
#include "wafer_view/wafer_panel.h"

namespace waferpair::gui {
namespace {

QString noticeId() { return QStringLiteral("shadowNotice"); }
// What the picker's entry for a file stands for: no shape has such a name.
QString fromFile() { return QStringLiteral("*"); }

// What goes on, and then whose the wafer is, is said in one place: the label above the map.
void showProgress(const WindowParts& p, const QString& text) {
  p.waferDock->panel()->setShadowProgress(text);
}

void wish(const WindowParts& p, const QString& shape) {
  p.notices->remove(noticeId());
  if (!shape.isEmpty()) {
    p.waferDock->show();
    showProgress(p, tr("Placing %1 on wafers…").arg(QFileInfo(shape).fileName()));
  }
  p.runtime->setShadow(shape);
}

void chooseFile(const WindowParts& p) {
  auto* dialog =
      new QFileDialog(p.window, tr("Shadow Model"),
                      QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation),
                      tr("Shapes of models (*.json);;All files (*)"));
  dialog->setObjectName(QStringLiteral("shadowShapeDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  QObject::connect(dialog, &QFileDialog::fileSelected, p.runtime,
                   [p](const QString& path) { wish(p, path); });
  dialog->open();
}

void choosePlacement(const WindowParts& p) {
  auto* dialog = new ShadowPlacementDialog(p.runtime, p.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void chooseShadow(const WindowParts& p) {
  const QString chosen = p.runtime->shadowChoice();
  const QString current = tr("  current");
  QList<PickerItem> items;
  const auto add = [&](const QString& text, QString hint, const QString& icon,
                       const QString& data) {
    if (data == chosen) hint += current;
    items.append({.text = text, .hint = hint, .icon = gui::icon(icon), .data = data});
  };
  add(tr("None: show the model that runs"), {}, QStringLiteral("close"), {});
  for (const ShadowShape& shape : p.runtime->shapes()) {
    if (shape.wafers < 1) continue;
    QString hint = texts::size(shape.parameters, shape.wafers);
    if (shape.guess) hint = tr("a guess, %1").arg(hint);
    add(shape.name, hint, QStringLiteral("wafer"), shape.name);
  }
  // A file chosen before stands in the list beside the catalogue.
  if (chosen.startsWith(u'/'))
    add(QFileInfo(chosen).fileName(), {}, QStringLiteral("file-data"), chosen);
  add(tr("From SHAPE.json…"), {}, QStringLiteral("folder-open"), fromFile());
  p.picker->open(tr("Shadow model"), tr("Type a part of a model's name"), items,
                 [p](const QVariant& data) {
                   if (data.toString() == fromFile()) return chooseFile(p);
                   wish(p, data.toString());
                 });
  p.picker->setNote(
      p.runtime->traceFile().isEmpty()
          ? tr("The text stays %1's, the wafer view shows the chosen model.")
                .arg(p.runtime->figures().model)
          : tr("A trace is being recorded, and a trace is of one placement: stop the recording "
               "before you choose another."));
}

}  // namespace

void addShadowCommands(const WindowParts& p) {
  if (!p.waferDock) return;
  QAction* choose = p.commands->add(
      {"wafer.shadow",
       tr("Wafer"),
       tr("&Shadow Model…"),
       tr("Show what a larger model would do on its wafers, stepped by the tokens of this one."),
       {},
       "wafer"},
      [p] { chooseShadow(p); });
  QAction* place = p.commands->add(
      {"wafer.shadowPlacement", tr("Wafer"), tr("Shadow &Placement…"),
       tr("What the planner looks for when it places a shadow: latency, replicas or context.")},
      [p] { choosePlacement(p); });
  const auto enable = [p, choose, place] {
    const bool ready = p.runtime->state() == RuntimeService::State::kReady;
    choose->setEnabled(ready);
    place->setEnabled(ready);
  };
  QObject::connect(p.runtime, &RuntimeService::stateChanged, choose, enable);
  enable();
  QObject::connect(p.runtime, &RuntimeService::shadowFailed, choose,
                   [p](const RuntimeProblem& problem) {
                     showProgress(p, {});
                     p.notices->show(noticeId(), Banner::Kind::kError, problem.message());
                   });
  QObject::connect(p.runtime, &RuntimeService::shadowChanged, choose, [p] {
    showProgress(p, {});
    p.notices->remove(noticeId());
  });
  // One that is lost with its server is placed anew, or told to have failed.
  QObject::connect(p.runtime, &RuntimeService::stateChanged, choose, [p] {
    if (p.runtime->state() != RuntimeService::State::kReady) showProgress(p, {});
  });
}

}  // namespace waferpair::gui
