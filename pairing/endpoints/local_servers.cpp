// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/local_servers.h"

#include "pairing/endpoints/list_request.h"

namespace waferpair::pairing {
namespace {

EndpointAddress addressAt(quint16 port, const char* path) {
  EndpointAddress address;
  address.base = QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(port).arg(QLatin1String(path)));
  return address;
}

// Several kinds share a port: they say who they are as the owner of their models.
QString nameFor(const LocalServers::Place& place, const QVector<ListedModel>& models) {
  struct Owner {
    const char* owner;
    const char* name;
  };
  constexpr Owner kOwners[] = {{"llamacpp", "llama-server"}, {"vllm", "vLLM"},
                               {"sglang", "SGLang"},         {"koboldcpp", "KoboldCpp"},
                               {"tabbyAPI", "TabbyAPI"},     {"library", "Ollama"},
                               {"humanity", "GPT4All"}};
  if (!models.isEmpty()) {
    for (const Owner& known : kOwners) {
      if (models.first().owner == QLatin1String(known.owner)) return QLatin1String(known.name);
    }
  }
  return place.name;
}

}  // namespace

QVector<LocalServers::Place> LocalServers::usualPlaces() {
  return {{Kind::kOllama, QStringLiteral("Ollama"), 11434},
          {Kind::kLmStudio, QStringLiteral("LM Studio"), 1234},
          {Kind::kOther, QStringLiteral("llama-server"), 8080},
          {Kind::kOther, QStringLiteral("vLLM"), 8000}};
}

LocalServers::LocalServers(QVector<Place> places, std::chrono::milliseconds patience,
                           QObject* parent)
    : QObject(parent), places_(std::move(places)), patience_(patience) {}

LocalServers::~LocalServers() = default;

void LocalServers::look() {
  if (round_) {
    // One of its requests may be up the call stack.
    for (QObject* request : round_->children()) request->disconnect(this);
    round_.release()->deleteLater();
  }
  round_ = std::make_unique<QObject>();
  waiting_ = static_cast<int>(places_.size());
  for (const Place& place : places_) ask(place);
}

void LocalServers::ask(const Place& place) {
  auto* request = new ListRequest(addressAt(place.port, "/v1"), QStringLiteral("/models"),
                                  patience_, round_.get());
  connect(request, &ListRequest::failed, this, [this, place](const ReplyFailure& failure) {
    if (failure.kind == ReplyFailure::Kind::kKey)
      Q_EMIT found({place.name, addressAt(place.port, "/v1").base, {}, true});
    answered();
  });
  connect(request, &ListRequest::arrived, this, [this, place](const QByteArray& body) {
    const auto models = readModelList(body);
    if (!models) return answered();  // something else has the port
    take(place, *models);
  });
}

void LocalServers::take(const Place& place, const QVector<ListedModel>& models) {
  const LocalServer server{nameFor(place, models), addressAt(place.port, "/v1").base, models};
  if (place.kind == Kind::kOther) return report(server);
  const bool isOllama = place.kind == Kind::kOllama;
  auto* request =
      new ListRequest(addressAt(place.port, ""),
                      isOllama ? QStringLiteral("/api/tags") : QStringLiteral("/api/v0/models"),
                      patience_, round_.get());
  connect(request, &ListRequest::failed, this, [this, server] { report(server); });
  connect(request, &ListRequest::arrived, this, [this, server, isOllama](const QByteArray& body) {
    const auto details = isOllama ? readOllamaTags(body) : readLmStudioModels(body);
    LocalServer told = server;
    if (details) told.models = withDetails(server.models, *details);
    report(told);
  });
}

void LocalServers::report(const LocalServer& server) {
  LocalServer told = server;
  told.models.removeIf([](const ListedModel& model) { return !model.isText; });
  Q_EMIT found(told);
  answered();
}

void LocalServers::answered() {
  if (--waiting_ == 0) Q_EMIT done();
}

}  // namespace waferpair::pairing
