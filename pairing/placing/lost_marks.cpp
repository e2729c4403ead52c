// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/lost_marks.h"

#include <QSet>
#include <QVector>
#include <algorithm>

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

struct HunkLine {
  char sign = ' ';
  QByteArray text;  // with its end
};

// The lines of the hunk in order; empty: the signs do not fit the texts.
QVector<HunkLine> linesOf(const ProposedChange& change) {
  const TextLines old(change.oldText), fresh(change.newText);
  QVector<HunkLine> lines;
  qsizetype ofOld = 0, ofNew = 0;
  for (const char sign : change.signs) {
    const bool isNew = sign == '+';
    if (isNew ? ofNew >= fresh.count() : ofOld >= old.count()) return {};
    lines.append({sign, isNew ? fresh.slice(ofNew, ofNew + 1) : old.slice(ofOld, ofOld + 1)});
    ofOld += sign != '+';
    ofNew += sign != '-';
  }
  return ofOld == old.count() && ofNew == fresh.count() ? lines : QVector<HunkLine>();
}

QByteArray upToBlanks(QByteArrayView line) {
  while (!line.isEmpty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\n'))
    line.chop(1);
  return line.toByteArray();
}

}  // namespace

editor::Result<ProposedChange> withMarks(const ProposedChange& change, const TextLines& text) {
  const bool stays = change.staying == 0 && text.has(change.oldText);
  QVector<HunkLine> lines = stays ? QVector<HunkLine>() : linesOf(change);
  if (lines.isEmpty()) return change;
  QSet<QByteArray> there;
  for (qsizetype i = 0; i < text.count(); ++i) there.insert(upToBlanks(text.line(i)));
  const auto stands = [&there](const QByteArray& line) { return there.contains(upToBlanks(line)); };
  bool isLost = change.staying > 0;
  qsizetype restored = 0;
  for (HunkLine& line : lines) {
    isLost = isLost || (line.sign == '?' && !line.text.trimmed().isEmpty());
    if (line.sign != ' ' || line.text.trimmed().isEmpty()) continue;
    if (stands(line.text) || !stands(' ' + line.text)) continue;
    line.text.prepend(' ');
    isLost = true;
    ++restored;
  }
  if (!isLost) return change;
  QVector<HunkLine*> doubted;
  qint64 staying = 0;
  const auto stay = [&staying](HunkLine* line) {
    *line = {' ', '-' + line->text};
    ++staying;
  };
  for (HunkLine& line : lines) {
    if (line.sign != '-' || !stands('-' + line.text)) continue;
    if (stands(line.text)) {
      doubted.append(&line);
    } else {
      stay(&line);
    }
  }
  if (!doubted.isEmpty() && staying + doubted.size() == change.staying)
    std::for_each(doubted.begin(), doubted.end(), stay);
  else if (!doubted.isEmpty() && staying != change.staying)
    return editor::fail(
        translate("Which lines of a hunk stay is not clear: their marks are missing."),
        translate("Ask for the change again."));
  if (restored == 0 && staying == 0) return change;
  ProposedChange made = change;
  made.oldText.clear();
  made.newText.clear();
  made.signs.clear();
  for (const HunkLine& line : std::as_const(lines)) {
    if (line.sign != '+') made.oldText += line.text;
    if (line.sign != '-') made.newText += line.text;
    made.signs += line.sign;
  }
  return made;
}

}  // namespace waferpair::pairing
