// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/trace_commands.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QStandardPaths>

#include "gui/client/trace_control.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/dock_strip.h"
#include "gui/store/clock.h"
#include "gui/translate.h"
#include "gui/wafer/wafer_dock.h"

namespace waferpair::gui {
namespace {

QString startFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

void say(const TraceParts& use, Banner::Kind kind, const QString& text) {
  use.notices->show(QStringLiteral("traceNotice"), kind, text);
}

void chooseTraceToRecord(const TraceParts& use) {
  auto* dialog = new QFileDialog(use.window, tr("Record Trace"), startFolder(),
                                 tr("Traces of the wafer (*.wptrace)"));
  dialog->setObjectName(QStringLiteral("recordTraceDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setFileMode(QFileDialog::AnyFile);
  dialog->setDefaultSuffix(QStringLiteral("wptrace"));
  dialog->selectFile(currentTime().toString(QStringLiteral("'wafer' yyyy-MM-dd HH.mm'.wptrace'")));
  QObject::connect(dialog, &QFileDialog::fileSelected, use.trace, &TraceControl::start);
  dialog->open();
}

void chooseTraceToOpen(const TraceParts& use) {
  auto* dialog = new QFileDialog(use.window, tr("Open Trace"), startFolder(),
                                 tr("Traces of the wafer (*.wptrace);;All files (*)"));
  dialog->setObjectName(QStringLiteral("openTraceDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  QObject::connect(dialog, &QFileDialog::fileSelected, use.dock,
                   [use](const QString& path) { openTrace(use, path); });
  dialog->open();
}

}  // namespace

void openTrace(const TraceParts& use, const QString& path) {
  editor::Error problem;
  const bool opened = use.dock->openTrace(path, &problem);
  if (!problem.message().isEmpty())
    say(use, opened ? Banner::Kind::kWarning : Banner::Kind::kError, problem.message());
  else
    use.notices->remove(QStringLiteral("traceNotice"));
  if (opened) use.strip->open();
}

void addTraceCommands(CommandRegistry& commands, const TraceParts& use) {
  const QString wafer = tr("Wafer");
  QAction* record =
      commands.add({.id = "wafer.record",
                    .category = wafer,
                    .text = tr("&Record Trace…"),
                    .help = tr("Keep what the wafer does in a file, until told to stop."),
                    .icon = "record",
                    .when = !Context::kRecording,
                    .places = {{"wafer", 2}},
                    .run = [use] { chooseTraceToRecord(use); }});
  commands.add({.id = "wafer.stopRecording",
                .category = wafer,
                .text = tr("&Stop Recording"),
                .help = tr("End the recording of what the wafer does."),
                .when = Context::kRecording,
                .places = {{"wafer", 2}},
                .run = [use] { use.trace->stop(); }});
  commands.add({.id = "wafer.openTrace",
                .category = wafer,
                .text = tr("&Open Trace…"),
                .help = tr("Replay what the wafer did, at any speed."),
                .icon = "folder-open",
                .places = {{"wafer", 2}},
                .run = [use] { chooseTraceToOpen(use); }});
  commands.add({.id = "wafer.closeTrace",
                .category = wafer,
                .text = tr("&Close Trace"),
                .help = tr("Show the live wafer again."),
                .icon = "close",
                .when = Context::kReplaying,
                .places = {{"wafer", 2}},
                .run = [use] { use.dock->closeTrace(); }});
  // `record` stands for the commands: these connections end with them.
  QObject::connect(use.trace, &TraceControl::changed, record, [use] {
    const QString file = use.trace->file();
    if (file.isEmpty()) return;
    use.notices
        ->show(QStringLiteral("traceNotice"), Banner::Kind::kInfo,
               tr("Recording what the wafer does into %1.").arg(QFileInfo(file).fileName()))
        .addButton(QStringLiteral("stopRecording"), tr("Stop"), [use] { use.trace->stop(); });
  });
  QObject::connect(use.trace, &TraceControl::failed, record, [use](const editor::Error& problem) {
    say(use, Banner::Kind::kError, problem.message());
  });
  QObject::connect(
      use.trace, &TraceControl::written, record, [use](const QString& file, qint64 steps, qint64) {
        use.notices
            ->show(QStringLiteral("traceNotice"), Banner::Kind::kInfo,
                   tr("Recorded in %1, steps: %L2.").arg(QFileInfo(file).fileName()).arg(steps))
            .addButton(QStringLiteral("replayTrace"), tr("Replay"),
                       [use, file] { openTrace(use, file); });
      });
  QObject::connect(use.dock, &WaferDock::replayFailed, record, [use](const editor::Error& problem) {
    say(use, Banner::Kind::kError, problem.message());
  });
}

}  // namespace waferpair::gui
