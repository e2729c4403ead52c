// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/threads/merge_threads.h"

#include <algorithm>

namespace waferpair::pairing {
namespace {

// Where a message of theirs goes: behind the one that it follows there, else at the end.
qsizetype placeBehind(const Thread& thread, const Message* before) {
  const Message* found = before ? thread.find(before->id) : nullptr;
  return found ? found - thread.messages.constData() + 1 : thread.messages.size();
}

}  // namespace

Thread mergedThread(const Thread& base, const Thread& ours, const Thread& theirs) {
  Thread merged = ours;
  if (ours.title == base.title) merged.title = theirs.title;
  if (ours.draft == base.draft) merged.draft = theirs.draft;
  if (ours.summary == base.summary) merged.summary = theirs.summary;
  if (ours.sendsWhole == base.sendsWhole) merged.sendsWhole = theirs.sendsWhole;
  merged.changed = std::max(ours.changed, theirs.changed);
  merged.messages.clear();
  for (const Message& message : ours.messages) {
    const Message* was = base.find(message.id);
    const Message* their = theirs.find(message.id);
    const bool isUntouched = was && message == *was;
    if (isUntouched && !their) continue;  // they removed it
    merged.messages.append(isUntouched ? *their : message);
  }
  const Message* before = nullptr;
  for (const Message& message : theirs.messages) {
    const Message* was = base.find(message.id);
    // One that we removed comes back only if they went on with it.
    const bool isWanted = !was || message != *was;
    if (isWanted && !merged.find(message.id))
      merged.messages.insert(placeBehind(merged, before), message);
    before = &message;
  }
  return merged;
}

}  // namespace waferpair::pairing
