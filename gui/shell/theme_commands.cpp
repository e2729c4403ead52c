// SPDX-License-Identifier: GPL-3.0-or-later
// The list of color themes. The window shows the one that is chosen in it; Esc gives back what was.
#include <QTimer>
#include <algorithm>
#include <memory>

#include "editor/view/theme.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "gui/kit/theme.h"
#include "gui/shell/view_commands.h"
#include "gui/store/settings.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr int kPreviewPauseMs = 60;  // spares those that one only passes by

// Rows carry what they show as "dark" or "light", a colon and the theme's name.
QVariant rowOf(const Look& look) {
  return (look.isDark ? QStringLiteral("dark:") : QStringLiteral("light:")) + look.colors;
}

Look lookOf(const QVariant& row) {
  const QString text = row.toString();
  return {text.startsWith(QLatin1String("dark:")), text.section(u':', 1)};
}

QList<PickerItem> themeItems(const Look& current) {
  QList<Look> looks{{true, {}}, {false, {}}};
  const QStringList names = editor::themeNames();
  for (const QString& name : names)
    looks.append(Look{editor::themeColors(editor::themeNamed(name)).dark, name});
  // The list begins with what is shown.
  std::stable_partition(looks.begin(), looks.end(),
                        [&current](const Look& look) { return look == current; });
  QList<PickerItem> items;
  for (const Look& look : std::as_const(looks)) {
    const QString own = look.isDark ? tr("Waferpair Dark") : tr("Waferpair Light");
    const QString kind = look.isDark ? tr("dark") : tr("light");
    items.append({.text = look.colors.isEmpty() ? own : look.colors,
                  .hint = look == current ? tr("current") : kind,
                  .data = rowOf(look)});
  }
  return items;
}

void setLook(Settings* settings, const Look& look) {
  Preferences changed = settings->get();
  (look.isDark ? changed.darkColors : changed.lightColors) = look.colors;
  // Where it follows the desktop it still does, if that is as dark as what was chosen.
  if (preferredLook(changed) != look)
    changed.theme = look.isDark ? ThemeKind::kDark : ThemeKind::kLight;
  settings->set(changed);
}

void showLook(const Look& look) {
  if (Theme::instance().look() != look) Theme::instance().apply(look);
}

void chooseTheme(Settings* settings, Picker* picker) {
  const Look before = preferredLook(settings->get());
  picker->open(tr("Color theme"), tr("Choose a color theme; Esc leaves it as it is"),
               themeItems(before),
               [settings](const QVariant& row) { setLook(settings, lookOf(row)); });
  auto* preview = new QTimer(picker);  // lives as long as the list is open
  preview->setSingleShot(true);
  preview->setInterval(kPreviewPauseMs);
  const auto shown = std::make_shared<Look>(before);
  QObject::connect(picker, &Picker::lookedAt, preview, [preview, shown](const QVariant& row) {
    *shown = lookOf(row);
    preview->start();
  });
  QObject::connect(preview, &QTimer::timeout, preview, [shown] { showLook(*shown); });
  QObject::connect(picker, &Picker::closed, preview, [preview, settings] {
    preview->stop();
    preview->deleteLater();
    // What was chosen is set by then.
    QTimer::singleShot(0, settings, [settings] { showLook(preferredLook(settings->get())); });
  });
}

}  // namespace

void addThemeCommands(CommandRegistry& commands, Settings* settings, Picker* picker) {
  commands.add({.id = "view.colorTheme",
                .category = tr("View"),
                .text = tr("&Color Theme…"),
                .help = tr("Choose the colors of code and window; each is shown at once."),
                .keys = {chord(Qt::CTRL | Qt::Key_T)},
                .icon = "palette",
                .places = {{"view", 3}},
                .run = [settings, picker] { chooseTheme(settings, picker); }});
}

}  // namespace waferpair::gui
