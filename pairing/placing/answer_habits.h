// SPDX-License-Identifier: GPL-3.0-or-later
// What a model does to all that it writes: entities of HTML, quotes and blanks as printed texts
// have them.
#pragma once

#include <QString>
#include <QVector>

#include "editor/text/snapshot.h"
#include "pairing/answers/answer.h"
#include "pairing/placing/sign_spellings.h"

namespace waferpair::pairing {

// The answer with that undone, where something shows it: a quote that stands in the text only so,
// or such a sign where the language of the file has no place for it.
QVector<ProposedChange> withoutHabits(QVector<ProposedChange> changes, const editor::Snapshot& text,
                                      const QString& path);

// Code that holds fences, for a text that has none, is an answer within a fence: it becomes what
// that holds.
QVector<ProposedChange> withoutWrapping(const QVector<ProposedChange>& changes,
                                        const editor::Snapshot& text, const QString& path);

// Code without a first line that only says in a comment which file this is, where the text of that
// has no such line.
QByteArray withoutOwnName(const QByteArray& code, const editor::Snapshot& text,
                          const QString& path);

// The signs of a text, to be compared with those of changes to it.
class TextSigns {
 public:
  explicit TextSigns(const editor::Snapshot& text);
  // Such signs come into the text, which has none, and nothing shows whether they are meant.
  bool areOddIn(const ProposedChange& change) const;

 private:
  QByteArray text_;
  SignSpellings spellings_;
};

}  // namespace waferpair::pairing
