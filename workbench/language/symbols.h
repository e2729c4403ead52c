// SPDX-License-Identifier: GPL-3.0-or-later
// The names that a file or a project declares, as a server answers (LSP 3.17, DocumentSymbol,
// SymbolInformation and WorkspaceSymbol). Values.
#pragma once

#include <QJsonValue>
#include <QString>
#include <QVector>

#include "workbench/language/location.h"

namespace waferpair::workbench {

struct Symbol {
  QString name;
  QString inside;  // "Outer::Inner": what it is declared in; empty: nothing that has a name
  QString kind;    // "function"; empty: of no kind that is known
  Location place;  // of its name

  bool operator==(const Symbol&) const = default;
};

// One of the names that a text declares, with all that belongs to it.
struct OutlineSymbol {
  QString name;
  QString kind;     // "function"; empty: of no kind that is known
  QString detail;   // of its type or parameters, as the server has it; may be empty
  ByteRange range;  // of the whole declaration
  ByteRange place;  // of its name, within `range`
  int parent = -1;  // the index of the symbol that it is declared in, which comes before it
  int depth = 0;    // the number of symbols around it

  bool operator==(const OutlineSymbol&) const = default;
};

// "function", of a kind as the protocol numbers it; empty: none that is known.
QString symbolKindName(int kind);

inline constexpr qsizetype kMostSymbols = 20'000;
inline constexpr int kDeepestSymbol = 64;

// In the order of the answer, those inside of another behind it; `path`: the file asked about.
QVector<Symbol> readDocumentSymbols(const QJsonValue& answer, const QString& path, ColumnUnit unit);
// The same as a tree, at the bytes of `text`, of which the server was asked. An answer that is no
// tree becomes one by which range lies in which.
QVector<OutlineSymbol> readOutline(const QJsonValue& answer, const editor::Snapshot& text,
                                   ColumnUnit unit);
// Those in local files.
QVector<Symbol> readProjectSymbols(const QJsonValue& answer, ColumnUnit unit);

}  // namespace waferpair::workbench
