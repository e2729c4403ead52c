// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/context_item.h"

#include "pairing/answers/code_fence.h"

namespace waferpair::pairing {

qint64 tokensOf(const QVector<ContextItem>& items) {
  qint64 sum = 0;
  for (const ContextItem& item : items) sum += item.tokens;
  return sum;
}

namespace {

// What an item is, where its name alone does not say so.
QString headOf(const ContextItem& item) {
  switch (item.kind) {
    case ContextItem::Kind::kRules:
      return item.name + QStringLiteral(": rules for you");
    case ContextItem::Kind::kFront:
      return item.name + QStringLiteral(": in front of the user");
    default:
      return item.name;
  }
}

}  // namespace

QString contextMarkdown(const QVector<ContextItem>& items) {
  QString markdown;
  for (const ContextItem& item : items) {
    if (item.outcome == ContextItem::Outcome::kKnown) {
      markdown +=
          QStringLiteral("### %1\n\nUnchanged since an earlier message.\n\n").arg(headOf(item));
    } else if (item.isSent()) {
      const QString fence = fenceAround(item.text);
      const QString lineEnd = item.text.endsWith(u'\n') ? QString() : QStringLiteral("\n");
      const QString cut = item.outcome == ContextItem::Outcome::kCut
                              ? QStringLiteral("(The rest is left out.)\n\n")
                              : QString();
      markdown += QStringLiteral("### ") + headOf(item) + QStringLiteral("\n\n") + fence + u'\n' +
                  item.text + lineEnd + fence + QStringLiteral("\n\n") + cut;
    }
  }
  return markdown;
}

}  // namespace waferpair::pairing
