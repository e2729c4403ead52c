// SPDX-License-Identifier: GPL-3.0-or-later
// What each name in a text is, as a server knows it (LSP 3.17, SemanticTokens). Values and pure
// functions; any thread.
#pragma once

#include <QJsonValue>
#include <QVector>

#include "workbench/language/protocol_place.h"

namespace waferpair::workbench {

// Kinds that are drawn unlike plain code. Of what a grammar tells as well (keywords, strings,
// numbers, comments), and of plain local variables, nothing is said.
enum class TokenKind : quint8 {
  kPlain,
  kNamespace,
  kType,
  kFunction,
  kMacro,
  kParameter,
  kMember,
  kConstant,
  kInactive,  // code that is not compiled
};

struct SemanticToken {
  qint64 start = 0;  // bytes of the text
  qint64 end = 0;
  TokenKind kind = TokenKind::kPlain;

  bool operator==(const SemanticToken&) const = default;
};

// How a server numbers types and modifiers.
struct TokenLegend {
  QVector<TokenKind> kinds;  // by the number of a type
  quint32 constants = 0;     // modifiers that together make a variable a constant: read only ...
  quint32 globals = 0;       // ... and one of these
  QVector<bool> areVariables;
};

// Of "semanticTokensProvider".
TokenLegend readTokenLegend(const QJsonValue& provider);

// Five numbers each: lines and columns from the token before, length, type, modifiers.
using TokenData = QVector<quint32>;
inline constexpr qsizetype kMostTokenData = 5 * 400'000;

// What is no list of numbers, or longer than kMostTokenData, is empty.
TokenData readTokenData(const QJsonValue& list);
// Makes the edits of a SemanticTokensDelta; false, and `data` is of no use, where they do not fit.
bool editTokenData(const QJsonValue& edits, TokenData* data);

// In order, without plain ones, overlapping ones and what is beyond the text.
QVector<SemanticToken> semanticTokens(const TokenData& data, const TokenLegend& legend,
                                      const editor::Snapshot& text, ColumnUnit unit);

// Has the tokens follow an edit of the text: those that it touches end or begin with it.
void followEdit(const editor::TextEdit& edit, QVector<SemanticToken>* tokens);

}  // namespace waferpair::workbench
