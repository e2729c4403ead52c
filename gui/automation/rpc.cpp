// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/rpc.h"

#include <QJsonDocument>
#include <cmath>

namespace waferpair::gui {
namespace {

constexpr qsizetype kLongestMethod = 64;

bool isId(const QJsonValue& id) {
  return id.isUndefined() || id.isNull() || id.isString() || id.isDouble();
}

RpcRefusal refuse(const QJsonValue& id, RpcError::Code code, const QString& message,
                  const QString& remedy) {
  return {isId(id) && !id.isUndefined() ? id : QJsonValue(QJsonValue::Null),
          {code, message, remedy}};
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
    QJsonObject told{{QStringLiteral("code"), error.code},
                     {QStringLiteral("message"), error.message}};
    if (!error.remedy.isEmpty())
      told.insert(QStringLiteral("data"), QJsonObject{{QStringLiteral("remedy"), error.remedy}});
    answer.insert(QStringLiteral("error"), told);
  }
  return QJsonDocument(answer).toJson(QJsonDocument::Compact) + '\n';
}

std::optional<QJsonValue> RpcParams::find(const char* name) {
  const QString key = QLatin1String(name);
  asked_.insert(key);
  const QJsonValue value = params_.value(key);
  if (value.isUndefined() || value.isNull()) return std::nullopt;
  return value;
}

bool RpcParams::has(const char* name) { return find(name).has_value(); }

QJsonValue RpcParams::value(const char* name) {
  return find(name).value_or(QJsonValue(QJsonValue::Undefined));
}

QString RpcParams::text(const char* name, qsizetype most) {
  if (!has(name)) {
    fail(name, QStringLiteral("is missing"), QStringLiteral("Give a text."));
    return {};
  }
  return textOr(name, {}, most);
}

QString RpcParams::textOr(const char* name, const QString& fallback, qsizetype most) {
  const std::optional<QJsonValue> value = find(name);
  if (!value) return fallback;
  if (!value->isString()) {
    fail(name, QStringLiteral("is not a text"), QStringLiteral("Give a JSON string."));
    return fallback;
  }
  if (value->toString().size() > most) {
    fail(name, QStringLiteral("has more than %1 characters").arg(most),
         QStringLiteral("Give a shorter one."));
    return fallback;
  }
  return value->toString();
}

int RpcParams::integerOr(const char* name, int low, int high, int fallback) {
  const std::optional<QJsonValue> value = find(name);
  if (!value) return fallback;
  const double number = value->toDouble(std::nan(""));
  if (!(number >= low && number <= high) || number != std::floor(number)) {
    fail(name, QStringLiteral("is not a whole number from %1 to %2").arg(low).arg(high),
         QStringLiteral("Give one."));
    return fallback;
  }
  return static_cast<int>(number);
}

bool RpcParams::booleanOr(const char* name, bool fallback) {
  const std::optional<QJsonValue> value = find(name);
  if (!value) return fallback;
  if (!value->isBool())
    fail(name, QStringLiteral("is neither true nor false"), QStringLiteral("Give one of both."));
  return value->toBool(fallback);
}

void RpcParams::fail(const char* name, const QString& message, const QString& remedy) {
  if (problem_) return;
  problem_ = RpcError{RpcError::kInvalidParams,
                      QStringLiteral("\"%1\" %2.").arg(QLatin1String(name), message), remedy};
}

std::optional<RpcError> RpcParams::problem() const {
  if (problem_) return problem_;
  for (auto it = params_.begin(); it != params_.end(); ++it) {
    if (asked_.contains(it.key())) continue;
    QStringList known = asked_.values();
    known.sort();
    return RpcError{RpcError::kInvalidParams,
                    QStringLiteral("There is no parameter \"%1\" here.").arg(it.key().left(64)),
                    known.isEmpty()
                        ? QStringLiteral("This method takes none.")
                        : QStringLiteral("There are: %1.").arg(known.join(QLatin1String(", ")))};
  }
  return std::nullopt;
}

}  // namespace waferpair::gui
