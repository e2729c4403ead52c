// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that the kernel's word on whose a port is is read right, and that what is proved by a key
// is what RFC 4231 says.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QTest>

#include "runtime/base/hmac.h"
#include "runtime/base/port_owner.h"

using namespace waferpair::base;

namespace {

// A socket that listens on a port of 127.0.0.1 that is free.
struct Listening {
  Listening() : fd(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    if (bind(fd, reinterpret_cast<sockaddr*>(&at), size) == 0 && listen(fd, 1) == 0 &&
        getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) == 0)
      port = ntohs(at.sin_port);
  }
  ~Listening() { close(fd); }
  int fd;
  std::uint16_t port = 0;
};

std::string row(const char* address, const char* state, uid_t user) {
  return std::string("   1: ") + address + ":22E2 00000000:0000 " + state +
         " 00000000:00000000 00:00000000 00000000 " + std::to_string(user) + "        0 4711 1\n";
}

constexpr std::uint16_t kPort = 8930;  // 22E2
constexpr char kHead[] = "  sl  local_address rem_address   st tx_queue ...\n";
constexpr char kLoopback6[] = "00000000000000000000000001000000";
constexpr char kAny6[] = "00000000000000000000000000000000";

}  // namespace

class TestPortOwner : public QObject {
  Q_OBJECT
 private slots:
  void ourOwnPortIsOurs() {
    const Listening listening;
    QVERIFY(listening.port != 0);
    const auto owner = ownerOfPort(listening.port, Loopback::kV4);
    QVERIFY(owner.has_value());
    QCOMPARE(**owner, geteuid());
    QVERIFY(requireOwnPort(listening.port).has_value());
    QVERIFY(!requireOwnPort(listening.port, Loopback::kV6).has_value());
  }

  void aStrangersPortIsNot() {
    const uid_t me = geteuid();
    const uid_t other = me + 1;
    const auto owner = [](const std::string& tcp, const std::string& tcp6, Loopback at) {
      return ownerIn(kHead + tcp, kHead + tcp6, kPort, at);
    };
    const Loopback v4 = Loopback::kV4;
    const Loopback v6 = Loopback::kV6;
    QCOMPARE(owner(row("0100007F", "0A", other), "", v4), std::optional(other));
    QCOMPARE(owner(row("0100007F", "0A", me), "", v4), std::optional(me));
    QCOMPARE(owner(row("00000000", "0A", other), "", v4), std::optional(other));
    // A connection is no listener, another address is not this computer's own.
    QCOMPARE(owner(row("0100007F", "01", other), "", v4), std::optional<uid_t>());
    QCOMPARE(owner(row("0500A8C0", "0A", other), "", v4), std::optional<uid_t>());
    // The exact address is asked, whoever listens to all.
    QCOMPARE(owner(row("0100007F", "0A", me), row(kAny6, "0A", other), v4), std::optional(me));
    QCOMPARE(owner("", row(kAny6, "0A", other), v4), std::optional(other));
    QCOMPARE(owner("", row(kLoopback6, "0A", other), v4), std::optional<uid_t>());
    QCOMPARE(owner("", row(kLoopback6, "0A", other), v6), std::optional(other));
    QCOMPARE(owner(row("0100007F", "0A", other), "", v6), std::optional<uid_t>());
    QCOMPARE(ownerIn(kHead + row("0100007F", "0A", me), "", kPort + 1, v4), std::optional<uid_t>());
  }

  void proofsAreThoseOfTheStandard() {
    QCOMPARE(hmacOf(std::string(20, '\x0b'), "Hi There"),
             "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    QCOMPARE(hmacOf("Jefe", "what do ya want for nothing?"),
             "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    QCOMPARE(
        hmacOf(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  }
};

QTEST_GUILESS_MAIN(TestPortOwner)
#include "test_port_owner.moc"
