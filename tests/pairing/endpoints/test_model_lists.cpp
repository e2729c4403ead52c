// SPDX-License-Identifier: GPL-3.0-or-later
// What servers list, as they write it and damaged, and how it is asked for.
#include <QSignalSpy>
#include <QTcpServer>
#include <QtTest>

#include "pairing/endpoints/list_request.h"
#include "pairing/endpoints/local_servers.h"
#include "pairing/endpoints/model_list.h"
#include "tests/pairing/scripted_endpoint.h"

using namespace waferpair::pairing;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(waferpair::pairing::ScriptedEndpoint::Reply)

namespace {

ScriptedEndpoint::Reply json(const QByteArray& body, int status = 200) {
  ScriptedEndpoint::Reply reply;
  reply.pieces = {body};
  reply.status = status;
  reply.headers = {"Content-Type: application/json"};
  return reply;
}

ListedModel listed(const QString& id, const QString& owner, qint64 context) {
  ListedModel model;
  model.id = id;
  model.owner = owner;
  model.contextTokens = context;
  return model;
}

quint16 portOf(const ScriptedEndpoint& server) {
  return static_cast<quint16>(server.base().port());
}

// Sanitizers take 60 ms for each connection's thread, so the usual patience would be too short.
constexpr auto kAnyTime = 60s;

// A port that nobody listens on.
quint16 closedPort() {
  QTcpServer server;
  server.listen(QHostAddress::LocalHost);
  return server.serverPort();
}

}  // namespace

