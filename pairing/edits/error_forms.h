// SPDX-License-Identifier: GPL-3.0-or-later
// How compilers, linters, linkers and test runners write that something is wrong at a place, where
// it is not simply "path:line: message". Values.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QVector>

namespace waferpair::pairing {

// A form captures "path" and perhaps "line", "column", "message" and "symbol" by name.
struct PlaceForm {
  enum class Says {
    kItself,    // the message is in the line
    kBefore,    // in the nearest line above that says what is wrong
    kBehind,    // below the frames of a traceback
    kIndented,  // in the indented lines that follow
    kNextLine,  // in the line that follows
    kOwn,       // a tool's own form, which tells of errors only, or calls itself a warning
  };
  QRegularExpression pattern;
  Says says;
};

const QVector<PlaceForm>& placeForms();

// What a message weighs by the words and codes that it begins with, or by those of its line.
enum class Weight { kUnknown, kMild, kWarning, kError };
Weight weightOf(const QString& message, const QString& line);

bool saysError(const QString& line);
bool saysWarning(const QString& line);

}  // namespace waferpair::pairing
