// SPDX-License-Identifier: GPL-3.0-or-later
// A text of ours in the clipboard or under the mouse: as characters for everybody, and with bytes
// that are none for us.
#pragma once

#include <QByteArray>

class QMimeData;

namespace waferpair::editor {

// The caller owns what is returned.
QMimeData* clipOf(const QByteArray& utf8);
// Adds what characters cannot say of the text that is in `data`.
void addBytes(QMimeData* data, const QByteArray& utf8);
// The text as it was copied.
QByteArray clippedText(const QMimeData& data);
bool hasBytes(const QMimeData& data);

}  // namespace waferpair::editor
