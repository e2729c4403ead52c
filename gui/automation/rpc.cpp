// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/rpc.h"

#include <QJsonDocument>

namespace waferpair::gui {
namespace {

constexpr qsizetype kLongestMethod = 64;

bool isId(const QJsonValue& id) {
  return id.isUndefined() || id.isNull() || id.isString() || id.isDouble();
}

RpcRefusal refuse(const QJsonValue& id, RpcError::Code code, const QString& message,
                  const QString& remedy) {
  return {isId(id) && !id.isUndefined() ? id : QJsonValue(QJsonValue::Null),
          RpcError(code, {message, remedy})};
}

const char* kLookUp = "See docs/automation.md for the form of a request.";

}  // namespace

tl::expected<RpcRequest, RpcRefusal> parseRequest(const QByteArray& line) {
  const auto refused = [](const QJsonValue& id, RpcError::Code code, const QString& message) {
    return tl::unexpected<RpcRefusal>(refuse(id, code, message, QLatin1String(kLookUp)));
  };
  QJsonParseError parsing;
  const QJsonDocument document = QJsonDocument::fromJson(line, &parsing);
  if (parsing.error != QJsonParseError::NoError) {
    return refused({}, RpcError::kParseError,
                   QStringLiteral("The line is not JSON: %1 at byte %2.")
                       .arg(parsing.errorString())
                       .arg(parsing.offset));
  }
  if (!document.isObject()) {
    return refused({}, RpcError::kInvalidRequest,
                   QStringLiteral("A request is one JSON object; batches are not taken."));
  }
  const QJsonObject object = document.object();
  const QJsonValue id = object.value(QLatin1String("id"));
  if (!isId(id))
    return refused({}, RpcError::kInvalidRequest,
                   QStringLiteral("\"id\" is neither a string nor a number."));
  if (object.value(QLatin1String("jsonrpc")) != QLatin1String("2.0"))
    return refused(id, RpcError::kInvalidRequest, QStringLiteral("\"jsonrpc\" is not \"2.0\"."));
  const QJsonValue method = object.value(QLatin1String("method"));
  if (!method.isString() || method.toString().isEmpty() ||
      method.toString().size() > kLongestMethod)
    return refused(id, RpcError::kInvalidRequest,
                   QStringLiteral("\"method\" is not the name of a method."));
  const QJsonValue params = object.value(QLatin1String("params"));
  if (!params.isUndefined() && !params.isObject())
    return refused(id, RpcError::kInvalidRequest, QStringLiteral("\"params\" is not an object."));
  return RpcRequest{id, method.toString(), params.toObject()};
}

QByteArray answerLine(const QJsonValue& id, const RpcResult& result) {
  QJsonObject answer{{QStringLiteral("jsonrpc"), QStringLiteral("2.0")},
                     {QStringLiteral("id"), id}};
  if (result) {
    answer.insert(QStringLiteral("result"), *result);
  } else {
    const RpcError& error = result.error();
    QJsonObject told{{QStringLiteral("code"), error.code}, {QStringLiteral("message"), error.what}};
    if (!error.remedy.isEmpty())
      told.insert(QStringLiteral("data"), QJsonObject{{QStringLiteral("remedy"), error.remedy}});
    answer.insert(QStringLiteral("error"), told);
  }
  return QJsonDocument(answer).toJson(QJsonDocument::Compact) + '\n';
}

std::optional<RpcError> wrongParams(const JsonFields& params) {
  const auto problem = params.problemOrUnknown();
  return problem ? std::optional(RpcError(RpcError::kInvalidParams, *problem)) : std::nullopt;
}

}  // namespace waferpair::gui
