// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/mentions.h"

#include <algorithm>

namespace waferpair::pairing {
namespace {

bool mayBeginMention(QStringView text, qsizetype at) {
  if (text[at] != u'@') return false;
  if (at == 0) return true;
  const QChar before = text[at - 1];
  return before.isSpace() || before == u'(' || before == u'[' || before == u',';
}

// Returns where an unquoted name that begins at `from` ends: without the signs that end a clause.
qsizetype plainEnd(QStringView text, qsizetype from) {
  qsizetype end = from;
  while (end < text.size() && !text[end].isSpace()) ++end;
  while (end > from && QStringView(u".,;:!?)]'\"").contains(text[end - 1])) --end;
  return end;
}

Mention::Kind kindOfName(QStringView name) {
  if (name == QLatin1String(kSelectionMention)) return Mention::Kind::kSelection;
  if (name == QLatin1String(kOpenFilesMention)) return Mention::Kind::kOpenFiles;
  if (name == QLatin1String(kDiffMention)) return Mention::Kind::kDiff;
  if (name == QLatin1String(kDiagnosticsMention)) return Mention::Kind::kDiagnostics;
  if (name == QLatin1String(kTerminalMention)) return Mention::Kind::kTerminal;
  return Mention::Kind::kName;
}

}  // namespace

QVector<Mention> mentionsIn(QStringView text) {
  QVector<Mention> found;
  for (qsizetype at = 0; at < text.size(); ++at) {
    if (!mayBeginMention(text, at)) continue;
    qsizetype from = at + 1;
    qsizetype end = 0;
    qsizetype past = 0;
    if (from < text.size() && text[from] == u'"') {
      ++from;
      end = text.indexOf(u'"', from);
      if (end < 0) continue;
      past = end + 1;
    } else {
      past = end = plainEnd(text, from);
    }
    if (end == from) continue;
    const QStringView name = text.sliced(from, end - from);
    const Mention::Kind kind = kindOfName(name);
    found.append({kind, kind == Mention::Kind::kName ? name.toString() : QString(), at, past - at});
    at = past - 1;
  }
  return found;
}

bool mentionsSeveralFiles(QStringView text) {
  int names = 0;
  for (const Mention& mention : mentionsIn(text)) {
    switch (mention.kind) {
      case Mention::Kind::kOpenFiles:
      case Mention::Kind::kDiff:
      case Mention::Kind::kDiagnostics:
        return true;
      case Mention::Kind::kSelection:
      case Mention::Kind::kTerminal:
        break;
      case Mention::Kind::kName:
        if (mention.name.endsWith(u'/') || ++names > 1) return true;
    }
  }
  return false;
}

std::optional<MentionStart> mentionAt(QStringView text, qsizetype caret) {
  const qsizetype from = caret > 0 ? text.lastIndexOf(u'@', caret - 1) : -1;
  if (from < 0 || !mayBeginMention(text, from)) return std::nullopt;
  QStringView typed = text.sliced(from + 1, caret - from - 1);
  if (typed.startsWith(u'"')) {
    typed = typed.sliced(1);
    if (typed.contains(u'"') || typed.contains(u'\n')) return std::nullopt;
  } else if (std::any_of(typed.begin(), typed.end(), [](QChar c) { return c.isSpace(); })) {
    return std::nullopt;
  }
  return MentionStart{from, typed.toString()};
}

QString mentionOf(const QString& name) {
  const bool quoted = std::any_of(name.begin(), name.end(), [](QChar c) { return c.isSpace(); });
  return quoted ? QStringLiteral("@\"%1\"").arg(name) : u'@' + name;
}

}  // namespace waferpair::pairing
