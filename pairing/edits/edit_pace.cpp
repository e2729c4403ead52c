// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/edit_pace.h"

namespace waferpair::pairing {

void EditPace::measured(const QString& modelId, double ms) {
  const auto before = ms_.constFind(modelId);
  ms_[modelId] = before == ms_.constEnd() ? ms : (*before + ms) / 2;
}

bool EditPace::isQuick(const QString& modelId) const {
  const auto ms = ms_.constFind(modelId);
  return ms != ms_.constEnd() && *ms <= kQuickMs;
}

}  // namespace waferpair::pairing
