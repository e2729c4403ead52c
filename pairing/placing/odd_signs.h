// SPDX-License-Identifier: GPL-3.0-or-later
// Entities of HTML, and quotes and blanks as printed texts have them, where the language of a file
// has no place for them: outside of strings, comments and texts of JSX.
#pragma once

#include <QByteArray>
#include <QString>

namespace waferpair::pairing {

// `text` is a piece of the file at `path`.
bool showsEntities(const QByteArray& text, const QString& path);
bool showsPrintedSigns(const QByteArray& text, const QString& path);

}  // namespace waferpair::pairing
