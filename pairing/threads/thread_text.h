// SPDX-License-Identifier: GPL-3.0-or-later
// Threads for people: as Markdown, and searched for words.
#pragma once

#include <QString>
#include <QVector>

#include "pairing/threads/thread.h"

namespace waferpair::pairing {

// The whole conversation with what was sent along by name, what was left out and why, and each
// answer's figures.
QString threadMarkdown(const Thread& thread);

// Says who answered and what it took: "small, this computer, port 8080: 812 tokens sent, some 40
// tokens of files, 60 answered, first token 12 ms, 240 tok/s host".
QString figuresText(const AnswerFigures& figures);

struct ThreadHit {
  QString threadId;
  QString messageId;  // the first that has the words; empty: the title has them
  QString excerpt;    // around them, on one line
};

// The threads in whose title or in one of whose messages all words stand, whatever their case; in
// the order of `threads`. All threads without an excerpt where no word is given.
QVector<ThreadHit> searchThreads(const QVector<Thread>& threads, const QString& words);

}  // namespace waferpair::pairing
