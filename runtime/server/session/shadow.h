// SPDX-License-Identifier: GPL-3.0-or-later
// A shadow: a model of which only the shape is here, placed on as many wafers as it takes. The
// tokens of the model that is loaded step its program: placement and cycles are the large model's,
// the text is the loaded one's.
#pragma once

#include <memory>

#include "runtime/inference/model/compiled_model.h"
#include "runtime/server/core/events.h"
#include "runtime/server/session/client_message.h"
#include "runtime/wafer/plan/program.h"

namespace waferpair::server {

// For CompiledModel::setShadow() of the model with this card. Takes up to some seconds; any thread.
// The problem names the field of shadow.set that is to blame.
Checked<std::shared_ptr<wafer::Program>> planShadow(const ShadowSet& wanted,
                                                    const inference::ModelCard& card);

// As shadow.changed tells it; null for none.
Json shadowJson(const wafer::Program* shadow);
// The catalogue of shapes that are compiled in, the smallest first, each planned as the one above;
// `wafers` is null for one that cannot be placed.
Json shapesJson(const inference::ModelCard& card);

}  // namespace waferpair::server
