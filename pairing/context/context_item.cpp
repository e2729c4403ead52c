// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/context_item.h"

#include "pairing/answers/code_fence.h"

namespace waferpair::pairing {

qint64 tokensOf(const QVector<ContextItem>& items) {
  qint64 sum = 0;
  for (const ContextItem& item : items) sum += item.tokens;
  return sum;
}

QString contextMarkdown(const QVector<ContextItem>& items) {
  QString markdown;
  for (const ContextItem& item : items) {
    if (item.outcome == ContextItem::Outcome::kKnown) {
      markdown +=
          QStringLiteral("### %1\n\nUnchanged since an earlier message.\n\n").arg(item.name);
    } else if (item.isSent()) {
      const QString fence = fenceAround(item.text);
      const QString lineEnd = item.text.endsWith(u'\n') ? QString() : QStringLiteral("\n");
      const QString cut = item.outcome == ContextItem::Outcome::kCut
                              ? QStringLiteral("(The rest is left out.)\n\n")
                              : QString();
      markdown += QStringLiteral("### ") + item.name + QStringLiteral("\n\n") + fence + u'\n' +
                  item.text + lineEnd + fence + QStringLiteral("\n\n") + cut;
    }
  }
  return markdown;
}

}  // namespace waferpair::pairing
