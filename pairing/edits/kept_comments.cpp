// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/kept_comments.h"

#include <algorithm>

#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {
namespace {

// A line as code and what is said beside it, both without blanks that do not matter.
struct Said {
  QByteArray code;
  QByteArray comment;  // or a line of a string that stands alone: a description
};

QVector<Said> saidIn(const QByteArrayList& lines, const LanguageFamily& family) {
  const CodeText text(lines.join('\n'), family);
  QVector<Said> all;
  for (int line = 0; line < text.lineCount(); ++line) {
    const QByteArray whole = text.line(line).toByteArray();
    Said said;
    qint64 from = whole.size();
    bool hasCode = false;
    for (const Token& token : text.tokens(line)) {
      if (token.region == Region::kComment) {
        from = token.start - text.lineStart(line);
        break;
      }
      hasCode = hasCode || token.region == Region::kCode;
    }
    said.code = whole.first(from).simplified();
    said.comment = whole.sliced(from).simplified();
    if (!hasCode && !said.code.isEmpty() && family.tripleQuotes) {
      said.comment = said.code;
      said.code.clear();
    }
    all.append(said);
  }
  return all;
}

// The only line of this code; -1: there is none, or several.
qsizetype onlyLine(const QVector<Said>& lines, const QByteArray& code) {
  qsizetype found = -1;
  for (qsizetype i = 0; i < lines.size(); ++i) {
    if (lines[i].code != code) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

}  // namespace

std::optional<QByteArrayList> withComments(const QByteArrayList& fresh, const QByteArrayList& old,
                                           const LanguageFamily& family) {
  QByteArrayList made = fresh;
  const QVector<Said> before = saidIn(old, family);
  QVector<Said> after = saidIn(fresh, family);
  // What is said as it was stands as it did: models mend the blanks of a text.
  for (qsizetype i = 0; i < after.size(); ++i) {
    if (after[i].comment.isEmpty() || !after[i].code.isEmpty()) continue;
    const auto same = [&](const Said& line) {
      return line.code.isEmpty() && line.comment == after[i].comment;
    };
    const auto was = std::find_if(before.cbegin(), before.cend(), same);
    const bool isOnly = std::count_if(before.cbegin(), before.cend(), same) == 1;
    if (isOnly) made[i] = old[was - before.cbegin()];
  }
  QByteArray there;  // all that is said in the new lines
  for (const Said& line : after) there += line.comment + '\n';
  for (qsizetype i = 0; i < before.size();) {
    if (before[i].comment.isEmpty() || there.contains(before[i].comment)) {
      ++i;
      continue;
    }
    if (!before[i].code.isEmpty()) {  // behind code
      const qsizetype at = onlyLine(after, before[i].code);
      if (at < 0 || !after[at].comment.isEmpty()) return {};
      made[at] = old[i];
      after[at] = before[i];
      ++i;
      continue;
    }
    // Lines that say something, up to the next one of code.
    qsizetype end = i;
    QByteArrayList lost;
    for (; end < before.size() && before[end].code.isEmpty(); ++end)
      if (before[end].comment.isEmpty() || !there.contains(before[end].comment))
        lost.append(old[end]);
    const qsizetype behind = end < before.size() ? onlyLine(after, before[end].code) : -1;
    qsizetype above = i - 1;
    while (above >= 0 && before[above].code.isEmpty()) --above;
    const qsizetype ahead = above >= 0 ? onlyLine(after, before[above].code) : -1;
    const qsizetype at = behind >= 0 ? behind : ahead >= 0 ? ahead + 1 : -1;
    if (at < 0) return {};
    for (qsizetype line = 0; line < lost.size(); ++line) {
      made.insert(at + line, lost[line]);
      after.insert(at + line, Said{});
    }
    i = end;
  }
  return made;
}

}  // namespace waferpair::pairing
