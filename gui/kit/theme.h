// SPDX-License-Identifier: GPL-3.0-or-later
// The program's two looks, dark and light: one table of colors, from which the palette and the
// style sheet of all widgets are made. UI thread only.
#pragma once

#include <QColor>
#include <QObject>
#include <QString>

#include "gui/store/theme_kind.h"

class QApplication;

namespace waferpair::gui {

// Text colors keep a contrast of at least 4.5 on `chrome` and on `editor`; `faint` is for what
// may be missed (disabled text, decoration).
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

const WindowColors& windowColors(ThemeKind kind);
// The editors' theme that goes with it, by the name KSyntaxHighlighting has for it.
QString codeTheme(ThemeKind kind);

class Theme : public QObject {
  Q_OBJECT
 public:
  // The theme of this process.
  static Theme& instance();

  ThemeKind kind() const { return kind_; }
  bool isDark() const { return kind_ == ThemeKind::kDark; }
  const WindowColors& colors() const { return windowColors(kind_); }

  // Puts style, font, palette and style sheet on the application and tells everybody.
  void apply(ThemeKind kind);

 Q_SIGNALS:
  void changed();

 private:
  ThemeKind kind_ = ThemeKind::kDark;
};

}  // namespace waferpair::gui
