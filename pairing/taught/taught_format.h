// SPDX-License-Identifier: GPL-3.0-or-later
// The forms in which models that were taught next edits are asked and answer: a form in a file
// each. All of them rewrite some lines around the caret; what differs is how these, the text around
// and the edits so far are written down, and how the answer shows where it ends.
//
// Nobody else's model is asked so: a form that it was not taught gets an answer that looks right.
// The default model has tokens for edits in its vocabulary, and was not taught them either.
//
// Values and pure functions; any thread.
#pragma once

#include <QStringList>
#include <optional>
#include <vector>

#include "pairing/taught/edit_question.h"

namespace waferpair::pairing {

struct EditPrompt {
  QByteArray text;
  QStringList stop;      // the answer ends in front of these
  int mostTokens = 0;    // that an answer may have
  int firstLine = 0;     // of the text, the first of `lines`
  QByteArrayList lines;  // those that may be rewritten
};

// A line of an answer.
struct AnsweredLine {
  QByteArray text;
  qsizetype end = 0;  // bytes of the answer up to its end, line end included
};

// Lines [first, first + count) of a prompt's lines become `lines`, as far as these have come.
struct Rewrite {
  int first = 0;
  int count = 0;
  std::vector<AnsweredLine> lines;
  bool isWhole = false;  // nothing more will come
};

class TaughtFormat {
 public:
  virtual ~TaughtFormat() = default;

  // "Sweep"; as docs and the list of models have it.
  virtual const char* name() const = 0;
  // Nothing where the text holds the form's own marks, which would be read as such, or is too long.
  virtual std::optional<EditPrompt> prompt(const EditQuestion& question) const = 0;
  // Reads an answer, or its beginning unless it `isOver`, which means that it ended by itself.
  // Nothing where it is none in this form, or changes nothing by its own word. Takes any bytes.
  virtual std::optional<Rewrite> read(const EditPrompt& prompt, QByteArrayView answer,
                                      bool isOver) const = 0;
};

// sweepai/sweep-next-edit, 0.5B to 7B.
const TaughtFormat& sweepFormat();
// zed-industries/zeta, the first one.
const TaughtFormat& zetaFormat();
// zed-industries/zeta-2.
const TaughtFormat& zeta2Format();
// zed-industries/zeta-2.1.
const TaughtFormat& zeta21Format();

// The form that a model was taught, by the names that it goes by: the one in its file, its file's,
// its repository's. Null: it was taught none that is known here.
const TaughtFormat* taughtFormat(const QStringList& names);

// Splits an answer at LF, with what is left at its end where it `isOver`. `from` is where in the
// answer it begins.
std::vector<AnsweredLine> answeredLines(QByteArrayView text, bool isOver, qsizetype from = 0);

// Whether one of these stands in a line of the question or of its edits, or in a path.
bool holdsAny(const EditQuestion& question, const QByteArrayList& marks);

// Some more tokens than the lines are likely to have.
int tokensFor(qsizetype bytes);

}  // namespace waferpair::pairing
