// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/change_items.h"

#include "editor/text/translate.h"

namespace waferpair::pairing {

void addChange(ContextCollector* collector, const FileChange& change) {
  const auto kind = ContextItem::Kind::kDiff;
  const QString name = translate("diff of %1").arg(collector->shown(change.path, change.path));
  QString reason = collector->reasonOf(change.oldPath);
  if (reason.isEmpty()) reason = collector->reasonOf(change.path);
  if (reason.isEmpty()) reason = secretIn(projectBytes(change.path));
  if (reason.isEmpty()) reason = secretIn(change.before);
  if (reason.isEmpty()) reason = secretIn(change.after);
  if (reason.isEmpty() && change.isTooLong) reason = translate("it is too long");
  if (reason.isEmpty() && change.patch.isEmpty()) reason = translate("it is no text");
  if (reason.isEmpty()) {
    collector->add(kind, name, change.path, change.patch);
  } else {
    collector->leaveOut(kind, name, change.path, reason);
  }
}

}  // namespace waferpair::pairing