class TestModelLists : public QObject {
  Q_OBJECT
 private slots:
  void listsAreRead() {
    QCOMPARE(
        readModelList(R"({"object":"list","data":[
        {"id":"a","owned_by":"llamacpp","meta":{"n_ctx":8192,"n_ctx_train":32768}},
        {"id":"b","owned_by":"vllm","max_model_len":4096},{"id":"c"}]})"),
        QVector({listed("a", "llamacpp", 8192), listed("b", "vllm", 4096), listed("c", "", -1)}));
    const auto tags = readOllamaTags(R"({"models":[
        {"name":"a:1b","details":{"context_length":32768},"capabilities":["completion","tools"]},
        {"name":"e:latest","capabilities":["embedding"]},{"name":"old:latest"}]})");
    QCOMPARE(tags->size(), 3);
    QCOMPARE(tags->at(0), listed("a:1b", "", 32768));
    QVERIFY(!tags->at(1).isText);
    QVERIFY(tags->at(2).isText);
    const auto studio = readLmStudioModels(R"({"data":[
        {"id":"a","type":"llm","max_context_length":32768,"loaded_context_length":4096},
        {"id":"e","type":"embeddings"}]})");
    QCOMPARE(studio->at(0), listed("a", "", 4096));
    QVERIFY(!studio->at(1).isText);
  }

  void parametersAreReadWhereTheyAreTold() {
    const auto models = readModelList(R"({"data":[{"id":"a","meta":{"n_params":494032768}},
        {"id":"b","details":{"parameters":630167424}},{"id":"c","details":{"parameters":-3}}]})");
    QCOMPARE(models->at(0).parameters, 494'032'768);
    QCOMPARE(models->at(1).parameters, 630'167'424);
    QCOMPARE(models->at(2).parameters, -1);
    const auto tags = readOllamaTags(R"({"models":[
        {"name":"a","details":{"parameter_size":"7.6B"}},
        {"name":"b","details":{"parameter_size":"494.03M"}},
        {"name":"c","details":{"parameter_size":"large"}}]})");
    QCOMPARE(tags->at(0).parameters, 7'600'000'000);
    QCOMPARE(tags->at(1).parameters, 494'030'000);
    QCOMPARE(tags->at(2).parameters, -1);
    ListedModel told;
    told.id = QStringLiteral("a");
    told.parameters = 5;
    QCOMPARE(withDetails({listed("a", "", 1)}, {told})[0].parameters, 5);
  }

  void damagedListsAreNone_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("a page") << QByteArray("<html>It works!</html>");
    QTest::newRow("cut") << QByteArray(R"({"data":[{"id":"a"})");
    QTest::newRow("another list") << QByteArray(R"({"items":[]})");
    QTest::newRow("no list") << QByteArray(R"({"data":{"id":"a"},"models":7})");
    QTest::newRow("too long") << QByteArray(kMostListBytes, ' ') + R"({"data":[],"models":[]})";
  }
  void damagedListsAreNone() {
    QFETCH(QByteArray, body);
    QVERIFY(!readModelList(body));
    QVERIFY(!readOllamaTags(body));
    QVERIFY(!readLmStudioModels(body));
  }

  void whatIsWrongInAListIsLeftOut() {
    QCOMPARE(readModelList(R"({"data":[7,null,{"id":7},{"id":""},{"id":"a","max_model_len":-3},
        {"id":"a"},{"id":"b","meta":7,"max_model_len":1e300},{"id":")" +
                           QByteArray(1000, 'x') + R"("}]})"),
             QVector({listed("a", "", -1), listed("b", "", -1)}));
    QByteArray many = R"({"data":[)";
    for (int i = 0; i < 2000; ++i) many += "{\"id\":\"m" + QByteArray::number(i) + "\"},";
    QCOMPARE(readModelList(many + "{}]}")->size(), kMostListed);
  }

  void detailsAreAddedById() {
    ListedModel other = listed("b", "", 5);
    other.isText = false;
    const auto told = withDetails({listed("a", "x", -1), listed("b", "x", 7), listed("c", "x", -1)},
                                  {listed("a", "", 4), other});
    QCOMPARE(told[0], listed("a", "x", 4));
    QCOMPARE(told[1].contextTokens, 7);
    QVERIFY(!told[1].isText);
    QCOMPARE(told[2], listed("c", "x", -1));
  }

  void aListIsAskedForWithTheKey() {
    ScriptedEndpoint server;
    server.script(json(R"({"data":[{"id":"a"}]})"));
    EndpointAddress address{server.base(), "sk-secret", {}};
    ListRequest request(address, "/models", 5s);
    QSignalSpy arrived(&request, &ListRequest::arrived);
    QTRY_COMPARE(arrived.size(), 1);
    QCOMPARE(arrived[0][0].toByteArray(), QByteArray(R"({"data":[{"id":"a"}]})"));
    QCOMPARE(server.requests()[0].method, QByteArray("GET"));
    QCOMPARE(server.requests()[0].path, QByteArray("/v1/models"));
    QCOMPARE(server.requests()[0].headers.value("authorization"), QByteArray("Bearer sk-secret"));
  }

  void whatGoesWrongIsSaidWithoutTheKey_data() {
    QTest::addColumn<ScriptedEndpoint::Reply>("reply");
    QTest::addColumn<int>("kind");
    using Kind = ReplyFailure::Kind;
    const auto row = [](const char* name, const ScriptedEndpoint::Reply& reply, Kind kind) {
      QTest::newRow(name) << reply << static_cast<int>(kind);
    };
    row("a wrong key", json(R"({"error":"sk-secret is wrong"})", 401), Kind::kKey);
    row("an error", json("oops", 500), Kind::kServer);
    ScriptedEndpoint::Reply elsewhere = json("", 302);
    elsewhere.headers = {"Location: http://192.0.2.1/v1/models"};
    row("a redirect", elsewhere, Kind::kRedirected);
    ScriptedEndpoint::Reply cut = json("{");
    cut.then = ScriptedEndpoint::Then::kCut;
    row("a cut", cut, Kind::kCut);
    ScriptedEndpoint::Reply huge = json("{");
    for (int i = 0; i < 6; ++i) huge.pieces.append(QByteArray(1 << 20, ' '));
    row("no end", huge, Kind::kMalformed);
    ScriptedEndpoint::Reply silent;
    silent.silent = true;
    row("nothing", silent, Kind::kTimeout);
  }
  void whatGoesWrongIsSaidWithoutTheKey() {
    QFETCH(ScriptedEndpoint::Reply, reply);
    QFETCH(int, kind);
    ScriptedEndpoint server;
    server.script(reply);
    ListRequest request({server.base(), "sk-secret", {}}, "/models",
                        kind == static_cast<int>(ReplyFailure::Kind::kTimeout) ? 50ms : 20000ms);
    std::optional<ReplyFailure> failure;
    connect(&request, &ListRequest::failed, this, [&](const ReplyFailure& f) { failure = f; });
    QTRY_VERIFY_WITH_TIMEOUT(failure, 20000);
    QCOMPARE(static_cast<int>(failure->kind), kind);
    QVERIFY(!failure->what.isEmpty());
    QVERIFY2(!failure->what.contains("sk-secret"), qPrintable(failure->what));
    QCOMPARE(server.requests().size(), 1);
  }

  void noKeyGoesOverAnOpenLine() {
    ListRequest request({QUrl("http://192.0.2.1/v1"), "sk-secret", {}}, "/models", 5s);
    std::optional<ReplyFailure> failure;
    connect(&request, &ListRequest::failed, this, [&](const ReplyFailure& f) { failure = f; });
    QVERIFY(!failure);
    QTRY_VERIFY(failure);
    QCOMPARE(failure->kind, ReplyFailure::Kind::kRequest);
  }

  void serversAreFoundWhereTheyUsuallyAre() {
    ScriptedEndpoint ollama, other, locked, page;
    ollama.script(json(R"({"data":[{"id":"a:1b","owned_by":"library"},{"id":"e:latest"}]})"));
    ollama.script(json(R"({"models":[{"name":"a:1b","details":{"context_length":32768}},
                           {"name":"e:latest","capabilities":["embedding"]}]})"));
    other.script(json(R"({"data":[{"id":"b","owned_by":"vllm","max_model_len":4096}]})"));
    locked.script(json("{}", 401));
    page.script(json("<html>It works!</html>"));
    using Kind = LocalServers::Kind;
    LocalServers servers({{Kind::kOllama, "Ollama", portOf(ollama)},
                          {Kind::kOther, "llama-server", portOf(other)},
                          {Kind::kLmStudio, "LM Studio", portOf(locked)},
                          {Kind::kOther, "llama-server", portOf(page)},
                          {Kind::kOther, "llama-server", closedPort()}},
                         kAnyTime);
    QMap<QString, LocalServer> found;
    connect(&servers, &LocalServers::found, this,
            [&](const LocalServer& server) { found.insert(server.name, server); });
    QSignalSpy done(&servers, &LocalServers::done);
    QVERIFY(!servers.isLooking());
    servers.look();
    QVERIFY(servers.isLooking());
    QTRY_COMPARE_WITH_TIMEOUT(done.size(), 1, 60000);
    QVERIFY(!servers.isLooking());
    QCOMPARE(found.keys(), QStringList({"LM Studio", "Ollama", "vLLM"}));
    QCOMPARE(found["Ollama"].base, ollama.base());
    QCOMPARE(found["Ollama"].models, QVector({listed("a:1b", "library", 32768)}));
    QCOMPARE(found["vLLM"].models, QVector({listed("b", "vllm", 4096)}));
    QVERIFY(found["LM Studio"].wantsKey);
    for (const ScriptedEndpoint* server : {&ollama, &other, &locked, &page}) {
      QCOMPARE(server->requests()[0].path, QByteArray("/v1/models"));
      for (const auto& request : server->requests()) QCOMPARE(request.method, QByteArray("GET"));
    }
  }

  // What Ollama tells beyond the list is of use, not needed.
  void aServerIsFoundWithoutDetails() {
    ScriptedEndpoint ollama;
    ollama.script(json(R"({"data":[{"id":"a:1b"}]})"));
    ollama.script(json("no", 404));
    LocalServers servers({{LocalServers::Kind::kOllama, "Ollama", portOf(ollama)}}, kAnyTime);
    QVector<LocalServer> found;
    connect(&servers, &LocalServers::found, this,
            [&](const LocalServer& server) { found.append(server); });
    servers.look();
    QTRY_COMPARE(found.size(), 1);
    QCOMPARE(found[0].models, QVector({listed("a:1b", "", -1)}));
  }

  // Nobody waits for a port that takes the connection and says nothing.
  void aSilentPortIsGivenUp() {
    ScriptedEndpoint silent;
    LocalServers servers({{LocalServers::Kind::kOther, "llama-server", portOf(silent)}}, 50ms);
    QSignalSpy found(&servers, &LocalServers::found);
    QSignalSpy done(&servers, &LocalServers::done);
    servers.look();
    QTRY_COMPARE(done.size(), 1);
    QCOMPARE(found.size(), 0);
  }

  void lookingAgainForgetsTheRoundBefore() {
    ScriptedEndpoint server;
    ScriptedEndpoint::Reply silent;
    silent.silent = true;
    server.script(silent);
    server.script(json(R"({"data":[{"id":"a"}]})"));
    LocalServers servers({{LocalServers::Kind::kOther, "llama-server", portOf(server)}}, kAnyTime);
    QSignalSpy done(&servers, &LocalServers::done);
    QVector<LocalServer> found;
    connect(&servers, &LocalServers::found, this,
            [&](const LocalServer& one) { found.append(one); });
    servers.look();
    QTRY_COMPARE(server.requests().size(), 1);
    servers.look();
    QTRY_COMPARE(done.size(), 1);
    QCOMPARE(found.size(), 1);
  }
};

QTEST_GUILESS_MAIN(TestModelLists)
#include "test_model_lists.moc"
