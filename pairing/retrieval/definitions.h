// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions as far as a look at each line tells them, in whatever language: a line that begins a
// class, a function, a constant. No parser is behind it: some are missed (a return type on a line
// of its own), and a line of prose can look like one.
#pragma once

#include <QByteArray>
#include <QVector>
#include <optional>

namespace waferpair::pairing {

struct Definition {
  QByteArray name;  // without what qualifies it
  int line = 0;     // from 1

  bool operator==(const Definition&) const = default;
};

// The name that `line` defines.
std::optional<QByteArray> definedIn(QByteArrayView line);
QVector<Definition> definitionsIn(QByteArrayView utf8);
// Returns whether it is a comment from its beginning.
bool isCommentLine(QByteArrayView line);

}  // namespace waferpair::pairing
