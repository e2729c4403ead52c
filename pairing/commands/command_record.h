// SPDX-License-Identifier: GPL-3.0-or-later
// A command that was run on the user's word. Values.
#pragma once

#include <QString>
#include <optional>

namespace waferpair::pairing {

struct CommandRecord {
  QString command;              // as it was run
  QString folder;               // absolute
  QString output;               // both streams, perhaps with a part left out in its middle
  std::optional<int> exitCode;  // none: it was stopped, or ended by a signal
  bool operator==(const CommandRecord&) const = default;
};

}  // namespace waferpair::pairing
