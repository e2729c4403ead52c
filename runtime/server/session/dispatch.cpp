// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/dispatch.h"

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace field = protocol::field;

constexpr std::size_t kMaxTold = 256;  // bytes of an id that is told back

bool isShortText(const Json& value) {
  return value.is_string() && value.get_ref<const std::string&>().size() <= kMaxTold;
}

}  // namespace

tl::expected<Dispatch::Deed, Rejection> Dispatch::read(std::string_view text) const {
  const Checked<Json> object = parseMessage(text);
  if (!object) return tl::unexpected(Rejection{object.error(), nullptr, {}});
  JsonFields fields(*object, {}, text);
  const std::string type = fields.text(field::message::kType);
  Deed deed;
  if (const auto row = rows_.find(type); row != rows_.end())
    deed = row->second(fields);
  else
    fields.fail(field::message::kType, "\"" + type + "\" is not known.",
                "See docs/protocol.md for the types of messages.");
  if (!fields.problem()) return deed;

  Rejection rejection{*fields.problem(), nullptr, {}};
  if (rejection.problem.field == field::message::kType.name)
    rejection.problem.code = protocol::error_code::kUnknownType;
  // The id that a client gives a response is its response_id in all that is told of it.
  const bool response = type == protocol::request::kResponseCreate;
  const auto id = object->find(field::completion_create::kId.name);
  const auto responseId = object->find(response ? field::response_create::kId.name
                                                : field::response_cancel::kResponseId.name);
  if (!response && id != object->end() && (isShortText(*id) || id->is_number_integer()))
    rejection.id = *id;
  if (responseId != object->end() && isShortText(*responseId)) rejection.responseId = *responseId;
  return tl::unexpected(std::move(rejection));
}

}  // namespace waferpair::server
