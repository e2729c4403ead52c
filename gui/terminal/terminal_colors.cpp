// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_colors.h"

#include "editor/view/theme.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

// Black, red, green, yellow, blue, magenta, cyan, white, and the same brighter.
constexpr QRgb kDark[16] = {0x2e3440, 0xe05561, 0x5fb865, 0xd7a24a, 0x5a9ded, 0xc678dd,
                            0x3fb5b5, 0xd0d4dc, 0x7d8590, 0xff7a85, 0x8cd991, 0xf2c46d,
                            0x8ac0ff, 0xe09af2, 0x6fd6d6, 0xffffff};
constexpr QRgb kLight[16] = {0x24292f, 0xc8202f, 0x1a7f37, 0x8a6100, 0x0a5fc4, 0x8a3ab5,
                             0x0b7a85, 0x6a737d, 0x57606a, 0xa40e26, 0x116329, 0x6b4c00,
                             0x0747a0, 0x6f2c95, 0x075f68, 0x24292f};
constexpr int kSteps[6] = {0, 95, 135, 175, 215, 255};  // of the cube, as xterm has them

}  // namespace

TerminalColors TerminalColors::ofTheme() {
  const Theme& theme = Theme::instance();
  const editor::ThemeColors code =
      editor::themeColors(editor::themeNamed(theme.codeTheme()), theme.colors().accent);
  TerminalColors colors;
  colors.text = code.text;
  colors.background = code.background;
  colors.selection = code.selection;
  colors.match = code.searchMatch;
  colors.link = editor::readableColor(theme.colors().accent, code.text, {code.background});
  colors.succeeded = theme.colors().success;
  colors.failed = code.error;
  colors.muted = theme.colors().muted;
  for (int i = 0; i < 16; ++i) {
    const QColor color(code.dark ? kDark[i] : kLight[i]);
    // Black on a dark ground is the ground of something rather than text.
    const bool isGround = code.dark && i == 0;
    colors.palette[i] =
        isGround ? color.rgb() : editor::readableColor(color, code.text, {code.background}).rgb();
  }
  for (int i = 0; i < 216; ++i)
    colors.palette[16 + i] = qRgb(kSteps[i / 36], kSteps[i / 6 % 6], kSteps[i % 6]);
  for (int i = 0; i < 24; ++i) colors.palette[232 + i] = qRgb(8 + 10 * i, 8 + 10 * i, 8 + 10 * i);
  return colors;
}

QRgb TerminalColors::color(workbench::CellColor color, const QColor& otherwise) const {
  if (color.isDefault()) return otherwise.rgb();
  return color.isIndexed() ? palette[color.index()] : (0xff000000 | color.rgb());
}

}  // namespace waferpair::gui
