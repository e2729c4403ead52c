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
  // The file's bytes with all of its changes in them, or, if one of them has no certain place, with
  // none; empty for kBadInput.
  QByteArray result;
  QStringList problems;  // one for each change that is left out, with its text to copy
};

// The file itself stays as it is; one that is not there counts as empty.
AppliedAnswer applyAnswer(const QString& path, const QByteArray& answer);

}  // namespace waferpair::gui
