// SPDX-License-Identifier: GPL-3.0-or-later
// A shadow: a model of which only the shape is here, placed on as many wafers as it takes. The
// tokens of the model that is loaded step its program: placement and cycles are the large model's,
// the text is the loaded one's.
#pragma once

#include <memory>
#include <string>

#include "runtime/inference/model/compiled_model.h"
#include "runtime/server/core/events.h"
#include "runtime/server/core/problem.h"
#include "runtime/wafer/plan/program.h"

namespace waferpair::server {

// Another model, of which only the shape is known, that the loaded one's tokens are to step.
struct ShadowSet {
  std::string shape;           // a name of the catalog, or the path of a file
  std::string weights = {};    // format of all matrices; empty: the shape's
  std::string profile = {};    // empty: the loaded model's, with its clock
  double clockGhz = 0;         // 0: the profile's
  std::string objective = {};  // what the planner looks for; empty: the lowest latency
  int context = 0;             // positions that must fit; 0: as usual (docs/protocol.md)
};

// Plans a program for CompiledModel::setShadow() of the model with this card. Takes up to some
// seconds; any thread. The problem names the field of shadow.set that is to blame.
Checked<std::shared_ptr<wafer::Program>> planShadow(const ShadowSet& wanted,
                                                    const inference::ModelCard& card);

// The shadow as shadow.changed tells it; null for none.
Json shadowJson(const wafer::Program* shadow);
// The catalog of shapes that are compiled in, the smallest first, each planned as the one above;
// `wafers` is null for one that cannot be placed.
Json shapesJson(const inference::ModelCard& card);

}  // namespace waferpair::server
