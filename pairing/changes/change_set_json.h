// SPDX-License-Identifier: GPL-3.0-or-later
// A set of changes as its file has it: JSON, the texts in Base64.
#pragma once

#include <QByteArray>

#include "editor/text/result.h"
#include "pairing/changes/change_set.h"

namespace waferpair::pairing {

QByteArray changeSetToJson(const ChangeSet& set);
// Fails on anything that changeSetToJson() would not have written.
editor::Result<ChangeSet> changeSetFromJson(const QByteArray& json);

}  // namespace waferpair::pairing
