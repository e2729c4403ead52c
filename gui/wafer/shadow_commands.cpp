// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/shadow_commands.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QStandardPaths>

#include "gui/client/runtime_service.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/icons.h"
#include "gui/kit/picker.h"
#include "gui/model/runtime_texts.h"
#include "gui/translate.h"
#include "gui/wafer/machine_dialog.h"
#include "gui/wafer/shadow_placement_dialog.h"
#include "gui/wafer/wafer_dock.h"
#include "wafer_view/band_text.h"
#include "wafer_view/wafer_panel.h"

namespace waferpair::gui {
namespace {

QString noticeId() { return QStringLiteral("shadowNotice"); }
// The name that stands for the picker's entry "From SHAPE.json…": no shape has such a name.
QString fromFile() { return QStringLiteral("*"); }

// The label above the map shows both the progress and, in the end, whose the wafer is.
void showProgress(const ShadowParts& use, const QString& text) {
  use.dock->panel()->setShadowProgress(text);
}

void wish(const ShadowParts& use, const QString& shape) {
  use.notices->remove(noticeId());
  if (!shape.isEmpty()) {
    use.dock->show();
    showProgress(use, tr("Placing %1 on wafers…").arg(QFileInfo(shape).fileName()));
  }
  use.runtime->shadow()->choose(shape);
}

void chooseFile(const ShadowParts& use) {
  auto* dialog =
      new QFileDialog(use.window, tr("Shadow Model"),
                      QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation),
                      tr("Shapes of models (*.json);;All files (*)"));
  dialog->setObjectName(QStringLiteral("shadowShapeDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  QObject::connect(dialog, &QFileDialog::fileSelected, use.runtime,
                   [use](const QString& path) { wish(use, path); });
  dialog->open();
}

void choosePlacement(const ShadowParts& use) {
  auto* dialog = new ShadowPlacementDialog(use.runtime, use.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void showMachine(const ShadowParts& use) {
  const RuntimeFigures& figures = use.runtime->figures();
  auto* dialog = new MachineDialog(experimentsOf(use.runtime), figures.machine,
                                   figures.clockHz / 1e9, use.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void chooseShadow(const ShadowParts& use) {
  const QString chosen = use.runtime->shadow()->shape();
  const QString current = tr("  current");
  QList<PickerItem> items;
  const auto add = [&](const QString& text, QString hint, const QString& icon,
                       const QString& data) {
    if (data == chosen) hint += current;
    items.append({.text = text, .hint = hint, .icon = gui::icon(icon), .data = data});
  };
  add(tr("None: show the model that runs"), {}, QStringLiteral("close"), {});
  for (const ShadowShape& shape : use.runtime->shadow()->shapes()) {
    if (shape.wafers < 1) continue;
    QString hint = texts::size(shape.parameters, shape.wafers);
    if (shape.guess) hint = tr("a guess, %1").arg(hint);
    add(shape.name, hint, QStringLiteral("wafer"), shape.name);
  }
  // A file chosen before stands in the list beside the catalog.
  if (chosen.startsWith(u'/'))
    add(QFileInfo(chosen).fileName(), {}, QStringLiteral("file-data"), chosen);
  add(tr("From SHAPE.json…"), {}, QStringLiteral("folder-open"), fromFile());
  use.picker->open(tr("Shadow model"), tr("Type a part of a model's name"), items,
                   [use](const QVariant& data) {
                     if (data.toString() == fromFile()) return chooseFile(use);
                     wish(use, data.toString());
                   });
  // It is placed by the loaded model's profile.
  const auto& band = use.runtime->figures().band;
  const QString trust = band ? u' ' + tr("Its figures: %1.").arg(view::bandText(*band)) : QString();
  use.picker->setNote(
      use.runtime->trace()->file().isEmpty()
          ? tr("The text stays %1's, the wafer view shows the chosen model.")
                    .arg(use.runtime->modelName()) +
                trust
          : tr("A trace is being recorded, and a trace is of one placement: stop the recording "
               "before you choose another."));
}

}  // namespace

void addShadowCommands(CommandRegistry& commands, const ShadowParts& use) {
  const QString wafer = tr("Wafer");
  QAction* choose = commands.add(
      {.id = "wafer.shadow",
       .category = wafer,
       .text = tr("&Shadow Model…"),
       .help = tr(
           "Show what a larger model would do on its wafers, stepped by the tokens of this one."),
       .icon = "wafer",
       .when = Context::kModelReady,
       .places = {{"wafer"}},
       .run = [use] { chooseShadow(use); }});
  commands.add(
      {.id = "wafer.shadowPlacement",
       .category = wafer,
       .text = tr("Shadow &Placement…"),
       .help = tr(
           "What the planner looks for when it places a shadow: the lowest latency on the fewest "
           "wafers, most replicas or longest context."),
       .when = Context::kModelReady,
       .places = {{"wafer"}},
       .run = [use] { choosePlacement(use); }});
  commands.add({.id = "wafer.machine",
                .category = wafer,
                .text = tr("Mac&hine…"),
                .help = tr("What the vendor says of the wafer as a whole, beside what its PEs add "
                           "up to."),
                .when = Context::kModelReady,
                .places = {{"wafer"}},
                .run = [use] { showMachine(use); }});
  QObject::connect(use.runtime->shadow(), &ShadowModel::failed, choose,
                   [use](const editor::Error& problem) {
                     showProgress(use, {});
                     use.notices->show(noticeId(), Banner::Kind::kError, problem.message());
                   });
  QObject::connect(use.runtime->shadow(), &ShadowModel::changed, choose, [use] {
    showProgress(use, {});
    use.notices->remove(noticeId());
  });
  // A shadow that is lost with its server is placed anew, or told to have failed.
  QObject::connect(use.runtime, &RuntimeService::stateChanged, choose, [use] {
    if (use.runtime->state() != RuntimeService::State::kReady) showProgress(use, {});
  });
}

}  // namespace waferpair::gui
