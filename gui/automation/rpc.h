// SPDX-License-Identifier: GPL-3.0-or-later
// JSON-RPC 2.0, a message a line, as values: any bytes in, checked requests out. One request a
// line; batches are refused. Qt Core only, any thread.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <optional>
#include <tl/expected.hpp>
#include <utility>

#include "editor/text/result.h"
#include "gui/store/json_fields.h"

namespace waferpair::gui {

// An error as JSON-RPC tells it: with a code ("message" and "data.remedy" are the error's own).
struct RpcError : editor::Error {
  // The first five are the standard's; its range from -32000 down is for programs.
  enum Code {
    kParseError = -32700,
    kInvalidRequest = -32600,
    kUnknownMethod = -32601,
    kInvalidParams = -32602,
    kInternal = -32603,
    kNotFound = -32000,     // there is no such document, command, element ...
    kNotPossible = -32001,  // there is, but not now
    kTimeout = -32002,
  };
  RpcError(Code code, editor::Error why) : Error(std::move(why)), code(code) {}

  Code code;
};

using RpcResult = tl::expected<QJsonValue, RpcError>;

inline tl::unexpected<RpcError> rpcFail(RpcError::Code code, const QString& what,
                                        const QString& remedy = {}) {
  return tl::unexpected<RpcError>(RpcError(code, {what, remedy}));
}

struct RpcRequest {
  QJsonValue id = QJsonValue::Undefined;  // string, number or null; undefined: wants no answer
  QString method;
  QJsonObject params;

  bool wantsAnswer() const { return !id.isUndefined(); }
};

// A request that was refused, with the id to answer under (null where it could not be read).
struct RpcRefusal {
  QJsonValue id = QJsonValue::Null;
  RpcError error;
};

tl::expected<RpcRequest, RpcRefusal> parseRequest(const QByteArray& line);

// Returns the answer as a line, with its line end.
QByteArray answerLine(const QJsonValue& id, const RpcResult& result);

// Returns the first problem with a request's params, if there is one: a handler reads all that it
// needs, asks for this once, and only then acts.
std::optional<RpcError> wrongParams(const JsonFields& params);

}  // namespace waferpair::gui
