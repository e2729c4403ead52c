// SPDX-License-Identifier: GPL-3.0-or-later
// The program's two looks, dark and light: one table of colors, from which the palette and the
// style sheet of all widgets are made. UI thread only.
#pragma once

#include <QColor>
#include <QObject>
#include <QString>

#include "gui/store/preferences.h"

class QApplication;

namespace waferpair::gui {

// Text colors keep a contrast of at least 4.5 on every ground: `chrome`, `editor`, `raised`,
// `hover` and `selection`. `faint` is for what may be missed (disabled text, decoration).
struct WindowColors {
  QColor chrome;  // window, docks, bars
  QColor editor;  // behind code
  QColor raised;  // pop-ups, menus, input fields
  QColor border;
  QColor hover;
  QColor text;
  QColor muted;  // labels, secondary text
  QColor faint;
  QColor accent;     // focus, the active tab, links
  QColor onAccent;   // text on an accent-colored button
  QColor selection;  // chosen row
  QColor danger;
  QColor warning;
  QColor success;
};

// Returns the program's own colors.
const WindowColors& windowColors(ThemeKind kind);
// Returns the colors of a window around code in this theme of KSyntaxHighlighting.
WindowColors windowColorsFor(const QString& codeTheme);

// What the window and the code look like.
struct Look {
  bool isDark = true;
  QString colors;  // a theme of KSyntaxHighlighting; empty: the program's own

  bool operator==(const Look&) const = default;
};

// Returns what is preferred, on this desktop. From Qt 6.5 on the desktop is asked; before, it
// counts what it was like when the program started.
Look preferredLook(const Preferences& preferences);

class Theme : public QObject {
  Q_OBJECT
 public:
  // The theme of this process.
  static Theme& instance();

  const Look& look() const { return look_; }
  ThemeKind kind() const { return look_.isDark ? ThemeKind::kDark : ThemeKind::kLight; }
  bool isDark() const { return look_.isDark; }
  const WindowColors& colors() const { return colors_; }
  // The editors' theme, by the name that KSyntaxHighlighting has for it.
  QString codeTheme() const;

  // Puts style, font, palette and style sheet on the application and tells everybody.
  void apply(const Look& look);
  // With the program's own colors.
  void apply(ThemeKind kind);
  // Sets the size of the window's letters, in percent of the desktop's, for apply(). Returns
  // whether it is another.
  bool setSize(int percent);
  // The window's letters have this size.
  double points() const;

 Q_SIGNALS:
  void changed();
  // The desktop has become dark or light.
  void desktopChanged();

 private:
  Theme();

  Look look_;
  int percent_ = 100;
  WindowColors colors_;
};

}  // namespace waferpair::gui
