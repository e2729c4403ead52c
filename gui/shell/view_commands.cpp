// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/view_commands.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>

#include "gui/kit/command_registry.h"
#include "gui/kit/dock_strip.h"
#include "gui/kit/icons.h"
#include "gui/kit/preference_toggle.h"
#include "gui/kit/theme.h"
#include "gui/pairing/pair_dock.h"
#include "gui/shell/command_palette.h"
#include "gui/shell/status_line.h"
#include "gui/translate.h"
#include "gui/wafer/wafer_dock.h"

namespace waferpair::gui {
namespace {

void toggleDock(QDockWidget* dock) {
  dock->setVisible(!dock->isVisible());
  if (dock->isVisible() && dock->widget()) dock->raise();
}

// Shows or hides the dock; in a small window it opens and folds, as the strip is in nobody's way.
void toggleStrip(QDockWidget* dock, DockStrip* strip) {
  if (dock->isHidden() || strip->isStrip()) {
    strip->open();
  } else if (strip->isCramped()) {
    strip->fold();
  } else {
    toggleDock(dock);
  }
}

}  // namespace

void addViewCommands(CommandRegistry& commands, QMainWindow* window, CommandPalette* palette,
                     Settings* settings) {
  const QString view = tr("View");
  commands.add({.id = "view.palette",
                .category = view,
                .text = tr("&Command Palette…"),
                .help = tr("Run any command by its name."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_P},
                .icon = "palette",
                .places = {{"view"}, {"tools", 1, 4}, {"start", 1, 6}},
                .run = [palette] { palette->open(); }});
  QAction* theme = commands.add({.id = "view.theme",
                                 .category = view,
                                 .text = tr("Toggle Dark and &Light Theme"),
                                 .help = tr("Change between dark and light."),
                                 .icon = "sun",
                                 .places = {{"view", 3}, {"tools", 2}},
                                 .run = [settings] {
                                   Preferences changed = settings->get();
                                   changed.theme = Theme::instance().isDark() ? ThemeKind::kLight
                                                                              : ThemeKind::kDark;
                                   settings->set(changed);
                                 }});
  // The picture shows what a click leads to.
  const auto showTheme = [theme] {
    theme->setIcon(
        icon(Theme::instance().isDark() ? QStringLiteral("sun") : QStringLiteral("moon")));
  };
  QObject::connect(&Theme::instance(), &Theme::changed, theme, showTheme);
  showTheme();
  commands.add(
      {.id = "view.fullScreen",
       .category = view,
       .text = tr("F&ull Screen"),
       .help = tr("Use the whole screen, or stop it."),
       .keys = {Qt::Key_F11},
       .places = {{"view", 3}},
       .run = [window] { window->setWindowState(window->windowState() ^ Qt::WindowFullScreen); }});
  addPreferenceToggle(commands, settings,
                      {.id = "view.hiddenFiles",
                       .category = view,
                       .text = tr("&Hidden Files"),
                       .help = tr("Show files whose names begin with a dot in the tree."),
                       .icon = "eye",
                       .places = {{"view", 5}, {"tree", 4}}},
                      &Preferences::hiddenFiles);
  addPreferenceToggle(commands, settings,
                      {.id = "view.ignoredFiles",
                       .category = view,
                       .text = tr("&Ignored Files"),
                       .help = tr("Show what .gitignore lists in the tree."),
                       .icon = "eye",
                       .places = {{"view", 5}, {"tree", 4}}},
                      &Preferences::ignoredFiles);
}

void addFilesDockCommand(CommandRegistry& commands, QDockWidget* dock) {
  QAction* files = commands.add({.id = "view.files",
                                 .category = tr("View"),
                                 .text = tr("&Files"),
                                 .help = tr("Show or hide the folder tree."),
                                 .keys = {Qt::CTRL | Qt::Key_B},
                                 .icon = "files",
                                 .checkable = true,
                                 .places = {{"view", 2}, {"tools", 1, 1}},
                                 .run = [dock] { toggleDock(dock); }});
  QObject::connect(dock, &QDockWidget::visibilityChanged, files, &QAction::setChecked);
}

void addWaferDockCommand(CommandRegistry& commands, WaferDock* waferDock, DockStrip* waferStrip) {
  QAction* wafer =
      commands.add({.id = "view.wafer",
                    .category = tr("View"),
                    .text = tr("&Wafer"),
                    .help = tr("Show or hide the wafer view."),
                    .keys = {Qt::CTRL | Qt::ALT | Qt::Key_W},
                    .icon = "wafer",
                    .checkable = true,
                    .places = {{"view", 2}, {"wafer"}, {"tools", 2}},
                    .run = [waferDock, waferStrip] { toggleStrip(waferDock, waferStrip); }});
  QObject::connect(waferDock, &QDockWidget::visibilityChanged, wafer, &QAction::setChecked);
  QObject::connect(waferStrip, &DockStrip::changed, wafer, [waferDock, waferStrip, wafer] {
    wafer->setChecked(waferDock->isVisible() && !waferStrip->isStrip());
  });
}

void addPairDockCommand(CommandRegistry& commands, PairDock* pairDock, DockStrip* pairStrip) {
  QAction* pair =
      commands.add({.id = "view.ask",
                    .category = tr("View"),
                    .text = tr("&Ask"),
                    .help = tr("Show or hide questions and answers."),
                    .icon = "ask",
                    .checkable = true,
                    .places = {{"view", 2}, {"pair", 4}},
                    .run = [pairDock, pairStrip] { toggleStrip(pairDock, pairStrip); }});
  QObject::connect(pairDock, &QDockWidget::visibilityChanged, pair, &QAction::setChecked);
}

void addFormatCommands(CommandRegistry& commands, StatusLine* statusLine) {
  const auto add = [&](const char* id, const QString& text, const QString& help, Qt::Key key,
                       void (StatusLine::*choose)()) {
    commands.add({.id = QLatin1String(id),
                  .category = tr("Edit"),
                  .text = text,
                  .help = help,
                  .keys = {chord(key)},
                  .when = Context::kDocumentOpen,
                  .places = {{"edit/format"}},
                  .run = [statusLine, choose] { (statusLine->*choose)(); }});
  };
  add("edit.language", tr("&Language…"), tr("Highlight this file as another language."), Qt::Key_M,
      &StatusLine::chooseLanguage);
  add("edit.indentation", tr("&Indentation…"), tr("Indent with spaces or tabs, and how wide."),
      Qt::Key_I, &StatusLine::chooseIndentation);
  add("edit.encoding", tr("Save with &Encoding…"), tr("Save this file in another encoding."),
      Qt::Key_E, &StatusLine::chooseEncoding);
  add("edit.reopenEncoding", tr("&Reopen with Encoding…"),
      tr("Read this file anew in the encoding that it is in."), Qt::Key_R,
      &StatusLine::reopenWithEncoding);
  add("edit.lineEnds", tr("Line En&ds…"), tr("Convert the line ends of this file."), Qt::Key_L,
      &StatusLine::chooseLineEnds);
}

}  // namespace waferpair::gui
