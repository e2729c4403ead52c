// SPDX-License-Identifier: GPL-3.0-or-later
// A person's hands for the tour and the benchmark: keys and mouse go in where the window system
// would put them, so shortcuts, focus, hover and the event filters of the real program all take
// part. UI thread only.
#pragma once

#include <QKeySequence>
#include <QPoint>
#include <optional>

class QWidget;

namespace waferpair::gui::input {

// To whatever has the focus in the window of `widget`.
void pressKey(const QWidget* widget, Qt::Key key, Qt::KeyboardModifiers modifiers = {});
void pressKey(const QWidget* widget, const QKeySequence& chord);
// One ASCII character, or a line feed for Return.
void typeCharacter(const QWidget* widget, char character);

// At `position` of `widget`.
void click(QWidget* widget, QPoint position);
void doubleClick(QWidget* widget, QPoint position);
void moveMouse(QWidget* widget, QPoint position);

// Types a character and works through events until `surface` (the widget that shows the text) has
// been painted: milliseconds from the key to the end of its window's round of paints, when the
// picture is the window system's. Nothing when it was not painted within a second.
std::optional<double> typeAndPaint(QWidget* surface, char character);

}  // namespace waferpair::gui::input
