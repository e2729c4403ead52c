// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/lsp/framing.h"

using namespace waferpair::lsp;

class TestFraming : public QObject {
  Q_OBJECT
 private slots:
  void bodiesComeWholeHoweverTheBytesAreCut() {
    const std::string stream =
        frame("{}") + "content-length:3\r\nContent-Type: x\r\n\r\nabc" + frame("");
    for (std::size_t cut = 1; cut <= stream.size(); ++cut) {
      FrameReader reader;
      std::vector<std::string> bodies;
      for (std::size_t at = 0; at < stream.size(); at += cut) {
        reader.feed(std::string_view(stream).substr(at, cut));
        for (;;) {
          const auto body = reader.next();
          QVERIFY(body.has_value());
          if (!*body) break;
          bodies.push_back(**body);
        }
      }
      QCOMPARE(bodies, (std::vector<std::string>{"{}", "abc", ""}));
    }
  }

  void aHeaderThatSaysNoLengthBreaksTheStream_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("none") << QByteArray("Content-Type: x\r\n\r\n")
                          << QByteArray("no Content-Length");
    QTest::newRow("empty") << QByteArray("\r\n\r\n") << QByteArray("no Content-Length");
    QTest::newRow("word") << QByteArray("Content-Length: ten\r\n\r\n") << QByteArray("no number");
    QTest::newRow("minus") << QByteArray("Content-Length: -1\r\n\r\n") << QByteArray("no number");
    QTest::newRow("blank") << QByteArray("Content-Length:\r\n\r\n") << QByteArray("no number");
    QTest::newRow("overflow") << QByteArray("Content-Length: 99999999999999999999999\r\n\r\n")
                              << QByteArray("no number");
    QTest::newRow("large") << QByteArray("Content-Length: 67108865\r\n\r\n")
                           << QByteArray("64 MiB");
    QTest::newRow("two") << QByteArray("Content-Length: 1\r\nContent-Length: 2\r\n\r\n")
                         << QByteArray("two lengths");
    QTest::newRow("colon") << QByteArray("GET / HTTP/1.1\r\n\r\n") << QByteArray("no colon");
    QTest::newRow("endless") << QByteArray(9000, 'x') << QByteArray("too long");
  }
  void aHeaderThatSaysNoLengthBreaksTheStream() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, says);
    FrameReader reader;
    reader.feed({bytes.data(), static_cast<std::size_t>(bytes.size())});
    const auto body = reader.next();
    QVERIFY(!body);
    QVERIFY2(body.error().what.find(says.toStdString()) != std::string::npos,
             body.error().what.c_str());
    // Whatever comes after that is not read.
    reader.feed(frame("{}"));
    QVERIFY(!reader.next());
  }
};

QTEST_GUILESS_MAIN(TestFraming)
#include "test_framing.moc"
