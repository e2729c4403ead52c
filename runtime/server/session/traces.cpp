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

}  // namespace

Traces::Wish Traces::readWish(JsonFields& fields) {
  std::string file = fields.text(field::trace_start::kFile);
  const bool whole = file.starts_with('/') && file.find('\0') == std::string::npos;
  if (!fields.problem() && (!whole || !file.ends_with(".wptrace")))
    fields.fail(
        field::trace_start::kFile, "is \"" + file + "\".",
        "Give an absolute path that ends in .wptrace, so that no other file is overwritten.");
  return {std::move(file), fields.text(field::trace_start::kModel)};
}

Traces::Traces(Client& client, Dispatch& dispatch) : client_(client) {
  dispatch.add(request::kTraceStart, readWish, [this](const Wish& wish) { start(wish); });
  dispatch.add(request::kTraceStop, [this] { stop(); });
}

void Traces::start(const Wish& wish) {
  const auto model = client_.models().find(wish.model);
  if (!model) return client_.refuse(model.error());
  const inference::Engine* engine = (*model)->engine();
  if (!engine) return client_.refuse(Models::notInMemory(model->get()));
  if (const auto running = client_.commons().recording.lock())
    return client_.refuse({code::kTraceFailed,
                           field::trace_start::kFile,
                           {"A trace is being recorded already, into " + running->path() + ".",
                            "Stop that one first: one is recorded at a time."}});
  const std::string& file = wish.file;
  auto started = TraceRecorder::start(engine->model(), file);
  if (!started)
    return client_.refuse({code::kTraceFailed, field::trace_start::kFile, started.error()});
  client_.commons().recording = recorder_ = std::move(*started);
  recorded_ = (*model)->use();
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
  auto written = std::exchange(recorder_, nullptr)->stop();
  recorded_.reset();
  return written;
}

void Traces::ended() {
  if (!recorder_) return;
  if (const auto written = end(); !written) client_.hub().log().line(written.error().message());
}

}  // namespace waferpair::server
