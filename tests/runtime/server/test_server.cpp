// SPDX-License-Identifier: GPL-3.0-or-later
// Tests how a server ends while clients are about to be let in. The steps of its I/O are run one by
// one, so that the end comes at the very moment in question.
#include <QTemporaryDir>
#include <QtTest>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "runtime/server/server.h"

namespace waferpair::server {

namespace net = boost::asio;
using net::ip::tcp;

class TestServer : public QObject {
  Q_OBJECT

  static constexpr std::chrono::seconds kPatience{30};  // only a hang takes that long

  QTemporaryDir folder_;
  Log log_;

  std::unique_ptr<Server> listen(net::io_context& context) {
    auto server =
        Server::listen(context, log_, {.tokenFile = folder_.filePath("token").toStdString()});
    if (!server) qFatal("%s", server.error().message().c_str());
    return std::move(*server);
  }
  static tcp::endpoint endpointOf(const Server& server) {
    return {net::ip::address_v4::loopback(), server.port()};
  }

 private slots:
  // One is taken in by the very step in front of the end: its news come after it.
  void itEndsWhileSeveralConnect() {
    net::io_context context(1), clients;
    const auto server = listen(context);
    tcp::socket first(clients), second(clients);
    first.connect(endpointOf(*server));
    second.connect(endpointOf(*server));
    const auto executor = server->hub().executor();
    net::post(executor, [&] { net::post(executor, [&] { server->shutDown(); }); });
    context.run_for(kPatience);
    QVERIFY(context.stopped());
  }

  // No longer a plain connection, and not yet a member of the hub.
  void itSaysGoodbyeToASessionThatIsBeingLetIn() {
    net::io_context context(1), clients;
    const auto server = listen(context);
    tcp::socket client(clients);
    client.connect(endpointOf(*server));
    const std::string upgrade = "GET /v1/session HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " +
                                server->hub().token() +
                                "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                "Sec-WebSocket-Version: 13\r\n"
                                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    net::write(client, net::buffer(upgrade));
    while (server->hub().members() == 0) context.run_one();
    while (server->hub().members() == 1) context.run_one();
    QCOMPARE(server->hub().sessions(), 0);
    server->shutDown();

    const std::string goodbye("\x88\x80\0\0\0\0", 6);  // a close frame, masked by nothing
    net::write(client, net::buffer(goodbye));
    client.shutdown(tcp::socket::shutdown_send);
    context.run_for(kPatience);
    QVERIFY(context.stopped());
    std::string said;
    boost::system::error_code error;
    net::read(client, net::dynamic_buffer(said), error);
    QCOMPARE(error, boost::system::error_code(net::error::eof));
    QVERIFY(said.starts_with("HTTP/1.1 101"));
    QVERIFY(said.find("session.ready") == said.npos);
    QVERIFY(said.ends_with("\x03\xe9the server ends"));  // 1001
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestServer)
#include "test_server.moc"
