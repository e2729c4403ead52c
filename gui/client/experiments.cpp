// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/experiments.h"

#include <QJsonArray>
#include <QTimer>
#include <utility>
#include <vector>

#include "gui/client/runtime_client.h"
#include "gui/client/runtime_service.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

// Ids of completions are below.
constexpr quint64 kFirstExperiment = quint64{1} << 50;
constexpr qsizetype kMostKnown = 512;

ExperimentAnswer readAnswer(JsonFields fields) {
  namespace field = protocol::field;
  ExperimentAnswer answer;
  answer.nature = fields.text(field::answer::kNature);
  answer.title = fields.text(field::answer::kTitle);
  answer.band = fields.text(field::answer::kBand);
  answer.worstErrorPercent = fields.number(field::answer::kWorstErrorPercent);
  const QJsonArray figures = fields.list(field::answer::kFigures);
  for (qsizetype i = 0; i < figures.size(); ++i) {
    JsonFields figure = fields.entry(field::answer::kFigures, figures, i);
    const auto value = figure.number(field::figure::kValue);
    if (!value) continue;
    answer.figures.append({figure.text(field::figure::kName), figure.text(field::figure::kLabel),
                           *value, figure.text(field::figure::kUnit)});
  }
  const QJsonArray shares = fields.list(field::answer::kShares);
  for (qsizetype i = 0; i < shares.size(); ++i) {
    JsonFields share = fields.entry(field::answer::kShares, shares, i);
    answer.shares.append(
        {share.text(field::share::kName), share.number(field::share::kSeconds).value_or(0)});
  }
  for (const QJsonValue& source : fields.list(field::answer::kSources))
    answer.sources.append(source.toString());
  return answer;
}

}  // namespace

const ExperimentFigure* ExperimentAnswer::find(const QString& name) const {
  for (const ExperimentFigure& figure : figures)
    if (figure.name == name) return &figure;
  return nullptr;
}

void Experiments::setClient(RuntimeClient* client) {
  if (client_ == client) return;
  if (client_) client_->disconnect(this);
  client_ = client;
  connect(client, &RuntimeClient::told, this, &Experiments::hearEvent);
  connect(client, &RuntimeClient::serverError, this, &Experiments::hearError);
  connect(client, &RuntimeClient::ready, this, &Experiments::sendAll);
  connect(client, &RuntimeClient::unreachable, this, [this](const editor::Error& problem) {
    std::vector<quint64> ids;
    for (const auto& [id, waiting] : waiting_) ids.push_back(id);
    for (const quint64 id : ids) answer(id, tl::unexpected(problem));
  });
  if (client->isReady()) sendAll();
}

void Experiments::ask(const QString& question, QObject* context, HearExperiment hear) {
  const auto known = known_.constFind(question);
  if (known != known_.constEnd()) {
    QTimer::singleShot(0, context, [answer = *known, hear = std::move(hear)] { hear(answer); });
    return;
  }
  const quint64 id = kFirstExperiment + ++lastId_;
  waiting_[id] = {question, context, std::move(hear)};
  if (client_ && client_->isReady()) send(id);
}

void Experiments::send(quint64 id) const {
  namespace field = protocol::field::experiment_run;
  QJsonObject message = newMessage(protocol::request::kExperimentRun);
  put(message, field::kId, static_cast<qint64>(id));
  put(message, field::kQuestion, waiting_.at(id).question);
  client_->send(message);
}

void Experiments::sendAll() const {
  for (const auto& [id, waiting] : waiting_) send(id);
}

void Experiments::hearEvent(const std::string& type, JsonFields event) {
  if (type != protocol::event::kExperimentDone) return;
  namespace field = protocol::field::experiment_done;
  const auto id = event.id(field::kId);
  if (!id) return;
  JsonFields fields = event.object(field::kAnswer);
  answer(*id, readAnswer(fields));
}

void Experiments::hearError(const ServerError& error) {
  if (error.request) answer(*error.request, tl::unexpected(error.problem));
}

void Experiments::answer(quint64 id, const ExperimentResult& result) {
  const auto found = waiting_.find(id);
  if (found == waiting_.end()) return;
  const Waiting waiting = std::move(found->second);
  waiting_.erase(found);
  if (result && !known_.contains(waiting.question)) {
    known_.insert(waiting.question, *result);
    order_.append(waiting.question);
    if (order_.size() > kMostKnown) known_.remove(order_.takeFirst());
  }
  if (waiting.context) waiting.hear(result);
}

Experiments* experimentsOf(RuntimeService* runtime) {
  auto* made = runtime->findChild<Experiments*>(QString(), Qt::FindDirectChildrenOnly);
  if (made) return made;
  made = new Experiments(runtime);
  const RuntimeServer* server = &runtime->server();
  made->setClient(server->client());
  QObject::connect(server, &RuntimeServer::clientChanged, made,
                   [made, server] { made->setClient(server->client()); });
  return made;
}

}  // namespace waferpair::gui
