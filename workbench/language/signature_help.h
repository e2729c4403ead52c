// SPDX-License-Identifier: GPL-3.0-or-later
// What the call around the caret takes, as a server answers (LSP 3.17, SignatureHelp). Values.
#pragma once

#include <QJsonValue>
#include <QString>
#include <QVector>

namespace waferpair::workbench {

struct Signature {
  QString label;  // "int frobnicate(int x, int y)"
  // The UTF-16 units of the label that are the parameter at the caret; none where both are the
  // same.
  qsizetype parameterStart = 0;
  qsizetype parameterEnd = 0;
  QString about;  // what there is to say of that parameter and of the whole, as Markdown

  bool operator==(const Signature&) const = default;
};

struct SignatureHelp {
  QVector<Signature> signatures;
  qsizetype active = 0;  // the index of the one that fits best

  bool operator==(const SignatureHelp&) const = default;
};

inline constexpr qsizetype kMostSignatures = 100;

// Without signatures where nothing is called at the caret.
SignatureHelp readSignatureHelp(const QJsonValue& answer);

}  // namespace waferpair::workbench
