// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that depend on the language a little: lines put into a block of their own, and a line that
// brings in what another file has.
#pragma once

#include "pairing/edits/plain_edits.h"

namespace waferpair::pairing {

struct Block {
  const char* keyword;  // "if"
  const char* head;     // "if (%1) {"
  const char* standIn;  // for %1, where the instruction does not say it
  const char* tail;     // its lines; those behind a tab are one level deeper
};
// Returns the blocks that the language of this name has; empty: it is not known.
QVector<Block> blocksOf(const QString& language);
QVector<editor::TextEdit> wrapped(const Block& block, const QString& condition,
                                  const PlainTask& task);

// Returns whether the language has lines that bring in what other files have.
bool hasImports(const QString& language);
// Brings in `name`, behind the lines of that kind which there are. Empty: it is there already.
QVector<editor::TextEdit> imported(const QString& name, const PlainTask& task);

}  // namespace waferpair::pairing
