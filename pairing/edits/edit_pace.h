// SPDX-License-Identifier: GPL-3.0-or-later
// How long models take for edits in place on this computer, measured as edits are made. Not
// thread-safe.
#pragma once

#include <QHash>
#include <QString>

namespace waferpair::pairing {

class EditPace {
 public:
  // A model that answers within this time, in milliseconds, keeps up with who types an instruction.
  static constexpr double kQuickMs = 1'200;

  // The time from sending a request to the end of its whole answer.
  void measured(const QString& modelId, double ms);
  // False also while nothing was measured.
  bool isQuick(const QString& modelId) const;

 private:
  QHash<QString, double> ms_;  // by model; later measurements weigh more
};

}  // namespace waferpair::pairing
