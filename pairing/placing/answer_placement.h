// SPDX-License-Identifier: GPL-3.0-or-later
// Puts all the changes that an answer has for one text into it, or none of them: what has no
// certain place, and what would leave the text broken, is a reason to refuse. Nothing is changed
// here.
#pragma once

#include <QVector>

#include "editor/text/snapshot.h"
#include "pairing/placing/placement.h"

namespace waferpair::pairing {

struct RefusedChange {
  ProposedChange change;
  editor::Error why;
};

struct AnswerPlacement {
  // With all of the changes in it; as it was where one was refused.
  editor::Snapshot text;
  QVector<RefusedChange> refused;

  bool isPlaced() const { return refused.isEmpty(); }
};

// Each change is placed in the text as the ones before it leave it; numbers of lines are those of
// `text`. `changes`: of this text, and no deletions or renamings. An answer that changes nothing is
// refused.
AnswerPlacement placeAnswer(const editor::Snapshot& text, const QVector<ProposedChange>& changes,
                            const CodeTarget& target);

// A change that is placed by itself, as those of an answer that streams in are: without its model's
// habits, and with a number of a line only where `others`, the changes before it, and itself show
// in `text` that their numbers are right. Fails where it has signs that the text has nowhere.
editor::Result<ProposedChange> readied(const ProposedChange& change,
                                       const QVector<ProposedChange>& others,
                                       const editor::Snapshot& text, const QString& path);

// Blocks of code of one answer, put into a text one after another. Those that are of something else
// (commands, examples) are left out, if another one is of this text.
AnswerPlacement placeCodes(const editor::Snapshot& text, const QVector<ProposedChange>& codes,
                           const CodeTarget& target);

// Returns why `after` must not take the place of `before`: it is broken where that was not. None:
// it may.
std::optional<editor::Error> brokenBy(const editor::Snapshot& before, const editor::Snapshot& after,
                                      const QString& path);

// What a whole answer makes of a file's text.
struct AnsweredText {
  enum class Status {
    kPlaced,    // all that it has for the file is in it
    kRefused,   // something has no certain place: the text is as it was
    kNoChange,  // it holds none
  };
  Status status = Status::kNoChange;
  editor::Snapshot text;
  // Why it is refused, and what is for other files or is left to the user, with its text to copy.
  QStringList problems;
};

// Reads an answer in the format that it seems to be in, without what the model thought, and puts it
// into the text of the file at `path`, if that is absolute.
AnsweredText answered(const editor::Snapshot& text, QByteArrayView answer, const QString& path);

}  // namespace waferpair::pairing
