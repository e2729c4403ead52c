// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/sample_trace.h"

#include <QAction>
#include <QDir>
#include <QFile>

#include "editor/text/save_file.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/dock_strip.h"
#include "gui/translate.h"
#include "gui/wafer/wafer_dock.h"

namespace waferpair::gui {
namespace {

// Returns the path of a copy on disk, or why there is none.
editor::Result<QString> copied(const QString& folder) {
  QFile shipped(QStringLiteral(":/lessons/sample.wptrace"));
  if (!shipped.open(QFile::ReadOnly))
    return editor::fail(shipped.errorString(), tr("Install the program anew."));
  const QByteArray bytes = shipped.readAll();
  const QString path = folder + QStringLiteral("/sample.wptrace");
  QFile there(path);
  if (there.open(QFile::ReadOnly) && there.readAll() == bytes) return path;
  QDir().mkpath(folder);
  const auto saved = editor::saveFile(path, bytes);
  if (!saved) return tl::unexpected<editor::Error>(saved.error());
  return path;
}

void openSample(const SampleTraceParts& use) {
  const auto path = copied(use.state);
  editor::Error problem;
  if (!path) problem = path.error();
  if (path && use.dock->openTrace(*path, &problem)) return use.strip->open();
  use.notices->show(QStringLiteral("traceNotice"), Banner::Kind::kError, problem.message());
}

}  // namespace

void addSampleTraceCommand(CommandRegistry& commands, const SampleTraceParts& use) {
  commands.add({.id = "wafer.openSampleTrace",
                .category = tr("Wafer"),
                .text = tr("Open Sa&mple Recording"),
                .help = tr("Replay what the wafer did while the default model wrote a few lines."),
                .places = {{"wafer"}},
                .run = [use] { openSample(use); }});
}

}  // namespace waferpair::gui
