// SPDX-License-Identifier: GPL-3.0-or-later
// JSON-RPC 2.0, a message a line, as values: any bytes in, checked requests out. One request a
// line; batches are refused. Qt Core only, any thread.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QSet>
#include <QString>
#include <optional>
#include <tl/expected.hpp>

namespace waferpair::gui {

// An error tells what went wrong, and what the caller can do about it ("data.remedy" on the wire).
struct RpcError {
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
  Code code = kInternal;
  QString message;
  QString remedy;
};

using RpcResult = tl::expected<QJsonValue, RpcError>;

inline tl::unexpected<RpcError> rpcFail(RpcError::Code code, const QString& message,
                                        const QString& remedy = {}) {
  return tl::unexpected<RpcError>(RpcError{code, message, remedy});
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

// Reads the fields of a request's params. The first that is missing, of the wrong type or out of
// range is remembered as the problem, and reading goes on with harmless values; so handlers read
// all they need, ask for problem() once, and only then act. A field that nobody asked for is a
// problem, too: as a rule it is one misspelt.
class RpcParams {
 public:
  // Texts are never longer: a whole file may be sent, no more.
  static constexpr qsizetype kMostText = 8 << 20;

  explicit RpcParams(QJsonObject params) : params_(std::move(params)) {}

  bool has(const char* name);
  QString text(const char* name, qsizetype most = kMostText);
  QString textOr(const char* name, const QString& fallback, qsizetype most = kMostText);
  int integerOr(const char* name, int low, int high, int fallback);
  bool booleanOr(const char* name, bool fallback);
  // The value may be of any type; it is undefined where there is none.
  QJsonValue value(const char* name);

  void fail(const char* name, const QString& message, const QString& remedy);
  std::optional<RpcError> problem() const;

 private:
  std::optional<QJsonValue> find(const char* name);

  QJsonObject params_;
  QSet<QString> asked_;
  std::optional<RpcError> problem_;
};

}  // namespace waferpair::gui
