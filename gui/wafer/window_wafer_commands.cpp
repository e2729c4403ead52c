// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QStandardPaths>

#include "gui/client/runtime_service.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/dock_strip.h"
#include "gui/shell/window_commands.h"
#include "gui/translate.h"
#include "gui/wafer/wafer_dock.h"

namespace waferpair::gui {
namespace {

QString startFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

void say(const WindowParts& p, Banner::Kind kind, const QString& text) {
  p.notices->show(QStringLiteral("traceNotice"), kind, text);
}

void openTrace(const WindowParts& p, const QString& path) {
  RuntimeProblem problem;
  const bool opened = p.waferDock->openTrace(path, &problem);
  if (!problem.message().isEmpty())
    say(p, opened ? Banner::Kind::kWarning : Banner::Kind::kError, problem.message());
  else
    p.notices->remove(QStringLiteral("traceNotice"));
  if (opened) p.waferStrip->open();
}

void chooseTraceToRecord(const WindowParts& p) {
  auto* dialog = new QFileDialog(p.window, tr("Record Trace"), startFolder(),
                                 tr("Traces of the wafer (*.wptrace)"));
  dialog->setObjectName(QStringLiteral("recordTraceDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setFileMode(QFileDialog::AnyFile);
  dialog->setDefaultSuffix(QStringLiteral("wptrace"));
  dialog->selectFile(
      QDateTime::currentDateTime().toString(QStringLiteral("'wafer' yyyy-MM-dd HH.mm'.wptrace'")));
  QObject::connect(dialog, &QFileDialog::fileSelected, p.runtime, &RuntimeService::startTrace);
  dialog->open();
}

void chooseTraceToOpen(const WindowParts& p) {
  auto* dialog = new QFileDialog(p.window, tr("Open Trace"), startFolder(),
                                 tr("Traces of the wafer (*.wptrace);;All files (*)"));
  dialog->setObjectName(QStringLiteral("openTraceDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  QObject::connect(dialog, &QFileDialog::fileSelected, p.waferDock,
                   [p](const QString& path) { openTrace(p, path); });
  dialog->open();
}

}  // namespace

void addWaferCommands(const WindowParts& p) {
  if (!p.waferDock) return;
  const QString wafer = tr("Wafer");
  CommandRegistry& c = *p.commands;
  QAction* record = c.add({"wafer.record",
                           wafer,
                           tr("&Record Trace…"),
                           tr("Keep what the wafer does in a file, until told to stop."),
                           {},
                           "record"},
                          [p] { chooseTraceToRecord(p); });
  QAction* stop = c.add({"wafer.stopRecording", wafer, tr("&Stop Recording"),
                         tr("End the recording of what the wafer does.")},
                        [p] { p.runtime->stopTrace(); });
  const auto showRecording = [p, record, stop] {
    const QString file = p.runtime->traceFile();
    record->setEnabled(file.isEmpty());
    stop->setEnabled(!file.isEmpty());
    if (!file.isEmpty())
      p.notices
          ->show(QStringLiteral("traceNotice"), Banner::Kind::kInfo,
                 tr("Recording what the wafer does into %1.").arg(QFileInfo(file).fileName()))
          .addButton(QStringLiteral("stopRecording"), tr("Stop"), [p] { p.runtime->stopTrace(); });
  };
  showRecording();
  QObject::connect(p.runtime, &RuntimeService::traceChanged, record, showRecording);
  QObject::connect(
      p.runtime, &RuntimeService::traceFailed, record,
      [p](const RuntimeProblem& problem) { say(p, Banner::Kind::kError, problem.message()); });
  QObject::connect(
      p.runtime, &RuntimeService::traceWritten, record,
      [p](const QString& file, qint64 steps, qint64) {
        p.notices
            ->show(QStringLiteral("traceNotice"), Banner::Kind::kInfo,
                   tr("Recorded in %1, steps: %L2.").arg(QFileInfo(file).fileName()).arg(steps))
            .addButton(QStringLiteral("replayTrace"), tr("Replay"),
                       [p, file] { openTrace(p, file); });
      });
  c.add({"wafer.openTrace",
         wafer,
         tr("&Open Trace…"),
         tr("Replay what the wafer did, at any speed."),
         {},
         "folder-open"},
        [p] { chooseTraceToOpen(p); });
  QAction* close = c.add({"wafer.closeTrace",
                          wafer,
                          tr("&Close Trace"),
                          tr("Show the live wafer again."),
                          {},
                          "close"},
                         [p] { p.waferDock->closeTrace(); });
  const auto showReplay = [p, close] { close->setEnabled(p.waferDock->replay() != nullptr); };
  QObject::connect(p.waferDock, &WaferDock::replayChanged, close, showReplay);
  QObject::connect(
      p.waferDock, &WaferDock::replayFailed, close,
      [p](const RuntimeProblem& problem) { say(p, Banner::Kind::kError, problem.message()); });
  showReplay();
}

}  // namespace waferpair::gui
