// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/traces.h"

#include <utility>

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace code = protocol::error_code;
namespace event = protocol::event;
namespace field = protocol::field;
namespace request = protocol::request;

std::string readFile(JsonFields& fields) {
  std::string file = fields.text(field::trace_start::kFile);
  const bool whole = file.starts_with('/') && file.find('\0') == std::string::npos;
  if (!fields.problem() && (!whole || !file.ends_with(".wptrace")))
    fields.fail(
        field::trace_start::kFile, "is \"" + file + "\".",
        "Give an absolute path that ends in .wptrace, so that no other file is overwritten.");
  return file;
}

}  // namespace

Traces::Traces(Client& client, Dispatch& dispatch) : client_(client) {
  dispatch.add(request::kTraceStart, readFile, [this](const std::string& file) { start(file); });
  dispatch.add(request::kTraceStop, [this] { stop(); });
}

void Traces::start(const std::string& file) {
  if (!client_.engine()) return client_.refuse(client_.hub().notReady());
  if (const auto running = client_.commons().recording.lock())
    return client_.refuse({code::kTraceFailed,
                           field::trace_start::kFile,
                           {"A trace is being recorded already, into " + running->path() + ".",
                            "Stop that one first: one is recorded at a time."}});
  auto started = TraceRecorder::start(client_.engine()->model(), file);
  if (!started)
    return client_.refuse({code::kTraceFailed, field::trace_start::kFile, started.error()});
  client_.commons().recording = recorder_ = std::move(*started);
  client_.tell(event::kTraceStarted, {{field::trace_started::kFile, file}});
}

void Traces::stop() {
  if (!recorder_)
    return client_.refuse(
        {code::kTraceFailed, {"This session records no trace.", "Send trace.start first."}});
  const std::string file = recorder_->path();
  const auto written = end();
  if (!written) return client_.refuse({code::kTraceFailed, written.error()});
  client_.tell(event::kTraceStopped, traceJson(file, *written));
}

base::Result<trace::Written> Traces::end() {
  client_.commons().recording.reset();
  return std::exchange(recorder_, nullptr)->stop();
}

void Traces::ended() {
  if (!recorder_) return;
  if (const auto written = end(); !written) client_.hub().log().line(written.error().message());
}

}  // namespace waferpair::server
