// SPDX-License-Identifier: GPL-3.0-or-later
// A function for each kind of question. Private to this room.
#pragma once

#include "runtime/experiment/experiment.h"
#include "runtime/experiment/settings.h"
#include "runtime/wafer/plan/shape.h"

namespace waferpair::experiment {

base::Result<Answer> answerWafer(Settings& settings);
base::Result<Answer> answerGpu(Settings& settings);
base::Result<Answer> answerMesh(Settings& settings);
// What the vendor says of a wafer as a whole, beside what its PEs add up to.
base::Result<Answer> answerMachine(Settings& settings);
// A row of a published table beside ours.
base::Result<Answer> answerPaper(Settings& settings);

// What wafers and GPUs are asked in the same words: model, bits.
base::Result<wafer::ModelShape> shapeOf(Settings& settings);

// What a request is: prompt, output, requests, draft, acceptance.
struct Request {
  std::optional<int> prompt, output, requests, draft;
  std::optional<double> acceptance;
};
Request requestOf(Settings& settings);

}  // namespace waferpair::experiment
