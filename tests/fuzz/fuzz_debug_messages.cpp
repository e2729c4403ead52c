// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as what a debug adapter sends, and as a launch configuration: how they are cut makes no
// difference, each answer is given once, and what is read is within its limits.
#include <cstdint>
#include <cstdlib>

#include "workbench/debug/dap_connection.h"
#include "workbench/debug/dap_values.h"
#include "workbench/debug/debug_launch.h"

using namespace waferpair::workbench;
namespace programs = waferpair::programs;

namespace {

struct HeardFromAdapter {
  QByteArray sent;
  QString broken;
  int requests = 0;
  int events = 0;
  int answers = 0;
  DapAnswer answer;
};

HeardFromAdapter hearAdapter(QByteArrayView bytes, qsizetype some) {
  HeardFromAdapter heard;
  DapConnection dap;
  QObject::connect(&dap, &DapConnection::sent, [&](const QByteArray& sent) { heard.sent += sent; });
  QObject::connect(&dap, &DapConnection::broken, [&](const QString& why) {
    heard.broken = why;
    dap.close(why);
  });
  QObject::connect(&dap, &DapConnection::requested, [&](qint64 request, const QString& command) {
    ++heard.requests;
    dap.respond(request, command, {});
  });
  QObject::connect(&dap, &DapConnection::told,
                   [&](const QString&, const QJsonObject&) { ++heard.events; });
  dap.request(QStringLiteral("initialize"), {}, [&](const DapAnswer& answer) {
    ++heard.answers;
    heard.answer = answer;
  });
  for (qsizetype at = 0; at < bytes.size(); at += some)
    dap.take(bytes.sliced(at, std::min(some, bytes.size() - at)));
  dap.close(QStringLiteral("the end"));
  return heard;
}

void check(bool holds) {
  if (!holds) std::abort();
}

void readValues(const QJsonObject& body) {
  for (const Variable& each : readVariables(body)) {
    check(each.value.size() <= kMostOfValue && each.name.size() <= kMostOfDapName);
    check(each.reference >= 0 && each.indexed >= 0 && each.named >= 0);
  }
  for (const StackFrame& each : readFrames(body))
    check(each.line >= 0 && (each.path.isEmpty() || each.path.startsWith(u'/')));
  for (const Variable& each : readScopes(body)) check(each.value.isEmpty());
  for (const BoundBreakpoint& each : readBoundBreakpoints(body)) check(each.line >= -1);
  check(readThreads(body).size() <= kMostThreads);
  readExceptionFilters(body);
  readInstructions(body);
  readResult(body, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Large messages are parsed by another thread, which would need an event loop here.
  if (size >= static_cast<std::size_t>(programs::JsonMessages::kLargeMessage)) return 0;
  const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  const HeardFromAdapter whole = hearAdapter(bytes, std::max<qsizetype>(1, bytes.size()));
  const HeardFromAdapter cut = hearAdapter(bytes, 3);
  check(whole.sent == cut.sent && whole.broken == cut.broken && whole.events == cut.events &&
        whole.requests == cut.requests && whole.answer.body == cut.answer.body &&
        whole.answer.problem == cut.answer.problem);
  check(whole.answers == 1);
  readValues(whole.answer.body);

  const DebugLaunches read = readLaunchFile(bytes, QStringLiteral("launch.json"));
  for (const DebugLaunch& launch : read.launches) {
    check(!launch.name.isEmpty() && !launch.type.isEmpty());
    const ExpandedLaunch ready = expanded(launch, {QStringLiteral("/p"), {}, 1, {}});
    const QJsonObject told = argumentsFor(ready.launch, {});
    check(told.contains(u"request"));
  }
  return 0;
}
