// SPDX-License-Identifier: GPL-3.0-or-later
// `waferpair --apply FILE < ANSWER`: what a model proposes for a file, put into its text without a
// window. Needs an application object, and no display.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace waferpair::gui {

struct AppliedAnswer {
  enum class Status { kAllPlaced = 0, kSomeUnplaced = 1, kBadInput = 2 };
  Status status = Status::kAllPlaced;
  QByteArray result;     // the file's bytes with the changes in them; empty for kBadInput
  QStringList problems;  // one for each change that has no place, with its text to copy
};

// The file itself stays as it is; one that is not there counts as empty.
AppliedAnswer applyAnswer(const QString& path, const QByteArray& answer);

}  // namespace waferpair::gui
