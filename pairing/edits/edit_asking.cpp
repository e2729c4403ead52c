// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/edit_asking.h"

#include <utility>

#include "pairing/edits/rewrite_request.h"

namespace waferpair::pairing {
namespace {

editor::Result<ModelRequest> requestFor(const EditTask& task, const EditModel& model) {
  const qint64 most = mostEditBytes(model.contextTokens);
  auto request =
      model.form == EditForm::kRewrite ? rewriteRequest(task, most) : editRequest(task, most);
  if (request) request->waitsOut = true;
  if (request && model.temperature) request->temperature = model.temperature;
  return request;
}

}  // namespace

editor::Result<std::unique_ptr<EditRun>> askForEdit(const EditTask& task, const EditModel& model,
                                                    editor::Hunks* hunks, EditRun::Text text) {
  auto request = requestFor(task, model);
  if (!request) return tl::unexpected(request.error());
  // The instruction, too, is a text that may have a key in it.
  auto shown = ShownRequest::of(*request);
  if (!shown) return tl::unexpected(shown.error());
  auto run = std::make_unique<EditRun>(task, model.endpoint->send(*shown), hunks, std::move(text));
  if (model.form == EditForm::kRewrite) {
    run->mayAskAgain([task, model](int attempt) -> std::unique_ptr<ModelReply> {
      Endpoint* endpoint = model.later ? model.later() : model.endpoint;
      const auto again = rewriteRequest(task, mostEditBytes(model.contextTokens), attempt);
      const auto shownAgain = again ? ShownRequest::of(*again) : tl::unexpected(again.error());
      return endpoint && shownAgain ? endpoint->send(*shownAgain) : nullptr;
    });
  }
  return run;
}

std::unique_ptr<ModelReply> readAhead(const EditTask& task, const EditModel& model) {
  auto request = requestFor(task, model);
  if (!request) return nullptr;
  request->mostOutputTokens = 1;
  request->waitsOut = false;
  const auto shown = ShownRequest::of(std::move(*request));
  return shown ? model.endpoint->send(*shown) : nullptr;
}

}  // namespace waferpair::pairing
