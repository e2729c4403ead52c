// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/host_run.h"

#include <QJsonObject>

#include "gui/client/model_gate.h"
#include "gui/client/runtime_client.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

namespace event = protocol::event;
namespace field = protocol::field;

int lastHostRun = 0;

HostRunFigures readFigures(JsonFields response) {
  HostRunFigures figures;
  JsonFields usage = response.object(field::completion_done::kUsage);
  JsonFields timings = response.object(field::completion_done::kTimings);
  JsonFields host = timings.object(field::timings::kHost);
  figures.promptTokens = usage.integer(field::usage::kInputTokens).value_or(0);
  figures.outputTokens = usage.integer(field::usage::kOutputTokens).value_or(0);
  figures.firstTokenSeconds = host.number(field::host_timings::kFirstTokenMs).value_or(0) / 1e3;
  figures.tokensPerSecond = host.number(field::host_timings::kTokensPerSecond).value_or(0);
  return figures;
}

}  // namespace

HostRun::HostRun(RuntimeClient* client, QObject* parent) : QObject(parent), client_(client) {
  connect(client, &RuntimeClient::told, this, &HostRun::hear);
  connect(client, &RuntimeClient::serverError, this, [this](const ServerError& error) {
    // One that names no request is the answer to the only kind that has no number here.
    if (!error.request &&
        error.code != QLatin1StringView(protocol::error_code::kShadowFailed.data()))
      fail(error.problem);
  });
  connect(client, &RuntimeClient::lost, this, [this] {
    fail({tr("The model server went away."), tr("Start once it is ready again.")});
  });
}

HostRun::~HostRun() {
  if (id_.isEmpty() || !client_) return;
  QJsonObject message = newMessage(protocol::request::kResponseCancel);
  put(message, field::response_cancel::kResponseId, id_);
  client_->send(message);
}

void HostRun::start(const QString& prompt, int tokens) {
  id_ = QStringLiteral("race-%1").arg(++lastHostRun);
  text_.clear();
  const auto passed = ModelGate::pass(LonePrompt{id_, prompt, tokens});
  if (!passed)
    return fail({tr("The prompt is not sent: %1.").arg(passed.error().reason), tr("Take it out.")});
  client_->createResponse(*passed);
}

void HostRun::hear(const std::string& type, JsonFields event) {
  if (id_.isEmpty() || event.text(field::response_event::kResponseId) != id_) return;
  if (type == event::kResponseOutputTextDelta) {
    text_ += event.text(field::response_output_text_delta::kDelta);
    return;
  }
  if (type == event::kResponseFailed) {
    return fail({tr("The model failed while it wrote."), tr("The model server's log says why.")});
  }
  if (type != event::kResponseCompleted && type != event::kResponseIncomplete &&
      type != event::kResponseCancelled)
    return;
  id_.clear();
  HostRunFigures figures =
      readFigures(JsonFields(event.value(field::response_completed::kResponse).toObject()));
  figures.text = text_;
  if (figures.outputTokens > 1 && figures.firstTokenSeconds <= 0 && figures.tokensPerSecond <= 0)
    return Q_EMIT failed(
        {tr("The model server tells no times, as it gives the same answers each time."),
         tr("Start it without --reproducible to measure.")});
  if (figures.outputTokens < 1 || figures.tokensPerSecond <= 0)
    return Q_EMIT failed({tr("The model ended its answer at once, so there is no rate."),
                          tr("Try another prompt.")});
  Q_EMIT finished(figures);
}

void HostRun::fail(const editor::Error& problem) {
  if (id_.isEmpty()) return;
  id_.clear();
  Q_EMIT failed(problem);
}

}  // namespace waferpair::gui
