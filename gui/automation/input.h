// SPDX-License-Identifier: GPL-3.0-or-later
// A person's hands: keys and mouse go in where the window system would put them, so shortcuts,
// focus, hover and the event filters of the real program all take part. UI thread only; each call
// returns when its events have been dealt with.
//
// Keys go to what has the focus in the window of `widget` (or to the pop-up that is open), as the
// window system sends them to a window and not to a control. Positions are in the widget's own
// coordinates.
#pragma once

#include <QKeySequence>
#include <QPoint>
#include <QString>
#include <optional>

class QWidget;

namespace waferpair::gui::input {

// Modifier keys are pressed before and let go after it, as hands do.
void pressKey(const QWidget* widget, Qt::Key key, Qt::KeyboardModifiers modifiers = {});
// Presses one chord after the other.
void pressKey(const QWidget* widget, const QKeySequence& chords);
// Types as on a keyboard, a key for each character; '\n' is Return, '\t' is Tab. Characters beyond
// Unicode's first plane (emoji, say) are on no keyboard and are composed.
void type(const QWidget* widget, const QString& text);
// Gives text to the focused widget as an input method does: composed first, then committed.
void compose(const QString& text);

void click(QWidget* widget, QPoint position, Qt::MouseButton button = Qt::LeftButton,
           Qt::KeyboardModifiers modifiers = {});
void doubleClick(QWidget* widget, QPoint position);
void moveMouse(QWidget* widget, QPoint position);
// Drags with the left button down, in a few moves.
void drag(QWidget* from, QPoint start, QWidget* to, QPoint end);
// Turns the wheel by `degrees`: 15 is a notch, away from the hand (up) is positive.
void wheel(QWidget* widget, QPoint position, QPoint degrees, Qt::KeyboardModifiers modifiers = {});

// Types a character and works through events until `surface` (the widget that shows the text) has
// been painted: milliseconds from the key to the end of its window's round of paints, when the
// picture is the window system's. Nothing when it was not painted within a second.
std::optional<double> typeAndPaint(QWidget* surface, QChar character);

}  // namespace waferpair::gui::input
