// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/local_source.h"

#include <filesystem>
#include <future>

#include "runtime/server/core/events.h"

namespace waferpair::waferctl {

base::Result<std::unique_ptr<Source>> LocalSource::load(const std::string& path,
                                                        const inference::CompileOptions& options) {
  auto model = inference::CompiledModel::load(path, options);
  if (!model) return tl::unexpected(model.error());
  auto engine = inference::Engine::make(std::move(*model));
  if (!engine) return tl::unexpected(engine.error());
  return std::unique_ptr<Source>(new LocalSource(std::move(*engine)));
}

Json LocalSource::model() const { return server::modelJson(engine_->model().card()); }

template <typename Request>
base::Result<Json> LocalSource::run(Request request, const OnText& onText) {
  std::promise<inference::JobReport> ended;
  request.limits.received = inference::Clock::now();
  engine_->submit(
      std::move(request),
      {.onText = [&onText](std::string text) { onText(text); },
       .onDone = [&ended](const inference::JobReport& report) { ended.set_value(report); },
       .onBegin = nullptr});
  const inference::JobReport report = ended.get_future().get();
  if (report.reason == inference::StopReason::kFailed ||
      report.reason == inference::StopReason::kInputTooLong)
    return tl::unexpected(report.error);
  return Json{{"reason", server::reasonName(report.reason)},
              {"usage", server::usageJson(report)},
              {"timings", server::timingsJson(report, engine_->model().card())}};
}

base::Result<Json> LocalSource::complete(const CursorPlace& place, const TokenLimits& limits,
                                         const OnText& onText) {
  const inference::PromptWindow window = engine_->window(place.text, place.offset);
  inference::CompletionRequest request;
  request.fileName = std::filesystem::path(place.file).filename().string();
  request.prefix = window.prefix;
  request.suffix = window.suffix;
  request.above = window.above;
  request.below = window.below;
  request.fromStart = window.fromStart;
  request.limits.maxTokens = limits.maxTokens;
  request.limits.maxLines = limits.maxLines;
  request.limits.sampling = limits.sampling;
  request.limits.speculation = limits.speculation;
  return run(std::move(request), onText);
}

base::Result<Json> LocalSource::generate(const std::string& prompt, const TokenLimits& limits,
                                         const OnText& onText) {
  inference::GenerationRequest request;
  if (limits.chat) request.chat = {{inference::ChatRole::kUser, prompt}};
  request.prompt = prompt;
  request.byLine = limits.byLine;
  request.limits.maxTokens = limits.maxTokens;
  request.limits.sampling = limits.sampling;
  request.limits.speculation = limits.speculation;
  return run(std::move(request), onText);
}

base::Result<void> LocalSource::startTrace(const std::string& path) {
  auto started = server::TraceRecorder::start(engine_->model(), path);
  if (!started) return tl::unexpected(started.error());
  trace_ = std::move(*started);
  return {};
}

base::Result<Json> LocalSource::stopTrace() {
  const auto recorder = std::move(trace_);
  const auto written = recorder->stop();
  if (!written) return tl::unexpected(written.error());
  return server::traceJson(recorder->path(), *written);
}

}  // namespace waferpair::waferctl
