// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/model_wishes.h"

#include <string>
#include <utility>

#include "runtime/protocol/messages.h"

namespace waferpair::server {

namespace field = protocol::field;
namespace request = protocol::request;

ModelWishes::ModelWishes(Client& client, Dispatch& dispatch) : client_(client) {
  using Wish = std::pair<std::string, bool>;
  dispatch.add(
      request::kModelLoad,
      [](JsonFields& fields) {
        Wish wish(fields.text(field::model_load::kModel), fields.boolean(field::model_load::kNow));
        if (!fields.problem() && wish.first.find('\0') != std::string::npos)
          fields.fail(field::model_load::kModel, "has a zero byte in it.",
                      "Give a path or a name.");
        return wish;
      },
      [this](const Wish& wish) { load(wish.first, wish.second); });
  dispatch.add(
      request::kModelUnload,
      [](JsonFields& fields) {
        return Wish(fields.text(field::model_unload::kModel),
                    fields.boolean(field::model_unload::kForget));
      },
      [this](const Wish& wish) { unload(wish.first, wish.second); });
}

void ModelWishes::load(const std::string& model, bool now) {
  Models& models = client_.models();
  // A server that has not begun offers nothing to which a file could be added.
  if (!models.first()) return client_.refuse(client_.hub().notReady());
  const auto wanted = model.starts_with('/') ? models.offer(model) : models.find(model);
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
