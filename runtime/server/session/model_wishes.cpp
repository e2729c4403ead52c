// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/model_wishes.h"

#include <string>
#include <utility>

#include "runtime/protocol/messages.h"

namespace waferpair::server {

namespace field = protocol::field;
namespace request = protocol::request;

namespace {

std::vector<transformer::AdapterFile> readAdapters(JsonFields& fields) {
  std::vector<transformer::AdapterFile> adapters;
  const Json& listed = fields.list(field::model_load::kAdapters);
  for (std::size_t i = 0; i < listed.size() && !fields.problem(); ++i) {
    JsonFields entry = fields.entry(field::model_load::kAdapters, i);
    transformer::AdapterFile& adapter = adapters.emplace_back();
    adapter.path = entry.text(field::adapter::kFile);
    adapter.factor = static_cast<float>(entry.number(field::adapter::kFactor));
    if (!entry.problem() &&
        (!adapter.path.starts_with('/') || adapter.path.find('\0') != std::string::npos))
      entry.fail(field::adapter::kFile, "is no absolute path.",
                 "Give that of a GGUF file with an adapter.");
    fields.adopt(entry);
  }
  return adapters;
}

}  // namespace

ModelWishes::ModelWishes(Client& client, Dispatch& dispatch) : client_(client) {
  using Wish = std::pair<std::string, bool>;
  dispatch.add(
      request::kModelLoad,
      [](JsonFields& fields) {
        ModelSource model{fields.text(field::model_load::kModel)};
        if (!fields.problem() && model.file.find('\0') != std::string::npos)
          fields.fail(field::model_load::kModel, "has a zero byte in it.",
                      "Give a path or a name.");
        model.adapters = readAdapters(fields);
        if (!fields.problem() && !model.adapters.empty() && !model.file.starts_with('/'))
          fields.fail(field::model_load::kAdapters, "are for a path only.",
                      "Give the absolute path of the model's file.");
        return std::pair(std::move(model), fields.boolean(field::model_load::kNow));
      },
      [this](const std::pair<ModelSource, bool>& wish) { load(wish.first, wish.second); });
  dispatch.add(
      request::kModelUnload,
      [](JsonFields& fields) {
        return Wish(fields.text(field::model_unload::kModel),
                    fields.boolean(field::model_unload::kForget));
      },
      [this](const Wish& wish) { unload(wish.first, wish.second); });
}

void ModelWishes::load(const ModelSource& model, bool now) {
  Models& models = client_.models();
  // A server that has not begun offers nothing to which a file could be added.
  if (!models.first()) return client_.refuse(client_.hub().notReady());
  const auto wanted = model.file.starts_with('/') ? models.offer(model) : models.find(model.file);
  if (!wanted) return client_.refuse(wanted.error());
  if (now) models.load(*wanted);
}

void ModelWishes::unload(const std::string& model, bool forget) {
  Models& models = client_.models();
  const auto wanted = models.find(model);
  if (!wanted) return client_.refuse(wanted.error());
  const auto problem = forget ? models.forget(*wanted) : models.unload(*wanted);
  if (problem) client_.refuse(*problem);
}

}  // namespace waferpair::server
