// SPDX-License-Identifier: GPL-3.0-or-later
// What an SVG would do when it is drawn: Qt's renderer opens the files that one names, and repeats
// a part as often as it is asked to. Any thread.
#pragma once

#include <QByteArray>

#include "editor/text/result.h"

namespace waferpair::gui {

// Fails, with the reason, on a picture that is compressed, names other files (but for addresses
// that a click would lead to), has another SVG within, or draws more than is done in a moment. One
// that is no XML passes: the renderer says so.
editor::Result<void> checkSvg(const QByteArray& text);

}  // namespace waferpair::gui
