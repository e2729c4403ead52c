// SPDX-License-Identifier: GPL-3.0-or-later
// What a language server finds wrong in a text. Values.
#pragma once

#include <QJsonValue>
#include <QString>
#include <QVector>

#include "editor/text/positions.h"
#include "workbench/language/protocol_place.h"

namespace waferpair::workbench {

// As the protocol numbers them.
enum class Severity { kError = 1, kWarning = 2, kInformation = 3, kHint = 4 };

struct Diagnostic {
  ByteRange range;          // of an open text, where it is by now; else empty
  editor::LinePlace place;  // of its beginning, as the server told of it; the column in its units
  Severity severity = Severity::kError;
  QString message;
  QString source;  // "clang", and the code: "pycodestyle E302"
  bool isUnnecessary = false;
  QJsonValue told;  // as it came, for questions about it

  // "unused variable 'x' (clang)"
  QString text() const;
  bool operator==(const Diagnostic&) const = default;
};

// Of one text so many are kept, the worst first where there are more.
inline constexpr qsizetype kMostDiagnostics = 2000;
inline constexpr qsizetype kMostOfMessage = 4000;  // UTF-16 units

// The ranges stay empty.
QVector<Diagnostic> readDiagnostics(const QJsonValue& list);

}  // namespace waferpair::workbench
