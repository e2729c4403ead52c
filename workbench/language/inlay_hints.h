// SPDX-License-Identifier: GPL-3.0-or-later
// What a server knows of names in a text beyond what is written there: what parameters are called,
// what types are deduced (LSP 3.17, InlayHint). Values and pure functions.
#pragma once

#include <QJsonValue>
#include <QString>
#include <QVector>

#include "workbench/language/protocol_place.h"

namespace waferpair::workbench {

struct InlayHint {
  enum class Kind { kType, kParameter, kOther };
  qint64 at = 0;  // a byte of the text
  QString label;  // ": int", "width:"
  Kind kind = Kind::kOther;

  bool operator==(const InlayHint&) const = default;
};

inline constexpr qsizetype kMostInlayHints = 20'000;

// In the order of their places, at the bytes of `text`, of which the server was asked. Reads the
// protocol's form and clangd's own before that.
QVector<InlayHint> readInlayHints(const QJsonValue& answer, const editor::Snapshot& text,
                                  ColumnUnit unit);

struct InlayNote {
  qint64 at = 0;  // a byte of the line
  QString text;

  bool operator==(const InlayNote&) const = default;
};

// For each line with hints what can be read by itself behind the line, where a hint no longer
// stands beside what it is about: "width: 3 · it: const_iterator".
QVector<InlayNote> inlayNotes(const QVector<InlayHint>& hints, const editor::Snapshot& text);

}  // namespace waferpair::workbench
