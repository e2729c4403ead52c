// SPDX-License-Identifier: GPL-3.0-or-later
// A text may have bytes that are part of no character: they are kept. Whoever is shown the text as
// characters (a language server, a model, a regular expression) sees U+FFFD for each of them, and
// gives that back.
#pragma once

#include <QByteArray>
#include <optional>

#include "editor/text/snapshot.h"

namespace waferpair::editor {

// `outside`, as it takes the place of `replaced`, with the bytes that each U+FFFD stands for there.
// None: it has others than it was shown, and nobody can say which stand where.
std::optional<QByteArray> withBytesOf(const QByteArray& replaced, const QByteArray& outside);
// The same for a text as a whole, line by line: what is not touched needs nobody's say.
std::optional<Snapshot> withBytesOf(const Snapshot& before, const Snapshot& outside);

}  // namespace waferpair::editor
