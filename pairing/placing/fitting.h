// SPDX-License-Identifier: GPL-3.0-or-later
// A change put into a text once it is known where the lines of its old text stand there.
#pragma once

#include <QVector>
#include <optional>
#include <utility>

#include "pairing/placing/line_replacement.h"
#include "pairing/placing/reindent.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

// Bytes [start, end) of the text become `text`: from the first line that changes to the last.
struct Fitted {
  qint64 start = 0;
  qint64 end = 0;
  QByteArray text;
};

// Lines that stay are the text's own, new ones are indented as the text is (`asWritten`: as they
// are), and line ends are those of the lines around. `places[i]` is the line of the text that line
// i of the old text is; -1: none, but for lines that change. None: how a new line is to be indented
// is not clear.
std::optional<Fitted> fitted(const QByteArray& text, const QByteArray& oldText,
                             const QByteArray& newText, const QVector<LineReplacement>& changes,
                             const QVector<qint64>& places, bool asWritten = false);

}  // namespace waferpair::pairing
