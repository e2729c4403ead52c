// SPDX-License-Identifier: GPL-3.0-or-later
// A model is asked for an edit in the form that suits it, and the run that reads its answer begins.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "pairing/edits/edit_run.h"
#include "pairing/request/edit_form.h"

namespace waferpair::pairing {

struct EditModel {
  Endpoint* endpoint = nullptr;
  // The same, for another attempt, or null where it is gone; empty: it lives as long as the run.
  std::function<Endpoint*()> later = {};
  EditForm form = EditForm::kBlocks;
  qint64 contextTokens = -1;  // -1: unknown
  std::optional<double> temperature = {};
};

// Fails where the target is too large for the model, or something in the request must not be shown;
// nothing is sent then. `hunks` and `text`: as EditRun has them.
editor::Result<std::unique_ptr<EditRun>> askForEdit(const EditTask& task, const EditModel& model,
                                                    editor::Hunks* hunks, EditRun::Text text);

// Has a server read what a request about this task begins with, so that it is known when the
// instruction comes. The reply says nothing. Null: it is not to be asked.
std::unique_ptr<ModelReply> readAhead(const EditTask& task, const EditModel& model);

}  // namespace waferpair::pairing
