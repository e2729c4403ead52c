// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether a text still hangs together: its brackets come in pairs and, in Python, its lines
// are indented as blocks are. No parser is behind it: strings and comments are told apart by the
// language's marks, and what cannot be judged is taken for sound.
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

#include "pairing/next_edit/language_family.h"

namespace waferpair::pairing {

struct Fault {
  qint64 line = 0;  // of the text, from 0
  QString what;     // a part of a sentence: "“}” closes nothing"

  bool operator==(const Fault&) const = default;
};

// The first fault of the text.
std::optional<Fault> faultIn(const QByteArray& text, const LanguageFamily& family);
// That of its brackets: of a piece, which may be indented as a whole.
std::optional<Fault> faultInBrackets(const QByteArray& text, const LanguageFamily& family);

// The fault that a change brought: of the text after it, where the one before had none.
std::optional<Fault> faultMade(const QByteArray& before, const QByteArray& after,
                               const LanguageFamily& family);

}  // namespace waferpair::pairing
