// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/theme.h"

#include <QApplication>
#include <QFont>
#include <QFontDatabase>
#include <QPalette>
#include <QStyleFactory>
#include <QStyleHints>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "editor/view/theme.h"
#include "gui/kit/style_sheet.h"

namespace waferpair::gui {
namespace {

const WindowColors kDarkColors{
    .chrome = 0x16181d,
    .editor = 0x1c1f25,
    .raised = 0x24272e,
    .border = 0x2c3038,
    .hover = 0x2a2e36,
    .text = 0xd6d9e0,
    .muted = 0x9aa1ae,
    .faint = 0x626977,
    .accent = 0x5c9dff,
    .onAccent = 0x0b1220,
    .selection = 0x1f3557,
    .danger = 0xf2777a,
    .warning = 0xe6b566,
    .success = 0x7cc47f,
};

const WindowColors kLightColors{
    .chrome = 0xf3f4f6,
    .editor = 0xffffff,
    .raised = 0xffffff,
    .border = 0xd9dce2,
    .hover = 0xe6e8ec,
    .text = 0x22262d,
    .muted = 0x5b6370,
    .faint = 0x9aa1ac,
    .accent = 0x2563c9,
    .onAccent = 0xffffff,
    .selection = 0xdbe8fc,
    .danger = 0xb3261e,
    .warning = 0x855600,
    .success = 0x24702c,
};

// Before Qt 6.5 nobody says; the palette that the desktop gives is a sign.
bool isDesktopDark() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
  return QGuiApplication::styleHints()->colorScheme() != Qt::ColorScheme::Light;
#else
  static const bool isDark = QGuiApplication::palette().color(QPalette::Window).lightness() <
                             QGuiApplication::palette().color(QPalette::WindowText).lightness();
  return isDark;
#endif
}

bool isDarkKind(ThemeKind kind) {
  return kind == ThemeKind::kAuto ? isDesktopDark() : kind == ThemeKind::kDark;
}

QPalette makePalette(const WindowColors& c) {
  QPalette palette;
  const auto set = [&palette](QPalette::ColorRole role, const QColor& color,
                              const QColor& disabled) {
    palette.setColor(QPalette::Active, role, color);
    palette.setColor(QPalette::Inactive, role, color);
    palette.setColor(QPalette::Disabled, role, disabled);
  };
  set(QPalette::Window, c.chrome, c.chrome);
  set(QPalette::WindowText, c.text, c.faint);
  set(QPalette::Base, c.editor, c.chrome);
  set(QPalette::AlternateBase, c.chrome, c.chrome);
  set(QPalette::ToolTipBase, c.raised, c.raised);
  set(QPalette::ToolTipText, c.text, c.text);
  set(QPalette::PlaceholderText, c.muted, c.faint);
  set(QPalette::Text, c.text, c.faint);
  set(QPalette::Button, c.raised, c.chrome);
  set(QPalette::ButtonText, c.text, c.faint);
  set(QPalette::BrightText, c.danger, c.faint);
  set(QPalette::Light, c.hover, c.hover);
  set(QPalette::Midlight, c.hover, c.hover);
  set(QPalette::Mid, c.border, c.border);
  set(QPalette::Dark, c.border, c.border);
  set(QPalette::Shadow, c.border, c.border);
  set(QPalette::Highlight, c.selection, c.border);
  set(QPalette::HighlightedText, c.text, c.faint);
  set(QPalette::Link, c.accent, c.faint);
  set(QPalette::LinkVisited, c.accent, c.faint);
  return palette;
}

// Where no desktop says how large letters are, Qt's own guess is too small to read.
double desktopPoints() {
  constexpr double kUsual = 10, kLeast = 7, kMost = 24;
  if (qEnvironmentVariableIsEmpty("XDG_CURRENT_DESKTOP")) return kUsual;
  const double points = QFontDatabase::systemFont(QFontDatabase::GeneralFont).pointSizeF();
  return points > 0 ? std::clamp(points, kLeast, kMost) : kUsual;
}

// Inter where installed, else what the desktop uses.
QFont uiFont(double points) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
  font.setFamilies({QStringLiteral("Inter"), font.family(), QStringLiteral("Noto Sans"),
                    QStringLiteral("DejaVu Sans")});
  font.setPointSizeF(points);
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

}  // namespace

const WindowColors& windowColors(ThemeKind kind) {
  return isDarkKind(kind) ? kDarkColors : kLightColors;
}

Look preferredLook(const Preferences& preferences) {
  const bool isDark = isDarkKind(preferences.theme);
  return {isDark, isDark ? preferences.darkColors : preferences.lightColors};
}

Theme::Theme() : colors_(kDarkColors) {
  (void)isDesktopDark();  // before the palette is ours
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
  connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this,
          &Theme::desktopChanged);
#endif
}

Theme& Theme::instance() {
  static Theme theme;
  return theme;
}

QString Theme::codeTheme() const {
  if (!look_.colors.isEmpty()) return look_.colors;
  return QLatin1String(look_.isDark ? editor::kDarkTheme : editor::kLightTheme);
}

void Theme::apply(ThemeKind kind) { apply(Look{isDarkKind(kind), {}}); }

bool Theme::setSize(int percent) {
  Q_ASSERT(percent >= kLeastInterfaceSize && percent <= kMostInterfaceSize);
  return std::exchange(percent_, percent) != percent;
}

double Theme::points() const { return desktopPoints() * percent_ / 100; }

void Theme::apply(const Look& look) {
  look_ = look;
  colors_ = look.colors.isEmpty() ? windowColors(kind()) : windowColorsFor(look.colors);
  const QPalette palette = makePalette(colors());
  if (QApplication::style()->name() != QLatin1String("fusion")) {
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  }
  QApplication::setFont(uiFont(points()));
  // A style sheet in force keeps the palettes that it found and gives them back when the next one
  // comes: what a widget took from the new palette for its own would be lost.
  qApp->setStyleSheet({});
  QApplication::setPalette(palette);
  QToolTip::setPalette(palette);
  qApp->setStyleSheet(styleSheet(colors(), points()));
  Q_EMIT changed();
}

}  // namespace waferpair::gui
