// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/signature_help.h"

#include <QJsonArray>
#include <QStringList>
#include <algorithm>

#include "workbench/language/markup.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostOfSignature = 2000;       // UTF-16 units
constexpr qsizetype kMostOfSignatureAbout = 4000;  // UTF-16 units

// Reads where the parameter stands in the label: the server gives its place, or its text.
void placeParameter(Signature& signature, const QJsonArray& parameters, qsizetype index) {
  qsizetype from = 0;
  for (qsizetype i = 0; i <= index; ++i) {
    const QJsonValue label = parameters[i][u"label"];
    qsizetype start = -1, end = -1;
    if (label.isArray()) {
      start = label[0].toInteger();
      end = label[1].toInteger();
    } else if (const QString text = label.toString(); !text.isEmpty()) {
      start = signature.label.indexOf(text, from);
      end = start + text.size();
    }
    if (start < 0 || end < start || end > signature.label.size()) continue;
    // Two parameters may have the same text.
    from = end;
    if (i == index) {
      signature.parameterStart = start;
      signature.parameterEnd = end;
    }
  }
}

Signature readSignature(const QJsonValue& one, qsizetype activeParameter) {
  Signature signature;
  signature.label = one[u"label"].toString().left(kMostOfSignature);
  const QJsonArray parameters = one[u"parameters"].toArray();
  const qsizetype index = one[u"activeParameter"].toInteger(activeParameter);
  QStringList about;
  if (index >= 0 && index < parameters.size()) {
    placeParameter(signature, parameters, index);
    about.append(markdownOf(parameters[index][u"documentation"]));
  }
  about.append(markdownOf(one[u"documentation"]));
  about.removeAll(QString());
  signature.about = about.join(QStringLiteral("\n\n")).left(kMostOfSignatureAbout);
  return signature;
}

}  // namespace

SignatureHelp readSignatureHelp(const QJsonValue& answer) {
  SignatureHelp help;
  const QJsonArray list = answer[u"signatures"].toArray();
  const qsizetype parameter = answer[u"activeParameter"].toInteger(0);
  const qsizetype active = answer[u"activeSignature"].toInteger(0);
  for (qsizetype i = 0; i < list.size() && help.signatures.size() < kMostSignatures; ++i) {
    const Signature signature = readSignature(list[i], parameter);
    if (signature.label.isEmpty()) continue;
    if (i == active) help.active = help.signatures.size();
    help.signatures.append(signature);
  }
  return help;
}

}  // namespace waferpair::workbench
