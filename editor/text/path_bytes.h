// SPDX-License-Identifier: GPL-3.0-or-later
// Names of files are bytes, which need not be UTF-8. As a QString each byte that is none is a lone
// surrogate, from U+DC80 on, so that both ways lose nothing. Pure functions.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <string>

namespace waferpair::editor {

QString pathText(QByteArrayView bytes);
QByteArray pathBytes(const QString& path);
// The same for the rooms without Qt.
std::string nativePath(const QString& path);

// Whether Qt's own classes find the file: they know UTF-8 only.
bool isUtf8Path(const QString& path);
// For people, in one line: such bytes as "\xe9", characters that one does not see by their codes
// (unseen.h).
QString shownPath(const QString& path);
// The same for one of them.
bool isByteMark(char32_t character);
QString shownByte(char32_t mark);

}  // namespace waferpair::editor
