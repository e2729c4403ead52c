// SPDX-License-Identifier: GPL-3.0-or-later
// Code as the rules for rewritten functions see it (lost_names.h, wishes.h): read once for all of
// them.
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QHash>
#include <QString>

#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {

struct ReadCode {
  ReadCode(const QByteArray& code, const LanguageFamily& family);

  int count(const QString& word) const { return counts.value(word.toUtf8()); }

  CodeText text;
  // Words and marks in order, without comments and strings, and how often each stands there.
  QByteArrayList words;
  QHash<QByteArray, int> counts;
};

// A function, or other lines, as they were and as they were written anew.
struct Rewriting {
  Rewriting(const QByteArray& was, const QByteArray& is, const LanguageFamily& family)
      : before(was, family), after(is, family) {}

  ReadCode before;
  ReadCode after;
};

}  // namespace waferpair::pairing
