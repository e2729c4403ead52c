// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as lines from whoever drives the window: each is a request or a refusal, and whatever
// is answered to it is one line of JSON.
#include <QJsonDocument>
#include <cstdint>
#include <cstdlib>

#include "gui/automation/rpc.h"

namespace {

using namespace waferpair::gui;

void check(const QJsonValue& id, const RpcResult& result) {
  const QByteArray line = answerLine(id, result);
  if (line.count('\n') != 1 || !line.endsWith('\n')) std::abort();
  const QJsonObject answer = QJsonDocument::fromJson(line).object();
  if (answer.contains(QLatin1String("result")) == answer.contains(QLatin1String("error")) ||
      !answer.contains(QLatin1String("id")))
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  for (const QByteArray& line : bytes.split('\n')) {
    const auto request = parseRequest(line);
    if (!request) {
      check(request.error().id, tl::unexpected<RpcError>(request.error().error));
      continue;
    }
    // Reads fields of all kinds, as the methods do.
    JsonFields params(request->params);
    const QString text = params.text({.name = "text", .bytes = 100});
    const int depth = params.small({.name = "depth", .low = 1, .high = 64, .fallback = 64});
    if (text.size() > 100 || depth < 1 || depth > 64) std::abort();
    (void)params.boolean({.name = "at_once"});
    (void)params.value({.name = "element"});
    const auto problem = wrongParams(params);
    if (request->wantsAnswer())
      check(request->id,
            problem ? RpcResult(tl::unexpected<RpcError>(*problem)) : RpcResult(QJsonValue(text)));
  }
  return 0;
}
