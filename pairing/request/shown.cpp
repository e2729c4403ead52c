// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/request/shown.h"

#include "editor/text/translate.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::pairing {

QString secretInText(QStringView text) {
  const auto secret = exclusions::findSecret(text.toUtf8().toStdString());
  if (!secret) return {};
  return translate("it has %1 in it")
      .arg(QString::fromUtf8(secret->kind.data(), static_cast<qsizetype>(secret->kind.size())));
}

editor::Result<void> mayShow(const QStringList& texts) {
  for (const QString& text : texts) {
    const QString secret = secretInText(text);
    if (!secret.isEmpty())
      return editor::fail(translate("Nothing was sent: %1.").arg(secret),
                          translate("Take it out of what you ask, and out of what goes along."));
  }
  return {};
}

}  // namespace waferpair::pairing
