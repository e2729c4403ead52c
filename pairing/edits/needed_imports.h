// SPDX-License-Identifier: GPL-3.0-or-later
// What a function that was written anew needs from other files: what the answer brings in, as far
// as the function uses it, and what it forgot where the name tells.
#pragma once

#include <QByteArrayList>

#include "pairing/edits/read_code.h"

namespace waferpair::pairing {

// `text`: the file. `code`: the function. `told`: the answer's imports, each whole.
QByteArrayList neededImports(const CodeText& text, const Rewriting& code,
                             const QByteArrayList& told);

// The file with the import among its others.
QByteArray withImport(const QByteArray& text, const QByteArray& import,
                      const LanguageFamily& family, const QByteArray& lineEnd);

}  // namespace waferpair::pairing
