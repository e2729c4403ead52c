// SPDX-License-Identifier: GPL-3.0-or-later
// Models at the address of a ScriptedEndpoint.
#pragma once

#include <QUrl>

#include "pairing/models/model_roster.h"

namespace waferpair::pairing {

inline ModelEntry scriptedModel(const QString& name, const QUrl& base) {
  ModelEntry made;
  made.id = made.name = name;
  made.address.base = base;
  made.address.model = name.toLower();
  return made;
}

// Makes one the roster's only model, for small edits.
inline void chooseScripted(ModelRoster* roster, const QUrl& base) {
  const ModelEntry model = scriptedModel(QStringLiteral("Scripted"), base);
  roster->setModels({model});
  roster->setRole(ModelRoster::Role::kFast, model.id);
}

}  // namespace waferpair::pairing
