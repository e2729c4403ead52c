// SPDX-License-Identifier: GPL-3.0-or-later
// From the changes in a model's answer to a set of changes of the project's files.
#pragma once

#include <QVector>

#include "pairing/answers/answer.h"
#include "pairing/changes/change_review.h"

namespace waferpair::pairing {

// A change that found no place, with its text for the user to copy.
struct LeftOverChange {
  QString path;  // as the answer has it
  QByteArray text;
  editor::Error why;
};

// Places the changes, each in its file as the ones before it leave it, and puts the files into the
// review as proposed. A change that names no file means the one at `path` (empty: none). Returns
// those that are left over.
QVector<LeftOverChange> propose(const QVector<ProposedChange>& changes, const QString& path,
                                ChangeReview* review);

}  // namespace waferpair::pairing
