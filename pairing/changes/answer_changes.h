// SPDX-License-Identifier: GPL-3.0-or-later
// From the changes in a model's answer to a set of changes of the project's files.
#pragma once

#include <QVector>
#include <functional>
#include <optional>

#include "pairing/answers/answer.h"
#include "pairing/changes/change_review.h"

namespace waferpair::pairing {

// A change that found no place, with its text for the user to copy.
struct LeftOverChange {
  QString path;  // as the answer has it
  QByteArray text;
  editor::Error why;
};

// The text that the model was shown of a file, by its path in the project, where that was not the
// file as it is but one that it came from; none: it was the file.
using TextShown = std::function<std::optional<editor::Snapshot>(const QString& path)>;

// Places the changes, each in its file as the ones before it leave it, and puts the files into the
// review as proposed. A change that names no file means the one at `path` (empty: none). One of a
// text that was shown is placed there and carried over as git merges, so that it is refused where
// its lines, or those next to them, are others by now. Returns those that are left over.
QVector<LeftOverChange> propose(const QVector<ProposedChange>& changes, const QString& path,
                                ChangeReview* review, const TextShown& shown = {});

}  // namespace waferpair::pairing
