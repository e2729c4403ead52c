// SPDX-License-Identifier: GPL-3.0-or-later
// Answers as models give them, with the texts that they are about, in data/*.txt:
//
//   %%% text a.py          a text, for the answers that follow
//   %%% answer NAME        to that text
//   %%% becomes            what it makes of it; without this it is refused
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>

namespace waferpair::test {

struct AnswerRow {
  QString name;  // with that of its file
  QString path;
  QByteArray text;
  QByteArray answer;
  QByteArray becomes;
  bool isRefused = true;
};

// All of them; empty: a file cannot be read, or is none.
QVector<AnswerRow> answerRows();

// The lines in which `text` is not `expected`, for people to read: "-" before what is missing, "+"
// before what is too much.
QByteArray otherLines(const QByteArray& expected, const QByteArray& text);

}  // namespace waferpair::test
